"""The fit that the wizard's page begins: a process of this installation, whatever lies beside the recordings."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from table.recording.fitting import Fitting

PATIENCE_S = 60.0


def test_a_file_of_the_maker_s_own_is_not_taken_for_a_part_of_polartable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It begins where the maker is, and he may keep a typer.py there."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "typer.py").write_text("raise SystemExit('a file of my own')")
    command = ["polartable", "calibrate", "igloos", "fit", "none", "--out", "mine.profile"]
    fitting, end = Fitting(lambda: command), time.monotonic() + PATIENCE_S
    fitting.begin()
    while fitting.state == "fits" and time.monotonic() < end:
        time.sleep(0.05)
    assert fitting.state == "failed"
    assert "PT-211: none is no folder" in " ".join(fitting.said)
