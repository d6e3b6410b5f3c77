"""The seat's page: fitted by its owner, reported on another's gestures. Simulated seat, real commands."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from calibration import pictures
from calibration.recordings import Recording
from calibration.seat_report import _weights
from calibration.seat_taps import fingerprint
from hw_mock.igloo.seat_recordings import SeatPlan, write_all
from sensors.gesture.judge import NEVER
from sensors.gesture.weigh import Weight
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
    assert "sure of 1.00, right then 1.00 (3 of 3)" in capsys.readouterr().out
    assert run([*IGLOOS, "report", str(folder), *others, "--profile", str(profile), "--out", str(page)]) == 0
    text = page.read_text()
    assert "right then: 100 %, 3 of 3" in text
    assert "simulated recordings" in text
    assert text.count("<svg") + text.count("<img") >= 3
    guess = tmp_path / "guess.profile"  # which was asked for counts that nobody weighed
    assert run([*IGLOOS, "fit", str(folder), *owners, "--counts", "2-13", "--out", str(guess)]) == 0
    capsys.readouterr()
    assert run([*IGLOOS, "evaluate", str(folder), *others, "--profile", str(guess), "--json"]) == 0
    *lines, _ = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert {line["best"] for line in lines if line["verdict"] == "sure"} <= {3, 6, 9}
    assert {line["reason"] for line in lines if line["best"] not in (3, 6, 9)} == {NEVER}


def test_what_the_profile_was_fitted_on_is_no_gesture_since(monkeypatch: pytest.MonkeyPatch) -> None:
    def gesture(upright: float) -> Any:
        weights = [Weight(0.0, upright, upright / 2, (1.0, 1.0), (9.0, 9.0))]
        told = SimpleNamespace(
            gesture=SimpleNamespace(weights=weights), recording=Recording(Path(), "", "microphone")
        )
        return SimpleNamespace(tapped=told)

    fitted, since = gesture(0.3), gesture(0.5)
    model: Any = SimpleNamespace(counts=[], means=[], weighed=[], loose=lambda weighing: 0.0)
    one = SimpleNamespace(model=model)
    prints = "00000000" + (fingerprint(fitted.tapped) or "")
    profile: Any = SimpleNamespace(
        sets={"D": one}, set_for=lambda device: one, fitted_on={"fingerprints": prints}
    )
    dots: list[Any] = []
    monkeypatch.setattr(pictures, "weights", lambda means, seen, words: dots.extend(seen) or "")
    _weights("D", [fitted, since], profile)
    assert [upright for _, upright, _ in dots] == [0.5]
