"""A simulated microphone: how loud it is by itself, how it evens out, and what is too much for it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.signal import sosfreqz

from hw_mock.igloo import microphone, noises
from hw_mock.igloo.constants import SOUND_RATE
from hw_mock.igloo.device import Device, Igloo
from hw_mock.igloo.hand import RATE as MOTION_RATE
from hw_mock.igloo.hand import Motion
from hw_mock.igloo.microphone import PASCAL
from hw_mock.igloo.played import Grip, Played
from hw_mock.igloo.room import Room
from hw_mock.igloo.shake import record_air
from hw_mock.igloo.traces import traces

FLAT = np.array([[1.0, 0.0, 0.0, 1.0, 0.0, 0.0]])


def test_a_peak_is_as_high_as_it_says_and_leaves_the_rest() -> None:
    sections = microphone.peak(3000.0, 7.0, 2.0)
    _, gain = sosfreqz(sections, [30.0, 3000.0, 23000.0], fs=SOUND_RATE)
    assert 20 * np.log10(np.abs(gain)) == pytest.approx([0.0, 7.0, 0.0], abs=0.1)


def test_silence_is_as_loud_as_the_microphone_by_itself() -> None:
    heard = microphone.hear(np.zeros(20000), FLAT, np.random.default_rng(1), 30.0)
    assert 20 * math.log10(np.std(heard) / PASCAL) == pytest.approx(30.0, abs=0.3)


def test_automatic_gain_takes_away_what_it_says_of_a_change_of_level() -> None:
    """Steady noise, then 20 dB louder: told apart by half of that, and it is slower to come back than to give way."""
    noise = np.random.default_rng(1).normal(size=6 * SOUND_RATE)
    loud = np.where((np.arange(len(noise)) // SOUND_RATE) % 4 >= 2, 10.0, 1.0)  # from 2 to 4 s
    out = microphone.automatic_gain(noise * loud, 0.5, 0.3)

    def level(start_s: float, end_s: float) -> float:
        return 20 * math.log10(np.std(out[round(start_s * SOUND_RATE) : round(end_s * SOUND_RATE)]))

    assert level(3.0, 4.0) - level(1.0, 2.0) == pytest.approx(10.0, abs=1.5)
    assert level(2.05, 2.1) == pytest.approx(level(3.0, 4.0), abs=1.5)
    assert level(4.05, 4.1) < level(5.5, 6.0) - 5.0


def test_what_is_stored_is_within_its_range_and_its_level_tells_nothing() -> None:
    sound = np.random.default_rng(1).normal(size=400) * np.hanning(400)
    peaks = []
    for seed in range(600):
        took = microphone.record(sound * 10.0 ** (seed % 5), FLAT, np.random.default_rng(seed), 20.0)
        peaks.append(float(np.abs(took).max()))
    assert max(peaks) == 1.0
    assert 0.01 < np.mean(np.array(peaks) == 1.0) < 0.08  # one in twenty is overdriven
    assert min(peaks) > 10 ** (-21 / 20)


def test_a_room_is_as_loud_as_it_says_where_nobody_shakes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(microphone, "record", lambda sound, *_: np.asarray(sound, np.float32))
    device, samples = Device.draw(3), SOUND_RATE
    n = round(MOTION_RATE) + 1
    still = np.tile([0.0, 0.0, -9.81], (n, 1))
    motion = Motion(still, 0 * still, 0 * still, np.zeros(0), (0.0, 0.0, 1.0), 0.0, 1.0)
    played = Played(
        device,
        Igloo.of(device, 2),
        motion,
        Grip(5e3, 1.0, 0.05),
        traces(samples),
        np.zeros((4, samples), np.float32),
    )
    levels = []
    for background_db in (30.0, 50.0):
        room = replace(Room.draw(2), background_db=background_db)
        quiet = [record_air(played, room, 1, np.random.default_rng(k)).astype(float) for k in range(8)]
        levels.append(float(np.mean([20 * math.log10(np.std(q) / PASCAL) for q in quiet])))
    assert levels == pytest.approx([30.0, 50.0], abs=4.0)
    assert levels[1] - levels[0] == pytest.approx(20.0, abs=0.5)


def test_a_background_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no background 'babbel'; did you mean babble\?"):
        noises.background("babbel", np.random.default_rng(1), 100)
