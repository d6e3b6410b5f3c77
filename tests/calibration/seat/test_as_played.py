"""What is tested is what is played: a recording is heard as `listen` hears it, and what was said on the way counts."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import soundfile

from calibration.recordings.folder import read
from calibration.seat.as_played import as_played
from calibration.seat.in_order import evaluate_taps
from calibration.seat.taps import listen
from firmware_bridge.errors import PolartableError
from sensors.gesture.profile import load
from table.cli import run
from tests.calibration.seat.weighed import Write
from tests.sensors.gesture.seat_table import HEAVY, RATE, SMALL, Table

COUNTS = tuple(range(2, 14))  # of 4 mm: neighbours differ by 0.4 %, so only a profile tells that they do


def small(seed: int, *beads: int) -> np.ndarray:
    return Table(seed, SMALL, HEAVY).quiet(0.4).tap().tap().placed(*beads).quiet(0.3).take()


@pytest.fixture
def folder(written: Write) -> Path:
    """A set, and two gestures of another day: the 5, and the 8 after the 7 had been tapped by mistake."""
    folder = written(counts=COUNTS, **{f"igloo{n}": small(n, n, n, n) for n in COUNTS})
    others = folder / "others"
    others.mkdir()
    line = json.loads((folder / "recordings.jsonl").read_text().splitlines()[0])
    with (others / "recordings.jsonl").open("w") as index:
        for n, tapped in ((5, (5, 5, 5)), (8, (7, 7, 7, 8, 8, 8))):
            soundfile.write(others / f"{n}.wav", small(60 + n, *tapped), round(RATE), subtype="FLOAT")
            more = {"file": f"{n}.wav", "beads": n, "igloo": f"D01-{n}", "session": "s2", "player": "guest"}
            index.write(json.dumps(line | more) + "\n")
    return folder


def fitted(folder: Path, *counts: str) -> str:
    out = str(folder / "seat.profile")
    assert run(["calibrate", "igloos", "fit", str(folder), "--out", out, *counts]) == 0
    return out


def test_evaluate_says_of_a_recording_what_listen_says_last(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    profile, others = fitted(folder), str(folder / "others")
    capsys.readouterr()
    assert run(["listen", others, "--profile", profile, "--json"]) == 0
    shakes = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(said["source"], said["beads"]) for said in shakes] == [("5.wav", 5), ("8.wav", 7), ("8.wav", 8)]
    assert run(["calibrate", "igloos", "evaluate", others, "--profile", profile, "--json"]) == 0
    *told, last = map(json.loads, capsys.readouterr().out.splitlines())
    same = ("beads", "verdict", "probabilities", "start_s", "end_s", "reason", "profile")
    for evaluated, said in zip(told, (shakes[0], shakes[2]), strict=True):
        assert {k: evaluated.get(k) for k in same} == {k: said.get(k) for k in same}
    assert (last["summary"]["exact"], last["summary"]["sure_right"]) == (1.0, 1.0)
    assert last["summary"]["sure_on_the_way_wrong"] == 1


def test_a_sure_answer_on_the_way_that_is_wrong_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    profile, others = fitted(folder), str(folder / "others")
    assert run(["calibrate", "igloos", "evaluate", others, "--profile", profile]) == 0
    words = "of 1 of 2 recordings it was surely wrong before the last answer"
    assert words in capsys.readouterr().out
    page = folder / "seat.html"
    assert run(["calibrate", "igloos", "report", others, "--profile", profile, "--out", str(page)]) == 0
    assert f"O{words[1:]}" in page.read_text()


def test_where_none_was_nothing_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    profile, others = fitted(folder), folder / "others"
    soundfile.write(others / "8.wav", small(68, 8, 8, 8), round(RATE), subtype="FLOAT")
    assert run(["calibrate", "igloos", "evaluate", str(others), "--profile", profile]) == 0
    assert "before the last answer" not in capsys.readouterr().out
    assert run(["calibrate", "igloos", "evaluate", str(others), "--profile", profile, "--json"]) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last["summary"]["sure_on_the_way_wrong"] == 0


def test_so_it_is_where_sessions_are_left_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    index = folder / "recordings.jsonl"
    others = (folder / "others" / "recordings.jsonl").read_text().replace('"file": "', '"file": "others/')
    index.write_text(index.read_text() + others)
    evaluate = ["calibrate", "igloos", "evaluate", str(folder), "--leave-out", "session", "--test-on", "s2"]
    assert run([*evaluate, "--json"]) == 0
    *told, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert [line["best"] for line in told] == [5, 8]
    assert last["summary"]["sure_on_the_way_wrong"] == 1


@pytest.mark.parametrize("device", ["D01", None, "D07"])
def test_a_gesture_that_is_one_is_told_as_it_stands(folder: Path, device: str | None) -> None:
    profile = load(Path(fitted(folder)))
    index = folder / "others" / "recordings.jsonl"
    index.write_text(index.read_text().replace('"D01"', json.dumps(device)))
    only = [r for r in read(index.parent, pytest.fail) if r.beads == 5]
    tapped = list(listen(only, pytest.fail, profile=profile))
    (one,), (other,) = (evaluate_taps(profile, tapped, pytest.fail, *how) for how in ((), (as_played,)))
    assert one.heard == other.heard
    assert not other.on_the_way
    assert other.gesture is not None
    assert len(other.gesture.weights) == 3


def test_a_file_that_has_gone_is_told_and_left_out(folder: Path) -> None:
    profile = load(Path(fitted(folder)))
    tapped = list(listen(read(folder / "others", pytest.fail), pytest.fail, profile=profile))
    (folder / "others" / "5.wav").unlink()
    told: list[PolartableError] = []
    answered = evaluate_taps(profile, tapped, told.append, as_played)
    assert [a.tapped.recording.file for a in answered] == ["8.wav"]
    assert "5.wav does not exist" in str(told[0])
