"""A day on which all weighs otherwise than when the set was weighed: what igloos tell of it, whatever they hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensors.gesture.collect import collect
from sensors.gesture.day import Day, sideways_gains
from sensors.gesture.judge import FOREIGN, judge, learned
from sensors.gesture.model import Noise, SetModel, Weighing, fit_set
from tests.sensors.gesture.seat_table import RATE, Table, fitted
from tests.sensors.gesture.weights import weighed

COUNTS = tuple(range(2, 14))
BEAD = 8.4e-5  # of 4 mm, in shells of some 13 g: a hundredth more sideways is more than two beads of what is loose


def a_set(seed: int) -> tuple[SetModel, dict[int, float]]:
    """As its owner weighed it, and its shells."""
    r = np.random.default_rng(seed)
    shells = {n: 0.013 * (1 + 0.008 * r.normal()) for n in COUNTS}
    owner = [weighed(n, BEAD, shells[n], r) for n in COUNTS]
    return fit_set(owner, COUNTS, COUNTS, Noise()), shells


def a_day(seed: int, shells: dict[int, float], more: float, sideways: float) -> list[tuple[int, Weighing]]:
    """All igloos in random order, everything `more` heavier, and `sideways` more sideways."""
    r = np.random.default_rng(seed)
    out = []
    for n in r.permutation(COUNTS):
        w = weighed(int(n), BEAD, shells[int(n)], r)
        side = w.sideways * (1 + more) * (1 + sideways)
        out.append((int(n), replace(w, upright=w.upright * (1 + more), sideways=side)))
    return out


@pytest.mark.parametrize("sideways", [-0.012, 0.006, 0.02])
def test_a_base_on_other_feet_is_learned_from_igloos_that_nobody_names(sideways: float) -> None:
    blind, late, sure, wrong = [], [], 0, 0
    for seed in range(10):
        model, shells = a_set(seed)
        day = Day.unknown(model)
        for k, (n, w) in enumerate(a_day(100 + seed, shells, 4e-4, sideways)):
            steady = replace(model, noise=replace(model.noise, gain=1e-9))
            loose = steady.means[:, 1] - (w.upright - model.kappa * w.sideways)
            blind.append(COUNTS[int(np.argmin(np.abs(loose)))] == n)
            p = day.probabilities(w)
            best = COUNTS[int(np.argmax(p))]
            late += [best == n] if k >= 3 else []
            sure += p.max() > 0.85
            wrong += p.max() > 0.85 and best != n
            day = day.learned(w)
        assert day.sideways[0] == pytest.approx(sideways, abs=0.003)
        assert day.heavier[0] == pytest.approx(4e-4, abs=6e-4)
    assert np.mean(blind) < 0.3  # what is loose, as if the feet were those of the day of weighing
    assert np.mean(late) > 0.9
    assert wrong < 0.05 * sure


def test_who_does_not_know_the_day_is_less_sure_than_who_learned_it() -> None:
    model, shells = a_set(3)
    day, certain = Day.unknown(model), []
    for _, w in a_day(5, shells, 0.0, 0.0):
        certain.append((Day.unknown(model).probabilities(w).max(), day.probabilities(w).max()))
        day = day.learned(w)
    before, after = np.mean(certain[3:], axis=0)
    assert after > before
    assert day.sideways[1] < 0.4 * Day.unknown(model).sideways[1]


@given(st.floats(0.05, 3.0), st.floats(0.05, 5.0), st.integers(1, 9))
@settings(max_examples=40, deadline=None)
def test_whatever_was_weighed_shares_and_probabilities_sum_to_one(
    upright: float, sideways: float, taps: int
) -> None:
    model, _ = a_set(1)
    day, w = Day.unknown(model), Weighing(upright, sideways, taps, 1e-4, taps)
    for _ in range(3):
        p, z = day.probabilities(w), day.surprises(w)
        assert p.sum() == pytest.approx(1.0)
        assert np.all(p > 0)
        assert np.all(np.isfinite(z))
        assert np.all(z >= 0)
        day = day.learned(w)
        assert day.share.sum() == pytest.approx(1.0)
        assert np.all(day.share > 0)


def test_what_is_no_igloo_of_the_set_teaches_nothing() -> None:
    profile = fitted()
    known = profile.sets["set"]
    day = Day.unknown(known.model)
    (right,) = collect("accelerometer", RATE, Table(5).quiet(0.3).tap().tap().placed(7, 7, 7).take())
    (other,) = collect(
        "accelerometer", RATE, Table(5, shell=0.0153).quiet(0.3).tap().tap().placed(7, 7, 7).take()
    )
    said = judge(other, profile, "seat", None, day)
    assert said.reason == FOREIGN
    assert learned(day, other, said) is day
    after = learned(day, right, judge(right, profile, "seat", None, day))
    assert after.sideways[1] < day.sideways[1]


def test_a_seat_that_was_moved_meanwhile_is_found_out() -> None:
    model, shells = a_set(2)
    day = Day.unknown(model)
    for sideways in (0.0, -0.015):
        for _, w in a_day(7, shells, 0.0, sideways):
            day = day.learned(w)
        assert day.sideways[0] == pytest.approx(sideways, abs=0.003)


def test_before_anything_was_tapped_feet_are_as_likely_stiffer_as_softer() -> None:
    at, share = sideways_gains()
    assert share.sum() == pytest.approx(1.0)
    assert share == pytest.approx(share[::-1])
    assert share[np.abs(at) < 0.01].sum() > 0.9
