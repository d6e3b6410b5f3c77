"""A run that goes on in a folder adds to the plan that is there, and to no other."""

from __future__ import annotations

import json
import resource
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import soundfile as sf

from firmware_bridge.errors import UsageError
from hw_mock.igloo import recordings, seat_recordings
from hw_mock.igloo.going_on_taps import write_all
from hw_mock.igloo.seat_recordings import SeatPlan, jobs
from table.cli import run

Capture = pytest.CaptureFixture[str]
SHAKES = (
    "shakes", "--devices", "2", "--sessions", "1", "--counts", "3", "--seconds", "0.3", "--sensor", "accelerometer",
)  # fmt: skip
FEW = (
    14  # a seed that gives 3 and 4 beads in the round, and 2 in the first gesture: they are simulated soonest
)
ROUND = "together", "--tables", "1", "--rounds", "1", "--seed", str(FEW), "--people", "2"
TAPS = "taps", "--devices", "1", "--sessions", "1", "--seed", str(FEW)


def simulate(out: Path, *words: str) -> int:
    return run(["simulate", *words, "--out", str(out)])


def lines(out: Path) -> list[dict]:
    return [json.loads(text) for text in (out / "recordings.jsonl").read_text().splitlines()]


def files(out: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}


def refused(out: Path, capsys: Capture, what: str, differs: str, *words: str) -> None:
    before = files(out)
    capsys.readouterr()
    assert simulate(out, *words) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"polartable: PT-101: {out} holds {what} of another plan: ")
    assert differs in said
    assert said.count("\n") == 1
    assert files(out) == before


@pytest.fixture(scope="module")
def shaken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both accelerometers run as they were drawn, which is not at one rate."""
    out = tmp_path_factory.mktemp("shaken") / "made"
    assert simulate(out, *SHAKES) == 0
    return out


def test_accelerometers_of_another_rate_are_of_another_plan(shaken: Path, capsys: Capture) -> None:
    refused(shaken, capsys, "shakes", 'as "true_rate_hz", and this one', *SHAKES, "--rate", "2000")


@pytest.mark.parametrize("rate", [(), ("--rate", "2000")])
def test_a_run_of_one_rate_goes_on(rate: tuple[str, ...], tmp_path: Path) -> None:
    """The true rates are off the nominal one, and each device's differs."""
    out = tmp_path / "made"
    assert simulate(out, *SHAKES, *rate) == 0
    whole = lines(out)
    assert len({line["true_rate_hz"] for line in whole}) == 2
    index = out / "recordings.jsonl"
    index.write_text(index.read_text().splitlines(keepends=True)[0])
    assert simulate(out, *SHAKES, *rate) == 0
    assert lines(out) == whole


def test_a_sensor_without_a_rate_is_added_at_any(tmp_path: Path) -> None:
    heard = (*SHAKES[:-1], "contact")
    assert simulate(tmp_path, *heard) == 0
    assert simulate(tmp_path, *SHAKES, "--rate", "2000") == 0
    assert [sf.info(tmp_path / line["file"]).samplerate for line in lines(tmp_path)][2:] == [2000, 2000]


@pytest.mark.parametrize("more", [("--seconds", "0.6"), ("--wide",)])
def test_longer_or_wilder_shakes_are_of_another_plan(
    more: tuple[str, ...], shaken: Path, capsys: Capture
) -> None:
    """Their sensor is the same, and so are their names."""
    refused(shaken, capsys, "shakes", 'as "strength_g", and this one', *SHAKES, *more)


def test_another_machine_may_let_beads_hit_otherwise(shaken: Path) -> None:
    index = shaken / "recordings.jsonl"
    whole = index.read_text()
    index.write_text("".join(json.dumps(line | {"hits": [1, 2]}) + "\n" for line in lines(shaken)))
    try:
        assert simulate(shaken, *SHAKES) == 0
    finally:
        index.write_text(whole)


def test_faults_are_of_the_plan_and_a_sensor_added_later_gets_its_own(
    tmp_path: Path, capsys: Capture
) -> None:
    both = (*SHAKES, "--sensor", "contact", "--faulty", "0.5", "--counts", "2,3")
    once, later = tmp_path / "once", tmp_path / "later"
    assert simulate(once, *both) == 0
    assert 0 < sum("fault" in line for line in lines(once)) < 8
    assert simulate(later, *SHAKES, "--faulty", "0.5", "--counts", "2,3") == 0
    assert simulate(later, *both) == 0
    assert sorted(lines(later), key=str) == sorted(lines(once), key=str)
    for line in lines(once):
        assert (later / line["file"]).read_bytes() == (once / line["file"]).read_bytes()
    refused(later, capsys, "shakes", 'as "fault", and this one would make', *both[:-4], "--counts", "2,3")


