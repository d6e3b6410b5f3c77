"""The seat's page: fitted by its owner, reported on another's gestures. Simulated seat, real commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hw_mock.igloo.seat_recordings import SeatPlan, write_all
from table.cli import run

IGLOOS = ["calibrate", "igloos"]


def test_the_page_of_a_seat_says_of_how_many_it_was_sure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, profile, page = tmp_path / "taps", tmp_path / "seat.profile", tmp_path / "page.html"
    list(write_all(folder, SeatPlan(21, devices=1, sessions=2, counts=(3, 6, 9), sensors=("accelerometer",))))
    owners, others = ["--only", "session=s1"], ["--only", "session=s2"]
    assert run([*IGLOOS, "fit", str(folder), *owners, "--out", str(profile)]) == 0
    assert run([*IGLOOS, "evaluate", str(folder), *others, "--profile", str(profile)]) == 0
    said = re.search(r"right then (\d\.\d\d) \((\d) of (\d)\)", capsys.readouterr().out)
    assert said is not None
    right, sure = int(said[2]), int(said[3])
    assert float(said[1]) == pytest.approx(right / sure, abs=0.01)
    assert run([*IGLOOS, "report", str(folder), *others, "--profile", str(profile), "--out", str(page)]) == 0
    text = page.read_text()
    assert f"right then: {100 * right / sure:.0f} %, {right} of {sure}" in text
    assert "simulated recordings" in text
    assert text.count("<svg") + text.count("<img") >= 3
