"""`polartable calibrate igloos` on folders of which nothing can be fitted on: the reason given is the right one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import soundfile

from table.cli import run
from tests.rattle import RATE, rattle

Capture = pytest.CaptureFixture[str]
SAID_ABOVE = "see the sentences above"


def folder(where: Path, beads: int | None, sound: Callable[[int], np.ndarray]) -> Path:
    """Two sessions of three takes each."""
    lines = []
    for take in range(6):
        soundfile.write(where / f"{take}.wav", sound(take), RATE)
        line = {"file": f"{take}.wav", "sensor": "microphone", "beads": beads, "session": f"s{take % 2}"}
        lines.append(json.dumps(line) + "\n")
    (where / "recordings.jsonl").write_text("".join(lines))
    return where


def last_words(capsys: Capture, *words: str) -> str:
    assert run(["calibrate", "igloos", *words]) == 2
    return capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    "words",
    [
        ["fit", "{s}", "--out", "{s}/../mine.profile"],
        ["evaluate", "{s}", "--leave-out", "session"],
    ],
)
def test_counted_takes_that_cannot_be_heard_do_not_lack_a_count_nor_a_session(
    words: list[str], tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "mine").mkdir()
    silent = folder(tmp_path / "mine", 5, lambda take: np.zeros(RATE))
    said = last_words(capsys, *(word.format(s=silent) for word in words))
    assert said.endswith(SAID_ABOVE)
    assert '"beads"' not in said
    assert "of one session" not in said


def test_empty_igloos_that_were_counted_do_not_lack_a_count(tmp_path: Path, capsys: Capture) -> None:
    empty = folder(tmp_path, 0, lambda take: rattle(5, take))
    for words in (
        ["fit", str(empty), "--out", str(tmp_path / "x.profile")],
        ["evaluate", str(empty), "--leave-out", "session"],
    ):
        said = last_words(capsys, *words)
        assert "are of empty igloos" in said
        assert "no recording has a known count" not in said


def test_takes_that_nobody_counted_are_asked_for_a_count(tmp_path: Path, capsys: Capture) -> None:
    unknown = folder(tmp_path, None, lambda take: rattle(5, take))
    assert "no recording has a known count" in last_words(
        capsys, "fit", str(unknown), "--out", str(tmp_path / "x.profile")
    )
