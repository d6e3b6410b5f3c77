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


def told(sound: Sound, profile: str = "microphone") -> list[Heard]:
    ear = Listener(load_shipped(profile), RATE, 1, "test")
    return [one for one in (*ear.push(sound[:, None]), *ear.finish()) if isinstance(one, Heard)]


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
