"""The fit that the wizard's page begins: a process of this installation, whatever lies beside the recordings."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.clock import SystemClock
from table.recording.fitting import Fitting

PATIENCE_S = 60.0


def test_a_file_of_the_maker_s_own_is_not_taken_for_a_part_of_polartable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It begins where the maker is, and he may keep a typer.py there."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "typer.py").write_text("raise SystemExit('a file of my own')")
    command = ["polartable", "calibrate", "igloos", "fit", "none", "--out", "mine.profile"]
    fitting = Fitting(lambda: command, SystemClock())
    fitting.begin()
    fitting.wait(PATIENCE_S)
    assert fitting.state == "failed"
    assert "PT-211: none is no folder" in " ".join(fitting.said)
