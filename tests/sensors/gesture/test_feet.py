"""What other feet do to the empty seat's tones and to the loads, by the motion of ring and base themselves."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import scipy

from hw_mock.igloo.seat import Occasion, Seat
from sensors.gesture import feet
from sensors.gesture.model import Noise, SetModel
from sensors.gesture.weigh import Empty


def tones(seat: Seat, firmer: float, load: float) -> Empty:
    """Hz of ring and base on feet that are so much firmer, with so many kg on the ring."""
    springs, rock = seat.standing(replace(Occasion.draw(1), feet=firmer))
    (x, z, turn), (inertia, ring_high, feet_high, *_) = springs[:, 0], rock
    ring, below = np.array([-1.0, -ring_high, 1.0]), np.array([1.0, feet_high, 0.0])
    stiff = seat.stiffness[0] * np.outer(ring, ring) + x * np.outer(below, below) + np.diag([0, turn, 0])
    heavy = np.diag([seat.base, inertia, seat.platform + load])
    k = seat.stiffness[1]
    both = np.array([[k + z, -k], [-k, k]]), np.diag([seat.base, seat.platform + seat.carriage + load])
    side, up = (
        math.sqrt(scipy.linalg.eigh(a, b, eigvals_only=True)[-1]) / (2 * math.pi)
        for a, b in ((stiff, heavy), both)
    )
    return Empty(side, up)


def weighs(seat: Seat, firmer: float, load: float) -> float:
    """Sideways, in units of what the empty seat moves."""
    return (tones(seat, firmer, 0.0).sideways / tones(seat, firmer, load).sideways) ** 2 - 1


def of_load(load: float) -> SetModel:
    """A set whose igloos weigh so much sideways."""
    means = np.array([[0.8, 0.8 - 0.5 * load]])
    return SetModel((5,), 0.5, 0.01, means, np.full((1, 2), 1e-6), Noise(), (1,))


@pytest.mark.parametrize("load", [0.012, 0.018, 0.025])
@pytest.mark.parametrize("firmer", [0.88, 1.12])
@pytest.mark.parametrize("seed", range(700, 706))
def test_other_feet_move_tones_and_loads_in_one_ratio(seed: int, firmer: float, load: float) -> None:
    """Whatever the base, its feet and the spring are, as long as the base bobs far below the seat's tones."""
    seat = Seat.draw(seed)
    usual = weighs(seat, 1.0, load)
    more = feet.beside(tones(seat, firmer, 0.0), tones(seat, 1.0, 0.0))
    share = weighs(seat, firmer, load) / usual - 1
    assert (share < 0) == (firmer > 1)
    assert share == pytest.approx(feet.a_unit(of_load(usual)) * more, rel=0.08)


def test_what_warms_or_another_clock_tells_nothing_of_the_feet() -> None:
    assert feet.beside(Empty(58.0 * 1.004, 117.0 * 1.004), Empty(58.0, 117.0)) == pytest.approx(0.0)
    assert feet.beside(Empty(58.1, 117.0), Empty(58.0, 117.0)) > 0


def test_tones_far_from_what_feet_do_tell_little() -> None:
    """A disc whose tone was misread: any feet are about as likely as before."""
    model, at = of_load(1.0), np.linspace(-0.01, 0.01, 51)
    told = feet.likelihood(model, 0.0, at)
    assert told[25] == told.max()
    assert told[0] < 0.1 * told.max()
    astray = feet.likelihood(model, -4e-3, at)
    assert astray.min() > 0
    assert feet.likelihood(model, 2e-4, at)[::-1] == pytest.approx(feet.likelihood(model, -2e-4, at))
