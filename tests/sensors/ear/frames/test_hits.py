"""What is as steady as a noise: hits of many beads, or noise."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.signal import fftconvolve, resample_poly

from hw_mock.igloo import noises
from sensors.ear.frames.frontend import FRONT_ENDS, Array, Envelopes, FrontEnd
from sensors.ear.frames.hits import are_hits
from tests.even_hand import even_hand
from tests.rattle import RATE

ROOM, SHELL, SLOW = FRONT_ENDS[:3]
BUZZ_HZ = (50, 60, 100, 120)


def frames(
    front: FrontEnd, sound: np.ndarray[tuple[int], np.dtype[np.floating]], rate: float = RATE
) -> Array:
    return Envelopes(front, rate, 1).push(sound.astype(np.float32)[:, None]).energy[200:]


@pytest.mark.parametrize("front", [ROOM, SHELL])
@pytest.mark.parametrize("seconds", [0.9, 2.0])
def test_beads_in_an_even_hand_are_hits(front: FrontEnd, seconds: float) -> None:
    for seed in range(5):
        assert are_hits(front, frames(front, even_hand(seconds, seed=seed)))


@pytest.mark.parametrize("late_s", [0.012, 0.02])
def test_beads_whose_hits_come_back_from_bare_walls_are_hits_too(late_s: float) -> None:
    """Each comes three times, which repeats as mains do, but not for as long."""
    for seed in range(3):
        sound = even_hand(2.0, seed=seed)
        walls = np.zeros(3 * round(late_s * RATE))
        walls[:: round(late_s * RATE)] = 1.0, 0.9, 0.8
        assert are_hits(ROOM, frames(ROOM, fftconvolve(sound, walls)[: len(sound)]))


@pytest.mark.parametrize("front", [ROOM, SHELL])
@pytest.mark.parametrize("kind", ["fan", "pink", "hum"])
def test_background_is_not(front: FrontEnd, kind: str) -> None:
    for seed in range(5):
        made = getattr(noises, kind)(np.random.default_rng(seed), 2 * 48000)
        assert not are_hits(front, frames(front, made, 48000))


@pytest.mark.parametrize("front", [ROOM, SHELL])
@pytest.mark.parametrize("hz", BUZZ_HZ)
def test_mains_that_buzz_are_not(front: FrontEnd, hz: int) -> None:
    random = np.random.default_rng(hz)
    pulse = np.exp(-np.arange(400) / 40) * random.standard_normal(400)
    for long in (RATE, 2 * RATE):
        pulses = (np.arange(long) % round(RATE / hz) == 0).astype(float)
        assert not are_hits(front, frames(front, fftconvolve(pulses, pulse)[:long]))


@pytest.mark.parametrize("hz", [12, 37, 80, 150])
def test_a_machine_whose_blades_beat_is_not(hz: int) -> None:
    t = np.arange(2 * RATE) / RATE
    for depth in (0.5, 0.8):
        beats = np.random.default_rng(hz).standard_normal(len(t)) * (1 + depth * np.sin(2 * np.pi * hz * t))
        assert not are_hits(ROOM, frames(ROOM, beats))


def test_where_nothing_can_be_told_it_is_not() -> None:
    sound = even_hand(2.0)
    assert not are_hits(ROOM, frames(ROOM, sound)[:500])  # too short
    assert not are_hits(ROOM, np.zeros((2000, len(ROOM.bands)), np.float32))
    assert not are_hits(SLOW, frames(SLOW, resample_poly(sound, 160, 441), 16000))  # its bands are narrow
    felt = FRONT_ENDS[3]
    assert not are_hits(felt, np.ones((2000, len(felt.bands)), np.float32))
