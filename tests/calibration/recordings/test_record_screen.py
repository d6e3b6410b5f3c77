"""The wizard's live meter, in terminals of any width."""

from __future__ import annotations

import sys
from typing import get_args

import pytest

from calibration.recordings.recorder import Coaching, Meter
from table.commands.record_screen import draw


def test_the_meter_shows_the_band_and_covers_what_was_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    draw(Meter(-10.0, 0.8, "enough"), (0.7, 1.4))
    draw(Meter(-40.0, None, "wait"), (0.7, 1.4))
    _, full, short = capsys.readouterr().err.split("\r")
    assert full.split("]")[1].rstrip() == "  enough   strength 0.8 (aim for 0.7–1.4)"
    assert short.split() == ["[####", "]", "wait"]
    assert len(full) == len(short) == 79


@pytest.mark.parametrize("columns", [20, 28, 40, 58, 66, 80, 120])
def test_the_coachs_word_is_there_in_narrow_terminals(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(columns))
    for word in get_args(Coaching):
        draw(Meter(-10.0, 0.8, word), (0.3, 2.0))
        line = capsys.readouterr().err.removeprefix("\r")
        assert len(line) == columns - 1
        assert word in line
        assert columns < 40 or ("0.8 (aim" in line and "0.3–2.0)" in line)
