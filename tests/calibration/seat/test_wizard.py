"""The wizard at a seat, and with gestures of a maker's own: on simulated pieces, in virtual time."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import soundfile

from calibration.recordings import folder as store
from calibration.recordings.folder import Recording
from calibration.seat.recorder import SeatTakeRecorder
from calibration.seat.taps import hear_taps
from firmware_bridge.clock import VirtualClock
from firmware_bridge.errors import UsageError
from hw_mock.igloo.seat_recordings import SeatJob, SeatPlan, perform, sense
from sensors.ear.profiles.profile import load_shipped
from sensors.evidence import Heard
from sensors.gesture.coach import STEPS
from sensors.gesture.judge import DIFFER
from sensors.gesture.profile import load
from table.cli import run
from table.commands import calibrate_record, record_source
from table.commands.record_source import OpenSource, opener
from table.commands.record_way import Shaken, Way, Weighed, way_of
from table.commands.record_words import what_next
from table.listening import counting_seat, mock_seat
from table.listening.mock_ear import one_move
from table.listening.mock_seat import gesture, one_gesture
from tests.calibration.recordings.wizard import unhurried
from tests.sensors.gesture.seat_table import EMPTY, RATE, Table

COUNTS = (2, 3, 4)
IGLOOS = ["calibrate", "igloos"]


@pytest.fixture(scope="module", autouse=True)
def simulated_once() -> Iterator[None]:
    """The same arguments give the same bits, and every test's wizard begins with the same gestures."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mock_seat, "gesture", cache(mock_seat.gesture))
        yield


@pytest.fixture(scope="module")
def tapped() -> tuple[np.ndarray, float]:
    return gesture(2, 1, 0)


def weighed(samples: np.ndarray, rate: float) -> tuple[SeatTakeRecorder, list[str]]:
    """A recorder that heard it all, and what it said on the way."""
    samples = samples.reshape(len(samples), -1)
    recorder, said = SeatTakeRecorder("microphone", rate, samples.shape[1]), [""]
    samples = np.concatenate([samples, np.zeros((round(rate), samples.shape[1]), np.float32)])
    for start in range(0, len(samples), 960):
        recorder.push(samples[start : start + 960])
        if recorder.advice.words != said[-1]:
            said.append(recorder.advice.words)
        if recorder.samples is not None:
            break
    return recorder, said[1:]


def test_a_take_whose_taps_on_the_empty_seat_differ_is_told() -> None:
    recorder, table = SeatTakeRecorder("accelerometer", RATE, 3), Table(5).quiet(0.4).tap()
    table.empty = EMPTY[0], EMPTY[1] * 1.001
    table.tap().placed(5, 5, 5).quiet(1)
    for part in np.array_split(table.take().astype(np.float32), 200):
        recorder.push(part)
    assert recorder.samples is not None
    assert recorder.problem == DIFFER


def test_a_recorder_leads_through_the_gesture_and_keeps_all_of_it(
    tapped: tuple[np.ndarray, float], tmp_path: Path
) -> None:
    samples, rate = tapped
    recorder, said = weighed(samples, rate)
    assert said[0] == STEPS["tap-empty"]
    assert STEPS["again"] in said
    assert recorder.problem is None
    assert recorder.samples is not None
    soundfile.write(tmp_path / "x.wav", recorder.samples, round(rate))
    again = hear_taps(Recording(tmp_path, "x.wav", "microphone", 2)).gesture
    assert again is not None
    assert again.placings == 3


def test_a_card_of_two_channels_gives_the_take_that_one_of_one_gives(
    tapped: tuple[np.ndarray, float],
) -> None:
    samples, rate = tapped
    one, _ = weighed(samples, rate)
    two, _ = weighed(np.stack([samples, samples], axis=1), rate)
    assert one.samples is not None
    assert two.samples is not None
    assert two.problem is None
    assert two.samples == pytest.approx(one.samples, abs=1e-6)


def test_without_the_empty_seat_there_is_no_take(tapped: tuple[np.ndarray, float]) -> None:
    samples, rate = tapped
    recorder, _ = weighed(samples[round(3.0 * rate) :], rate)  # the empty taps are over by then
    assert recorder.taps > 2
    assert recorder.samples is None


