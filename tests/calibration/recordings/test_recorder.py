"""The recorder of one take: what it keeps of a stream, and what it says is wrong with it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from calibration.recordings.recorder import TakeRecorder
from sensors.ear.frames.clipping import SHARE
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.verdicts.mends import ACCELEROMETER
from tests.rattle import RATE, rattle, shaken_sensor


def test_the_recorder_keeps_the_shake_and_says_what_is_wrong_with_it() -> None:
    head = load_shipped("contact").heads[0]

    def recorded(sound: np.ndarray[Any, np.dtype[np.float32]]) -> TakeRecorder:
        recorder = TakeRecorder(head, RATE, 1, 2.0)
        quiet = 3e-5 * np.random.default_rng(0).standard_normal(RATE).astype(np.float32)
        recorder.push(np.concatenate([quiet, sound, quiet])[:, None])
        return recorder

    good = recorded(rattle(6, 3)).take
    assert good is not None
    assert good.shake is not None
    assert good.shake.seconds == pytest.approx(2.0, abs=0.3)
    assert 2.2 < len(good.samples) / RATE < 4.0
    short = recorded(rattle(6, 3, seconds=0.6)).take
    assert short is not None
    assert "shake for 2 seconds" in (short.problem or "")
    hot = recorded(np.clip(30 * rattle(6, 3), -1, 1)).take
    assert hot is not None
    assert "overdriven" in (hot.problem or "")
    calm = np.zeros(2 * RATE, np.float32)
    loud = np.concatenate([calm, rattle(6, 3), calm])
    noise = float(np.std(rattle(6, 3))) * np.random.default_rng(5).standard_normal(len(loud))
    drowned = TakeRecorder(head, RATE, 1, 2.0)
    drowned.push((1.3 * noise + loud).astype(np.float32)[:, None])
    assert drowned.take is not None
    assert "drowned" in (drowned.take.problem or "")
    broken = TakeRecorder(head, RATE, 1, 2.0)
    broken.push(np.full((10, 1), np.nan, np.float32))  # a driver that goes mad for a moment
    quiet = 3e-5 * np.random.default_rng(0).standard_normal(RATE).astype(np.float32)
    broken.push(np.concatenate([quiet, rattle(6, 3), quiet])[:, None])
    assert broken.take is not None
    assert broken.take.problem is None


def test_a_take_after_a_fan_that_started_holds_what_was_heard_in_one_piece() -> None:
    random = np.random.default_rng(0)
    quiet = 3e-5 * random.standard_normal(2 * RATE)
    fan = 3e-3 * random.standard_normal(round(2.2 * RATE))
    shake = 0.9 * rattle(6, 3) + 3e-3 * random.standard_normal(len(rattle(6, 3)))
    source = np.concatenate([quiet, fan, shake, 3e-3 * random.standard_normal(RATE)]).astype(np.float32)
    recorder = TakeRecorder(load_shipped("contact").heads[0], RATE, 1, 2.0)
    recorder.push(source[:, None])
    assert recorder.take is not None
    kept = recorder.take.samples[:, 0]
    begin = int(np.flatnonzero(source == kept[0])[0])
    assert np.array_equal(kept, source[begin : begin + len(kept)])


def test_beads_that_click_as_the_igloo_is_taken_up_are_not_the_take() -> None:
    quiet = 3e-5 * np.random.default_rng(0).standard_normal(RATE).astype(np.float32)
    shake = rattle(6, 3)
    heard = np.concatenate([quiet, shake[RATE : RATE + RATE // 20], quiet, shake, quiet])
    recorder = TakeRecorder(load_shipped("contact").heads[0], RATE, 1, 2.0)
    for start in range(0, len(heard), RATE // 50):
        recorder.push(heard[start : start + RATE // 50, None])
    assert recorder.take is not None
    assert recorder.take.problem is None
    kept = recorder.take.samples[:, 0]
    assert np.array_equal(kept, heard[recorder.take.before : recorder.take.before + len(kept)])
    assert recorder.take.before > 1.2 * RATE  # after the click


@pytest.mark.parametrize("block_s", [0.02, 0.05, 0.3])
def test_enough_is_said_when_it_is_enough_however_blocks_come(block_s: float) -> None:
    recorder = TakeRecorder(load_shipped("contact").heads[0], RATE, 1, 2.0)
    quiet = 3e-5 * np.random.default_rng(0).standard_normal(RATE).astype(np.float32)
    sound, step = np.concatenate([quiet, rattle(6, 3, seconds=4.0)]), round(block_s * RATE)
    for start in range(0, len(sound), step):
        if recorder.push(sound[start : start + step, None]).advice == "enough":
            break
    began_s = 1.0 + 0.6  # a rattle has quiet around it
    assert 1.8 < (start + step) / RATE - began_s < 2.8


def test_who_is_heard_and_not_felt_is_told_to_shake_faster() -> None:
    """A microphone's strength is strokes a second."""
    head = replace(load_shipped("contact").heads[0], strength_low=5.0, strength_high=6.0)
    recorder, said = TakeRecorder(head, RATE, 1, 2.0), set()
    quiet = 3e-5 * np.random.default_rng(0).standard_normal(RATE).astype(np.float32)
    sound = np.concatenate([quiet, rattle(6, 3, seconds=3.0), quiet])
    for start in range(0, len(sound), 960):
        said.add(recorder.push(sound[start : start + 960, None]).advice)
    assert "faster" in said
    assert recorder.take is not None
    assert recorder.take.problem == "too slow: shake a little faster"


