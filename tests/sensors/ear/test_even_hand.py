"""A shake without rise and fall: many beads in an even hand were taken for a noise that had begun."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.recordings.recorder import TakeRecorder
from sensors.ear.listener import Listener
from sensors.ear.profiles.profile import load_shipped
from sensors.evidence import Heard
from tests.even_hand import even_hand
from tests.rattle import RATE, Sound


def in_a_room(sound: Sound) -> Sound:
    """A second of the room on either side."""
    quiet = 3e-4 * np.random.default_rng(0).standard_normal(len(sound) + 2 * RATE)
    quiet[RATE:-RATE] += sound
    return quiet.astype(np.float32)


def told(sound: Sound, profile: str = "microphone", rate: float = RATE) -> list[Heard]:
    samples = sound if sound.ndim == 2 else sound[:, None]
    ear = Listener(load_shipped(profile), rate, samples.shape[1], "test")
    return [one for one in (*ear.push(samples), *ear.finish()) if isinstance(one, Heard)]


def felt(seconds: float, hand_g: float) -> Sound:
    """A shell at 1600 Hz that many beads strike without a pause, while the hand moves it four times a second."""
    t = np.arange(round(seconds * 1600)) / 1600
    shell = 3.0 * np.random.default_rng(3).standard_normal((len(t), 3))
    shell += (0, 0, 1)
    shell[:, 0] += hand_g * np.sin(2 * np.pi * 4 * t)
    return shell.astype(np.float32)


def lying(seconds: float) -> Sound:
    still = 0.003 * np.random.default_rng(4).standard_normal((round(seconds * 1600), 3))
    return (np.array((0, 0, 1)) + still).astype(np.float32)


@pytest.mark.parametrize(("profile", "onset"), [("microphone", 1.0), ("microphone", 3.0), ("contact", 1.0)])
def test_it_is_one_shake_far_above_its_room(profile: str, onset: float) -> None:
    (one,) = told(in_a_room(even_hand(3.0, onset)), profile)
    assert one.verdict == "unsure"
    assert one.start_s == pytest.approx(1.0, abs=0.1)
    assert one.end_s == pytest.approx(4.0, abs=0.1)
    assert one.snr_db > 30


def test_a_long_one_too() -> None:
    (one,) = told(in_a_room(even_hand(9.0)))
    assert one.end_s - one.start_s == pytest.approx(9.0, abs=0.2)


def test_a_noise_that_begins_is_the_room_as_before() -> None:
    noise = 0.05 * np.random.default_rng(2).standard_normal(8 * RATE)
    noise[4 * RATE : 6 * RATE] += 8 * even_hand(2.0)
    (one,) = told(in_a_room(noise.astype(np.float32)))
    assert one.start_s == pytest.approx(5.0, abs=0.1)
    assert one.end_s == pytest.approx(7.0, abs=0.1)


def test_the_wizard_records_it_whole() -> None:
    recorder = TakeRecorder(load_shipped("microphone").heads[0], RATE, 1, 2.0)
    recorder.push(in_a_room(even_hand(3.0, 3.0))[:, None])
    assert recorder.take is not None
    assert recorder.take.shake is not None
    assert recorder.take.shake.seconds == pytest.approx(3.0, abs=0.2)


@pytest.mark.parametrize("seconds", [2.5, 5.0])
def test_a_hand_that_is_felt_tells_a_steady_shake_from_a_machine(seconds: float) -> None:
    """Such shakes of an accelerometer's igloo had no line at all."""
    (one,) = told(np.concatenate([lying(1), felt(seconds, 2.0), lying(1)]), "accelerometer", 1600)
    assert one.verdict != "not-a-shake"
    assert (one.start_s, one.end_s) == pytest.approx((1.0, 1.0 + seconds), abs=0.2)
    assert not told(np.concatenate([lying(1), felt(seconds, 0.0), lying(1)]), "accelerometer", 1600)


def test_a_recording_may_begin_and_end_in_the_midst_of_it() -> None:
    (heard,) = told(even_hand(1.6))
    (shaken,) = told(felt(1.6, 2.0), "accelerometer", 1600)
    for one in (heard, shaken):
        assert one.verdict != "not-a-shake"
        assert (one.start_s, one.end_s) == pytest.approx((0.0, 1.6), abs=0.1)


def test_a_recording_that_ends_in_a_noise_that_began_has_no_shake() -> None:
    """A tap was turned on, or the gain up."""
    noise = 0.03 * np.random.default_rng(7).standard_normal(round(1.4 * RATE))
    assert not told(
        np.concatenate([3e-4 * np.random.default_rng(8).standard_normal(RATE), noise]).astype(np.float32)
    )