def test_whoever_begins_anew_with_another_igloo_keeps_that_one(
    tapped: tuple[np.ndarray, float], tmp_path: Path
) -> None:
    samples, rate = tapped
    wrong, _ = gesture(5, 4, 0)
    begun = wrong[: round(7.3 * rate)]  # it was set down twice and tapped
    recorder, _ = weighed(np.concatenate([begun, samples]), rate)
    assert recorder.problem is None
    assert recorder.samples is not None
    soundfile.write(tmp_path / "x.wav", recorder.samples, round(rate))
    soundfile.write(tmp_path / "alone.wav", samples, round(rate))
    kept, alone = (
        hear_taps(Recording(tmp_path, name, "microphone", 2)).gesture for name in ("x.wav", "alone.wav")
    )
    assert kept is not None
    assert alone is not None
    assert len(recorder.samples) < len(begun) + len(samples)
    assert [w.upright for w in kept.weights] == pytest.approx([w.upright for w in alone.weights], rel=0.003)


def test_whoever_dawdles_is_not_kept_for_ever(tapped: tuple[np.ndarray, float]) -> None:
    samples, rate = tapped
    quiet = 1e-4 * np.random.default_rng(0).standard_normal(round(70 * rate)).astype(np.float32)
    recorder, _ = weighed(np.concatenate([quiet, samples]), rate)
    assert recorder.problem is None
    assert recorder.samples is not None
    assert len(recorder.samples) <= 51 * rate


def test_a_simulated_owner_begins_again_where_a_gesture_told_too_little(
    tapped: tuple[np.ndarray, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    samples, rate = tapped
    told = iter([samples[: round(4.0 * rate)], samples])
    monkeypatch.setattr(mock_seat, "gesture", lambda *_: (next(told), rate))
    clock = VirtualClock()
    with one_gesture(2, 1, clock, lambda s: clock.set(clock.now() + s)) as stream:
        take = Weighed("microphone").one_take(stream)
    assert take is not None
    assert take.problem is None


def test_an_accelerometer_s_seat_is_recorded_as_well() -> None:
    job = SeatJob(SeatPlan(21, devices=1, counts=(2,), sensors=("accelerometer",)), 0, 0, 0, 2, 7)
    samples, rate = sense(job, perform(job), "accelerometer")
    samples = np.concatenate([samples, np.repeat(samples[-1:], rate, axis=0)])
    recorder = SeatTakeRecorder("accelerometer", rate, 3)
    for start in range(0, len(samples), 32):
        recorder.push(np.asarray(samples[start : start + 32], np.float32))
        if recorder.samples is not None:
            break
    assert recorder.problem is None
    assert recorder.samples is not None
    assert recorder.samples.shape[1] == 3


@pytest.fixture
def wizard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Recording]]:
    """Plays the wizard on simulated pieces in virtual time, Enter to everything; the lines that it wrote."""
    clock, turn = VirtualClock(), itertools.count()

    def wait(for_s: float) -> None:
        clock.set(clock.now() + for_s)

    def opener(source: str, seconds: float, gesture: str | None = None, *_: object) -> OpenSource:
        if gesture == "seat-tap":
            return lambda beads: one_gesture(beads, next(turn), clock, wait)
        if gesture is None:
            return unhurried(source, seconds)
        return lambda beads: one_move(gesture, beads, next(turn), seconds, clock, wait)

    monkeypatch.setattr(calibrate_record, "opener", opener)

    def play(way: Way, player: str = "anna", session: str = "s", answers: Iterator[str] | None = None) -> Any:
        given = answers or itertools.repeat("")
        calibrate_record.record(
            tmp_path / "mine", "mock", way, COUNTS, 1, "D", player, session, 2.0, False, lambda _: next(given)
        )
        return list(store.read(tmp_path / "mine", lambda error: pytest.fail(str(error))))

    return play


def test_a_seat_is_recorded_fitted_and_heard(
    tmp_path: Path, wizard: Callable[..., list[Recording]], capsys: pytest.CaptureFixture[str]
) -> None:
    lines = wizard(Weighed("microphone"))
    assert {(r.beads, r.gesture, r.place) for r in lines} == {(n, "seat-tap", "seat") for n in COUNTS}
    wizard(Weighed("microphone"), "bo", "t")
    profile = tmp_path / "seat.profile"
    words = [str(tmp_path / "mine"), "--only", "player=anna", "--out", str(profile)]
    assert run([*IGLOOS, "fit", *words]) == 0
    said = capsys.readouterr().err
    assert "nobody weighed" not in said  # the wizard was told what the set holds
    assert (
        f"Fit what is there with: `polartable calibrate igloos fit {tmp_path / 'mine'} --out mine-seat.profile`"
        in said
    )
    words = [str(tmp_path / "mine"), "--only", "player=bo", "--profile", str(profile)]
    assert run([*IGLOOS, "evaluate", *words]) == 0
    told = capsys.readouterr().out
    assert "one gesture: 1.00 exact" in told
    assert "a whole set, one gesture each: 1.00 exact" in told
    clock = VirtualClock()
    said = counting_seat.events(
        "mock", load(profile), False, 25.0, clock, lambda s: clock.set(clock.now() + s), pytest.fail,
        pytest.fail,
    )  # fmt: skip
    told = [one.best for one in said if isinstance(one, Heard)]
    assert len(told) >= 2
    assert set(told) <= set(COUNTS)
    coached = capsys.readouterr().err.splitlines()
    assert all(one != other for one, other in itertools.pairwise(coached))  # nothing is said twice in a row
    assert any(line.startswith("2 of 3: Lift it") for line in coached)
    assert way_of(str(profile), "default", None, 3.0) == Weighed("microphone")
    with pytest.raises(UsageError, match="is a seat's profile, and --gesture is 'knock'"):
        way_of(str(profile), "default", "knock", 3.0)