@pytest.fixture(scope="module")
def sat(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sat") / "made"
    assert simulate(out, *ROUND, "--sensor", "seat") == 0
    return out


@pytest.mark.parametrize(
    ("more", "differs"),
    [
        (("--seed", "2"), '[1, 3] as "seat", and this one would make [2, 6]'),
        (("--seats", "5"), 'as "seat", and this one would make'),
        (("--cardioid",), 'None as "pattern", and this one would make 0.5'),
        (("--seed", "2", "--sensor", "microphone"), 'as "seat", and this one'),
        (("--fault", "gaps"), "None as \"fault\", and this one would make 'gaps'"),
    ],
)
def test_rounds_of_another_plan(more: tuple[str, ...], differs: str, sat: Path, capsys: Capture) -> None:
    sensor = () if "--sensor" in more else ("--sensor", "seat")
    refused(sat, capsys, "rounds", differs, *ROUND, *sensor, *more)


def test_a_round_that_only_begins_at_another_time_is_of_another_plan(sat: Path, capsys: Capture) -> None:
    index = sat / "recordings.jsonl"
    whole, told = index.read_text(), lines(sat)
    for line in told:
        line["shakes"] = [shake | {"end_s": shake["end_s"] + 0.01} for shake in line["shakes"]]
    index.write_text("".join(json.dumps(line) + "\n" for line in told))
    try:
        refused(sat, capsys, "rounds", 'as "end_s", and this one would make', *ROUND, "--sensor", "seat")
    finally:
        index.write_text(whole)


def test_a_round_gets_more_people_more_sensors_and_what_is_missing(tmp_path: Path, capsys: Capture) -> None:
    both = (*ROUND, "--sensor", "accelerometer", "--sensor", "microphone")
    once, bit_by_bit = tmp_path / "once", tmp_path / "bits"
    assert simulate(once, *both) == 0
    assert simulate(bit_by_bit, *ROUND, "--sensor", "microphone") == 0
    assert simulate(bit_by_bit, *both) == 0
    index = bit_by_bit / "recordings.jsonl"
    index.write_text("".join(index.read_text().splitlines(keepends=True)[:2]))  # half of a round
    assert simulate(bit_by_bit, *both) == 0
    assert sorted(lines(bit_by_bit), key=str) == sorted(lines(once), key=str)
    for line in lines(once):
        assert (bit_by_bit / line["file"]).read_bytes() == (once / line["file"]).read_bytes()
    capsys.readouterr()
    assert simulate(bit_by_bit, *both) == 0
    assert capsys.readouterr().err == f"0 rounds simulated in {bit_by_bit}\n"
    assert simulate(bit_by_bit, *ROUND[:-1], "2,1", "--sensor", "accelerometer") == 0
    assert capsys.readouterr().err == (
        f"1 round simulated in {bit_by_bit}\n"  # the microphone's is of the plan, too
    )


@pytest.fixture(scope="module")
def tapped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose making was broken off after one gesture."""
    out = tmp_path_factory.mktemp("tapped") / "made"
    next(write_all(out, SeatPlan(FEW, devices=1, sessions=1, sensors=("accelerometer",))))
    assert len(lines(out)) == 1
    return out


@pytest.mark.parametrize(
    "more", [("--seed", "2"), ("--placings", "2"), ("--printed",), ("--seed", "2", "--sensor", "contact")]
)
def test_gestures_of_another_plan(more: tuple[str, ...], tapped: Path, capsys: Capture) -> None:
    refused(tapped, capsys, "gestures", "holds another gesture than this one would make", *TAPS, *more)


def test_gestures_of_other_people_are_of_another_plan(tmp_path: Path, capsys: Capture) -> None:
    plan = SeatPlan(1, devices=2, sessions=1, counts=(2,), sensors=("accelerometer",))
    list(write_all(tmp_path, plan))
    refused(tmp_path, capsys, "gestures", 'as "player"', "taps", "--devices", "2", "--sessions", "2")
    with pytest.raises(UsageError, match="of another plan"):
        list(write_all(tmp_path, SeatPlan(2, devices=2, sessions=1, counts=(2,))))


def test_gestures_go_on_and_get_another_sensor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(seat_recordings, "jobs", lambda plan: islice(jobs(plan), 1))  # each takes seconds
    assert simulate(tmp_path, *TAPS) == 0
    assert simulate(tmp_path, *TAPS, "--sensor", "accelerometer", "--sensor", "contact") == 0
    assert [line["file"].partition(".")[2] for line in lines(tmp_path)] == ["acc.wav", "contact.flac"]
    capsys.readouterr()
    assert simulate(tmp_path, *TAPS, "--sensor", "contact") == 0
    assert capsys.readouterr().err == f"0 gestures simulated in {tmp_path}\n"


def test_a_full_disk_is_told_by_what_writes_sound(tmp_path: Path) -> None:
    """libsndfile says "System error" and nothing more."""
    noise = np.random.default_rng(1).normal(size=48000).astype(np.float32) / 10
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(OSError, match="too large"):
            recordings.store(tmp_path / "a.flac", noise, 48000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not (tmp_path / "a.flac").exists()
