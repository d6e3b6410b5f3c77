"""What holds none of a profile's counts is taken for another: `fit`, `evaluate` and the page tell so."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from calibration.recordings.folder import Recording
from calibration.testing.outside import never_said, sure_of_none_of_its_counts, sure_outside
from table.cli import run
from tests.rattle import write_sweeps

Capture = pytest.CaptureFixture[str]


def asked(beads: int | None, verdict: str = "unsure", rejected: str | None = None) -> Any:
    recording = Recording(Path(), "x.wav", "microphone", beads, rejected=rejected)
    return SimpleNamespace(
        row=SimpleNamespace(recording=recording), counts=(2, 3, 4), heard=SimpleNamespace(verdict=verdict)
    )


def test_counts_beyond_those_that_were_recorded_are_told() -> None:
    assert never_said(range(2, 14)) is None
    assert never_said((2, 5, 9, 13)) is None  # of those between another sentence tells
    assert never_said((20, 30, 40)) is None  # no game
    few = never_said((2, 3, 4)) or ""
    assert "no take holds 5–13 beads" in few
    assert "taken for one of 2–4" in few
    assert "--counts 2-13" in few
    assert "no take holds 2, 3, 12 or 13 beads" in (never_said((4, 7, 11)) or "")
    assert "record it as well" in (never_said(range(3, 14)) or "")


def test_sure_answers_to_other_igloos_are_counted() -> None:
    sure = [asked(9, "sure"), asked(9, "sure"), asked(3, "sure")]
    others = [asked(9), asked(9, "not-a-shake"), asked(None, "sure"), asked(9, "sure", "talk"), asked(4)]
    assert sure_outside([*sure, *others]) == (2, 4)
    said = "it was sure of 2 of 4 recordings that hold none of its counts, and wrong"
    assert sure_of_none_of_its_counts([*sure, *others]) == said
    none = "it was sure of none of 1 recording that holds none of its counts"
    assert sure_of_none_of_its_counts([asked(9)]) == none
    assert sure_of_none_of_its_counts([asked(3, "sure")]) is None


def test_fit_tells_what_will_never_be_said(tmp_path: Path, capsys: Capture) -> None:
    write_sweeps(tmp_path, sessions=2, counts=(2, 3, 4), seconds=0.8, place="table")
    fit = ["calibrate", "igloos", "fit", str(tmp_path), "--out", str(tmp_path / "x.profile")]
    for options, told in (([], True), (["--counts", "2-4"], False)):
        assert run([*fit, *options, "--json"]) == 0
        warnings = json.loads(capsys.readouterr().out)["warnings"]
        assert any("no take holds 5–13 beads" in one for one in warnings) is told


def test_evaluate_and_the_page_tell_of_other_igloos(tmp_path: Path, capsys: Capture) -> None:
    lines = write_sweeps(tmp_path, sessions=2, counts=(2, 4, 6, 8), seconds=0.8, place="table")
    list_ = tmp_path / "recordings.jsonl"
    profile, page = tmp_path / "x.profile", tmp_path / "x.html"
    only = ["--only", "session=s0"]
    assert run(["calibrate", "igloos", "fit", str(tmp_path), "--out", str(profile), *only]) == 0
    more = [
        line | {"beads": 12} if line["beads"] == 8 else line for line in lines
    ]  # another igloo, it is said
    list_.write_text("".join(json.dumps(line) + "\n" for line in more))
    evaluate = ["calibrate", "igloos", "evaluate", str(tmp_path), "--profile", str(profile)]
    only = ["--only", "session=s1"]
    capsys.readouterr()
    assert run([*evaluate, *only, "--json"]) == 0
    *told, last = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    sure = sum(line["verdict"] == "sure" for line in told if line["true_beads"] == 12)
    assert last["summary"]["outside"] == {"n": 1, "sure": sure}
    said = f"t was sure of {sure or 'none'} of 1 recording that holds none of its counts"
    assert run([*evaluate, *only]) == 0
    assert "i" + said in capsys.readouterr().out
    report = ["calibrate", "igloos", "report", str(tmp_path), "--profile", str(profile), "--out", str(page)]
    assert run([*report, *only]) == 0
    assert "I" + said in page.read_text()


def test_empty_igloos_are_said_to_teach_nothing(tmp_path: Path, capsys: Capture) -> None:
    write_sweeps(tmp_path, sessions=2, counts=(2, 3, 4), seconds=0.8, place="table")
    list_ = tmp_path / "recordings.jsonl"
    list_.write_text(list_.read_text().replace('"beads": 2', '"beads": 0', 1))
    assert run(["calibrate", "igloos", "evaluate", str(tmp_path), "--profile", "microphone"]) == 0
    said = capsys.readouterr().err
    assert "1 recording of 0 beads is neither learned from nor tested" in said
    assert "--counts 0" not in said
