"""What `--test-on` and `--only` ask for: a very name, or a pattern."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration.recordings.folder import Recording
from calibration.recordings.named_as import fits
from table.commands.igloo_choice import matches, only_sessions


@pytest.mark.parametrize("name", ["kitchen [2]", "[a-z]", "what?", "*", "sweep-A"])
def test_a_very_name_fits_though_it_reads_as_a_pattern(name: str) -> None:
    assert fits(name, name)


def test_a_pattern_fits_what_a_shell_would_find() -> None:
    assert fits("sweep-A", "sweep-*")
    assert fits("sweep-A", "sweep-[AB]")
    assert not fits("batch-1", "sweep-*")
    assert not fits(None, "sweep-*")
    assert fits(None, "*")
    assert fits(None, None)


def test_a_session_with_brackets_in_its_name_can_be_tested_and_chosen() -> None:
    here, there = (
        Recording(Path(), "a.wav", "microphone", 4, session=session) for session in ("kitchen [2]", "kitchen")
    )
    assert only_sessions([here, there], "kitchen [2]") == [True, False]
    assert matches(here, "session=kitchen [2]")
    assert not matches(there, "session=kitchen [2]")