def test_what_spoils_the_sound_is_said_before_what_the_shake_lacks() -> None:
    head = load_shipped("contact").heads[0]
    quiet = 3e-5 * np.random.default_rng(0).standard_normal(2 * RATE).astype(np.float32)
    random = np.random.default_rng(5)

    def said(sound: np.ndarray[Any, np.dtype[np.float32]]) -> str | None:
        recorder = TakeRecorder(head, RATE, 1, 2.0)
        recorder.push(sound[:, None].astype(np.float32))
        assert recorder.take is not None
        return recorder.take.problem

    t = np.arange(2 * RATE) / RATE
    hum = np.sign(np.sin(2 * np.pi * 200 * t)) * (np.sin(2 * np.pi * 5 * t) > 0)
    assert "overdriven" in (said(np.concatenate([quiet, hum, quiet])) or "")
    noisy = 0.003 * random.standard_normal(5 * RATE)
    weak = 0.3 * rattle(6, 3, seconds=0.7)
    noisy[RATE : RATE + len(weak)] += weak
    assert "drowned" in (said(noisy) or "")


def test_an_accelerometer_that_was_moved_too_gently_to_stand_out_is_no_loose_one() -> None:
    """It feels how hard the hand shakes: neither quiet nor glue is missing."""
    head, random = load_shipped("accelerometer").heads[0], np.random.default_rng(3)
    still = np.tile(np.array([0.1, 0.2, 0.97], np.float32), (2400, 1))
    shaken = shaken_sensor(5, 1)
    said = []
    for moved, noise in ((0.07, 0.012), (1.0, 0.3)):
        sound = np.concatenate([still, still[0] + moved * (shaken - still[0]), still])
        recorder = TakeRecorder(head, 1600, 3, 2.0)
        recorder.push((sound + noise * random.standard_normal(sound.shape)).astype(np.float32))
        assert recorder.take is not None
        said.append(recorder.take.problem)
    assert said == ["too gentle: the beads hardly lift", ACCELEROMETER.drowned]


def test_a_take_that_a_fit_calls_overdriven_is_not_kept() -> None:
    """The quiet that is kept beside a shake makes it no longer, however little of it is clipped."""
    shake, head = rattle(6, 3), load_shipped("contact").heads[0]
    quiet = 3e-5 * np.random.default_rng(0).standard_normal(RATE).astype(np.float32)
    said = []
    for part in (1.15, 0.6):  # of the samples that make two seconds clipped
        cut_off = round(part * SHARE["microphone"] * 2.0 * RATE)
        loud = np.clip(shake / np.sort(np.abs(shake))[-cut_off], -1, 1)
        recorder = TakeRecorder(head, RATE, 1, 2.0)
        recorder.push(np.concatenate([quiet, loud, quiet])[:, None])
        assert recorder.take is not None
        said.append(recorder.take.problem)
    assert said == ["overdriven: shake more gently, or turn the gain down", None]


def test_an_accelerometer_that_is_overdriven_is_set_to_a_wider_range() -> None:
    still = np.tile(np.array([0.1, 0.2, 0.97], np.float32), (1600, 1))
    recorder = TakeRecorder(load_shipped("accelerometer").heads[0], 1600, 3, 2.0)
    recorder.push(np.clip(np.concatenate([still, 4 * shaken_sensor(5, 1), still]), -2, 2))
    assert recorder.take is not None
    assert recorder.take.problem == (
        "overdriven: shake more gently, or set the accelerometer to a wider range (more ±g)"
    )


def test_the_meter_of_an_accelerometer_tells_of_shaking_and_not_of_gravity() -> None:
    """One g stood at the bar's end whatever the hand did."""
    still = np.array([0.1, 0.2, 0.97]) + 0.003 * np.random.default_rng(0).standard_normal((1600, 3))
    recorder = TakeRecorder(load_shipped("accelerometer").heads[0], 1600, 3, 2.0)
    assert recorder.push(still.astype(np.float32)).level_db < -30.0
    assert recorder.push(shaken_sensor(5, 1)[:1600]).level_db > -6.0


@pytest.mark.parametrize(("second", "kept"), [(-1.0, 1.0), (1.0, 1.0), (0.0, 0.5)])
def test_two_channels_of_one_microphone_are_one_in_the_file(second: float, kept: float) -> None:
    """As a listening ear has them: a balanced microphone's second channel is the first upside down."""
    quiet = 3e-5 * np.random.default_rng(0).standard_normal(RATE).astype(np.float32)
    one = np.concatenate([quiet, rattle(6, 3), quiet])
    recorder = TakeRecorder(load_shipped("contact").heads[0], RATE, 2, 2.0)
    recorder.push(np.stack([one, second * one], axis=1))
    take = recorder.take
    assert take is not None
    assert take.problem is None
    assert take.samples.shape[1] == 1
    begin = int(np.flatnonzero(kept * one == take.samples[0, 0])[0])
    assert np.array_equal(take.samples[:, 0], kept * one[begin : begin + len(take.samples)])