def test_a_take_of_a_seat_is_thrown_out_with_the_command_that_asks_for_it_again(
    tmp_path: Path, wizard: Callable[..., list[Recording]], capsys: pytest.CaptureFixture[str]
) -> None:
    first, *_ = wizard(Weighed("microphone"))
    assert run([*IGLOOS, "record", str(tmp_path / "mine"), "--throw-out", first.file]) == 0
    said = capsys.readouterr().err
    assert "--source=mock --gesture=seat-tap` asks for the igloo" in said


def test_a_sweep_does_not_go_on_with_another_sensor_or_gesture(
    wizard: Callable[..., list[Recording]],
) -> None:
    wizard(Shaken(load_shipped("contact"), 2.0), answers=iter(["", "", "q"]))
    with pytest.raises(
        UsageError, match=r"begun otherwise: microphone, place shell, and this is microphone –"
    ):
        wizard(Shaken(load_shipped("microphone"), 2.0))
    with pytest.raises(UsageError, match=r"go on with --source mock --profile contact, or begin another"):
        wizard(Weighed("microphone"))


def test_a_sweep_of_older_lines_goes_on(tmp_path: Path, wizard: Callable[..., list[Recording]]) -> None:
    wizard(Shaken(load_shipped("contact"), 2.0), answers=iter(["", "", "q"]))
    list_ = tmp_path / "mine" / "recordings.jsonl"
    line = json.loads(list_.read_text())
    del line["source"], line["place"]
    list_.write_text(json.dumps(line) + "\n")  # as mock wrote it before
    assert len(wizard(Shaken(load_shipped("contact"), 2.0))) == len(COUNTS)
    line |= {"place": "shell", "source": "default", "gesture": "free shaking"}
    list_.write_text(json.dumps(line) + "\n")  # by hand
    assert len(wizard(Shaken(load_shipped("contact"), 2.0))) == len(COUNTS)


def test_a_gesture_of_one_s_own_is_written_into_the_list(wizard: Callable[..., list[Recording]]) -> None:
    way = way_of("contact", "mock", "Knock ", 2.0)
    lines = wizard(way)
    assert {(r.gesture, r.rejected) for r in lines} == {("knock", None)}
    assert way_of(None, "mock", "shake", 2.0).more == {"place": "shell"}


def test_what_cannot_be_recorded_is_said_before_anybody_begins(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nobody simulated the gesture 'hop'"):
        opener("mock", 2.0, "hop")
    assert way_of(None, "/dev/ttyACM0", "seat-tap", 2.0).sensor == "accelerometer"
    assert run([*IGLOOS, "record", str(tmp_path / "x"), "--source", "mock", "--gesture", "\x1b[31mred"]) == 2
    assert not (tmp_path / "x").exists()
    assert way_of("contact", "default", "free shaking", 2.0).more == {"place": "shell"}


def test_the_mock_of_another_day_is_no_copy_of_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_source.random.SystemRandom, "randrange", lambda self, most: next(begins))
    begins, sounds = iter([11, 22, 11]), []
    for _ in range(3):
        with opener("mock", 1.6)(3) as stream:
            sounds.append(np.concatenate(list(itertools.islice(cast(Any, stream)._pieces, 100))))
    assert np.array_equal(sounds[0], sounds[2])
    assert not np.array_equal(sounds[0], sounds[1])


def test_in_a_folder_of_shakes_the_next_command_is_of_the_gesture(tmp_path: Path) -> None:
    """Without that it fitted the shakes, and called their profile the seat's."""
    taps = [Recording(tmp_path, f"t{n}.wav", "microphone", n, more={"gesture": "seat-tap"}) for n in COUNTS]
    shakes = [Recording(tmp_path, f"s{n}.wav", "microphone", n) for n in COUNTS]
    assert what_next(Path("F"), taps, "seat-tap").endswith("fit F --out F-seat.profile`")
    mixed = what_next(Path("F"), [*taps, *shakes], "seat-tap")
    assert mixed.endswith("fit F --only gesture=seat-tap --out F-seat.profile`")
