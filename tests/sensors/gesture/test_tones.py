"""Which of the tones in a ring are the seat's: beside a blow's own, the mains' hum, noise, and beads that roll late."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from sensors.gesture.ringdown import Tone
from sensors.gesture.taps import Ring
from sensors.gesture.weigh import Empty, Pair, pair_of, weigh
from tests.sensors.gesture.seat_table import EMPTY, RATE

Floats = npt.NDArray[np.float64]
SIDE, UP = EMPTY
T = np.arange(round(0.55 * RATE)) / RATE


def damped(hz: float, quality: float, size: float) -> Floats:
    return np.asarray(size * np.exp(-np.pi * hz / quality * T) * np.sin(2 * np.pi * hz * T + 1.0))


def ring(sideways: Floats, upright: Floats, before: float = 0.003, seed: int = 0) -> Ring:
    """Sideways along x, upright along z, in noise as loud as the seat was before the blow."""
    noise = np.random.default_rng(seed).normal(0, before / 3**0.5, (len(T), 3))
    return Ring(0.0, noise + np.column_stack([sideways, 0 * T, upright + 1.0]), 0.3, before)


SEAT = damped(SIDE, 90.0, 0.2), damped(UP, 90.0, 0.2)


def assert_is_seats(pair: Pair) -> None:
    assert pair.fair
    assert pair.sideways is not None
    assert pair.upright is not None
    assert pair.sideways.hz == pytest.approx(SIDE, rel=2e-3)
    assert pair.upright.hz == pytest.approx(UP, rel=2e-3)
    assert pair.upright.size == pytest.approx(0.2, rel=0.1)


def test_a_loud_tone_that_dies_at_once_is_the_blows_and_a_faint_one_that_lasts_no_seats() -> None:
    side, up = SEAT
    assert_is_seats(pair_of(ring(side, up), RATE))
    for quality, size in ((12.0, 0.3), (6.0, 2.0)):
        blow = damped(46.0, quality, size), damped(84.0, quality, size)
        assert_is_seats(pair_of(ring(side + blow[0], up + blow[1]), RATE))
    assert_is_seats(pair_of(ring(side + damped(46.0, 300.0, 0.02), up + damped(90.0, 300.0, 0.02)), RATE))


def test_the_mains_hum_is_no_tone_of_the_seat() -> None:
    """A disc picks up 50 and 100 Hz, which lie where the seat sings, and do not die away."""
    side, up = SEAT
    hum = 0.4 * np.sin(2 * np.pi * 50 * T), 0.4 * np.sin(2 * np.pi * 100 * T)
    assert_is_seats(pair_of(ring(side + hum[0], up + hum[1]), RATE))


def test_what_noise_leaves_in_one_tone_is_none() -> None:
    """And what stands above that is one, so that a truck outside takes no tap away."""
    found = [pair_of(ring(0 * T, 0 * T, 0.05, seed), RATE) for seed in range(20)]
    assert sum(pair.sideways is not None or pair.upright is not None for pair in found) <= 2
    heard = [pair_of(ring(*SEAT, 0.08, seed), RATE) for seed in range(5)]
    assert all(pair.fair for pair in heard)


def test_the_sideways_tone_is_read_when_walls_have_let_go_of_the_beads() -> None:
    """Until 90 ms after the blow, 60 ms of what is read, they push them, and the seat carries more. Igloos differ by a
    few thousandths of their load."""
    late = T >= 0.06
    pushed, rolling = SIDE / 1.4**0.5, SIDE / 1.3**0.5
    turned = 2 * np.pi * np.cumsum(np.where(late, rolling, pushed)) / RATE
    pair = pair_of(ring(0.2 * np.exp(-2.0 * T) * np.sin(turned), SEAT[1]), RATE)
    assert pair.sideways is not None
    assert pair.sideways.hz == pytest.approx(rolling, rel=1.5e-4)


def test_tones_that_the_blow_drowns_weigh_nothing() -> None:
    def pair(sideways: float, upright: float) -> Pair:
        return Pair(0.0, 1.0, Tone(50.0, 2.0, sideways), Tone(100.0, 4.0, upright))

    assert pair(0.1, 0.1).fair
    assert not pair(0.1, 0.03).fair
    assert not pair(0.03, 0.1).fair
    assert not Pair(0.0, 1.0, Tone(50.0, 2.0, 0.1), None).fair


def test_the_empty_seat_is_known_by_both_of_its_tones() -> None:
    """The lightest igloo lowers the upright one by 8 %, and warmth both by a few thousandths."""
    empty = Empty(SIDE, UP)

    def sings(sideways: float, upright: float) -> Pair:
        return Pair(0.0, 0.3, Tone(sideways * SIDE, 2.0, 0.2), Tone(upright * UP, 4.0, 0.1))

    assert empty.is_(sings(0.99, 0.99))
    assert not empty.is_(sings(0.99, 0.92))
    assert not empty.is_(sings(0.85, 0.99))
    told = weigh(sings(0.85, 0.92), empty)
    assert told is not None
    assert told.sizes == (0.2, 0.1)  # sideways first, as `qualities`
    assert told.qualities == pytest.approx((np.pi * 0.85 * SIDE / 2, np.pi * 0.92 * UP / 4))
