"""A set that was weighed on several days, on feet of another stiffness each."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sensors.gesture.day import Day
from sensors.gesture.model import KAPPA, Noise, Weighing, fit_set
from sensors.gesture.one_day import on_one_day
from tests.sensors.gesture.weights import COUNTS, day_of, shells_of

FEET = 0.01  # relative, of the second day's sideways load: more than two beads of what is loose
FIRST, SECOND = tuple(range(2, 11)), tuple(range(8, 14))


def two_days(seed: int) -> tuple[dict[int, float], list[tuple[int, Weighing]], list[str]]:
    """Shells, weighings with their counts, and the sessions: most of the set on one day, the rest on another."""
    shells = shells_of(seed)
    one = [(n, w) for n, w in day_of(10 + seed, shells, 0.0, 0.0) if n in FIRST]
    other = [(n, w) for n, w in day_of(50 + seed, shells, 3e-4, FEET) if n in SECOND]
    return shells, one + other, ["a"] * len(one) + ["b"] * len(other)


def test_days_of_other_feet_do_not_bend_the_set() -> None:
    right = {True: list[bool](), False: list[bool]()}
    for seed in range(8):
        shells, weighed, sessions = two_days(seed)
        beads, weighings = [n for n, _ in weighed], [w for _, w in weighed]
        for aligned in right:
            used = on_one_day(weighings, beads, sessions, Noise()) if aligned else weighings
            model = fit_set(used, beads, COUNTS, Noise())
            day = Day.unknown(model)
            for n, w in day_of(90 + seed, shells, 0.0, 0.0):
                right[aligned].append(COUNTS[int(np.argmax(day.probabilities(w)))] == n)
                day = day.learned(w)
    assert np.mean(right[True]) > 0.98
    assert np.mean(right[False]) < 0.96


def test_days_as_the_first_are_hardly_moved() -> None:
    shells = shells_of(3)
    weighed = [*day_of(1, shells, 0.0, 0.0), *day_of(2, shells, 0.0, 0.0)]
    beads, weighings = [n for n, _ in weighed], [w for _, w in weighed]
    moved = on_one_day(weighings, beads, ["a"] * 12 + ["b"] * 12, Noise())
    assert moved[:12] == weighings[:12]
    for before, after in zip(weighings, moved, strict=True):
        assert after.upright == pytest.approx(before.upright, rel=6e-4)
        assert after.sideways == pytest.approx(before.sideways, rel=2e-3)


def test_a_single_igloo_that_was_weighed_on_both_days_puts_the_others_of_its_day_on_the_first() -> None:
    """With all its placings: how far these scatter is asked of them."""
    shells = shells_of(5)
    first = [(n, w) for n, w in day_of(1, shells, 0.0, 0.0) if n in FIRST]
    later = [(n, placed_thrice(w)) for n, w in day_of(2, shells, 0.0, 2 * FEET) if n in (8, 12, 13)]
    weighed = first + later
    moved = on_one_day(
        [w for _, w in weighed], [n for n, _ in weighed], ["a"] * len(first) + ["b"] * len(later), Noise()
    )
    as_it_was = {n: placed_thrice(w) for n, w in day_of(2, shells, 0.0, 0.0)}
    for (n, before), after in zip(later, moved[len(first) :], strict=True):
        right = as_it_was[n]
        assert before.sideways != pytest.approx(right.sideways, rel=7e-3)
        assert after.sideways == pytest.approx(right.sideways, rel=7e-3)
        assert after.scatter(KAPPA) == pytest.approx(right.scatter(KAPPA), rel=0.1)


def placed_thrice(w: Weighing) -> Weighing:
    """What is loose scatters by a bead among the placings."""
    placed = np.array([[w.upright, w.sideways + off] for off in (-4e-3, 0.0, 4e-3)])
    return replace(w, placed=placed)


@pytest.mark.parametrize("counts", [(2, 3), (2,), ()])
def test_what_shares_no_igloo_with_the_others_stays_as_it_is(counts: tuple[int, ...]) -> None:
    shells = shells_of(4)
    one = [(n, w) for n, w in day_of(1, shells, 0.0, 0.0) if n in counts]
    other = [(n, w) for n, w in day_of(2, shells, 0.0, FEET) if n == 13]
    weighings = [w for _, w in (*one, *other)]
    beads, sessions = [n for n, _ in (*one, *other)], ["a"] * len(one) + ["b"]
    assert on_one_day(weighings, beads, sessions, Noise()) == weighings
