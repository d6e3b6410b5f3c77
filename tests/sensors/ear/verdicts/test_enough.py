"""How sure an accelerometer's profile is: the network that it reads has a say of its own."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from sensors.ear.models.reading import AFTER_SWEEP, Reading
from sensors.ear.profiles.profile import Head
from sensors.ear.shakes.shake import Shake
from sensors.ear.verdicts.enough import enough

ODDS = {2: 0.97, 3: 0.03}
READING = Reading(np.array([0]), np.zeros((1, 3)), np.zeros(3), 0.5)


def head_that_reads(of_two: float, hand: bool = True, weight: float = 0.5) -> Head:
    """Its network gives two beads this probability, and three the rest."""
    reading = replace(READING, intercepts=np.log([1e-9, of_two, 1 - of_two]), weight=weight)
    model = SimpleNamespace(names=("net.0",), counts=(2, 3), reading=reading)
    return cast("Head", SimpleNamespace(front=SimpleNamespace(hand=hand), model=model))


def shake_of() -> Shake:
    shown = SimpleNamespace(pick=lambda names: np.zeros(len(names)))
    return cast("Shake", SimpleNamespace(through=lambda front: shown))


def test_what_the_network_doubts_is_less_sure() -> None:
    sure, doubted = (enough([head_that_reads(p)], shake_of(), ODDS) for p in (0.99, 0.6))
    assert sure == pytest.approx((0.97 * 0.99**2) ** (1 / 3))
    assert doubted == pytest.approx((0.97 * 0.6**2) ** (1 / 3))


def test_two_views_are_asked_alike() -> None:
    both = [head_that_reads(0.99), head_that_reads(0.6)]
    assert enough(both, shake_of(), ODDS) == pytest.approx((0.97 * 0.99 * 0.6) ** (1 / 3))


@pytest.mark.parametrize("head", [head_that_reads(0.6, hand=False), head_that_reads(0.6, weight=AFTER_SWEEP)])
def test_where_no_hand_is_felt_or_a_sweep_is_known_the_odds_decide(head: Head) -> None:
    assert enough([head], shake_of(), ODDS) == 0.97
