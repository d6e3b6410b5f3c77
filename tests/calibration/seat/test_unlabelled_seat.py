"""A seat's set that nobody labelled: `evaluate` sorts it (docs/gesture.md), with a seat's profile or without any."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from calibration.recordings.folder import LIST
from hw_mock.igloo.going_on_taps import write_all
from hw_mock.igloo.seat_recordings import SeatPlan
from table.cli import run
from tests.knowing import weighing

COUNTS = (2, 3, 5, 6)
Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def unlabelled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    labelled, folder = tmp_path_factory.mktemp("seat"), tmp_path_factory.mktemp("unlabelled")
    for _ in write_all(
        labelled, SeatPlan(21, devices=1, sessions=1, counts=COUNTS, sensors=("accelerometer",))
    ):
        pass
    (folder / "D01").symlink_to(labelled / "D01")
    entries = [json.loads(line) for line in (labelled / LIST).read_text().splitlines()]
    (folder / LIST).write_text("".join(json.dumps(e | {"beads": None}) + "\n" for e in entries))
    return folder


@pytest.fixture(scope="module")
def profile(unlabelled: Path) -> Path:
    """Of another set."""
    from sensors.gesture import profile as gestures
    from sensors.gesture.profile import GestureProfile

    path = unlabelled / "other.profile"
    gestures.save(GestureProfile("accelerometer", COUNTS, {}, 1.0, weighing(), {}), path)
    return path


@pytest.fixture(params=["a profile", "nothing", "left out"])
def words(request: pytest.FixtureRequest, unlabelled: Path, profile: Path) -> list[str]:
    more = {
        "a profile": ["--profile", str(profile)],
        "nothing": ["--counts", "2,3,5,6"],
        "left out": ["--leave-out", "session", "--counts", "2,3,5,6"],
    }
    return ["calibrate", "igloos", "evaluate", str(unlabelled), *more[request.param]]


def test_the_set_is_sorted(words: list[str], capsys: Capture) -> None:
    assert run(words) == 0
    said = capsys.readouterr()
    assert "4 gestures, none with a count" in said.out
    assert "D01-02 holds 2, D01-03 holds 3, D01-05 holds 5, D01-06 holds 6" in said.out
    assert "exact" not in said.out
    assert said.err == ""
    assert run([*words, "--json"]) == 0
    *takes, last = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert {take["file"]: take["in_set"] for take in takes} == {f"D01/s1/{n:02d}.acc.wav": n for n in COUNTS}
    assert last["summary"]["n"] == 0
    assert last["summary"]["exact"] is None


def test_where_counts_are_more_than_igloos_only_their_order_is_certain(
    unlabelled: Path, capsys: Capture
) -> None:
    assert run(["calibrate", "igloos", "evaluate", str(unlabelled)]) == 0
    assert "4 igloos for 12 counts, so all but their order may be a guess" in capsys.readouterr().out
