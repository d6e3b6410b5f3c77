"""Weights into counts: on sets whose shells differ by more than a bead weighs."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensors.gesture.apart import closest
from sensors.gesture.apart import expected as expected_of
from sensors.gesture.day import Day, sideways_gains
from sensors.gesture.model import Noise, Weighing, fit_set
from sensors.gesture.unknown_set import alone, sort_set
from sensors.gesture.ways import Lines
from sensors.gesture.weigh import Weight
from tests.sensors.gesture.weights import COUNTS, PLATFORM, SEAT, weighed


def a_set(bead: float, seed: int) -> dict[int, Weighing]:
    r = np.random.default_rng(seed)
    return {n: weighed(n, bead, 0.012 * (1 + 0.015 * r.normal()), r) for n in COUNTS}


@given(st.integers(0, 10_000), st.floats(1.5e-4, 9e-4))
@settings(max_examples=30, deadline=None)
def test_a_set_that_nobody_labelled_sorts_itself(seed: int, bead: float) -> None:
    weights = a_set(bead, seed)
    found = sort_set({str(n): w for n, w in weights.items()}, COUNTS)
    assert sum(found.best[str(n)] == n for n in COUNTS) >= 10
    assert found.kappa == pytest.approx(PLATFORM / SEAT, rel=0.05)
    for p in found.probabilities.values():
        assert sum(p.values()) == pytest.approx(1.0, abs=1e-6)


def without(missing: tuple[int, ...], seed: int) -> dict[str, Weighing]:
    return {str(n): w for n, w in a_set(5e-4, seed).items() if n not in missing}


@pytest.mark.parametrize("missing", [(7,), (6, 7), (4, 9), (3, 12), (5, 8, 11)])
def test_igloos_that_are_missing_between_others_leave_gaps(missing: tuple[int, ...]) -> None:
    for seed in range(4):
        found = sort_set(without(missing, seed), COUNTS)
        assert all(found.best[name] == int(name) for name in found.best)
        assert np.mean([max(p.values()) for p in found.probabilities.values()]) > 0.75


@pytest.mark.parametrize("missing", [(12, 13), (2, 3), (2, 13)])
def test_igloos_that_are_missing_at_the_ends_leave_doubt(missing: tuple[int, ...]) -> None:
    """Each count one more, and κ three hundredths less: nobody could tell."""
    for seed in range(4):
        for name, p in sort_set(without(missing, seed), COUNTS).probabilities.items():
            assert p[int(name)] > 0.05
            assert max(p.values()) < 0.95


def test_of_what_a_set_is_nearly_certain_it_is_nearly_always_right() -> None:
    certain, right = 0, 0
    for seed in range(60):
        dice = np.random.default_rng(1000 + seed)
        weights = a_set(float(dice.uniform(1.5e-4, 9e-4)), seed)
        missing = dice.choice(COUNTS, dice.integers(0, 5), replace=False)
        found = sort_set({str(n): w for n, w in weights.items() if n not in missing}, COUNTS)
        for name, p in found.probabilities.items():
            if p[found.best[name]] >= 0.95:
                certain += 1
                right += found.best[name] == int(name)
    assert certain > 150
    assert right / certain >= 0.95


@pytest.mark.parametrize(
    ("held", "wander"),
    [
        ((2, 4, 5, 7), 0.9),
        ((2, 4.4, 4.6, 7), 0.28),  # two of neighbouring counts whose beads lean: either may hold the more
    ],
)
def test_all_ways_of_giving_counts_are_believed_as_far_as_they_fit(
    held: tuple[float, ...], wander: float
) -> None:
    """Beside the plain sum over each and every one."""
    r, counts = np.random.default_rng(5), (2, 3, 4, 5, 6, 7)
    weights = {str(n): weighed(n, 2e-4, 0.012, r, Noise(wander=wander)) for n in held}
    every = np.array(list(permutations(counts, len(weights))), float)
    ways = Lines(list(weights.values())).fit(every)
    p = np.exp(ways.log - ways.log.max())
    found = sort_set(weights, counts).probabilities
    for igloo, name in enumerate(weights):
        for n in counts:
            told = p[every[:, igloo] == n].sum() / p.sum()
            assert found[name][n] == pytest.approx(told, abs=2e-3)


def test_a_set_of_more_counts_than_two_to_thirteen_has_probabilities_too() -> None:
    r = np.random.default_rng(3)
    weights = {str(n): weighed(n, 5e-4, 0.012, r) for n in range(1, 21)}
    found = sort_set(weights, range(1, 21))
    assert sum(found.best[str(n)] == n for n in range(1, 21)) >= 18
    assert all(sum(p.values()) == pytest.approx(1.0, abs=1e-6) for p in found.probabilities.values())
    with pytest.raises(ValueError, match="too many of 30 counts are missing where only 20 igloos are"):
        sort_set(weights, range(1, 31))


def test_two_igloos_of_one_weight_are_told_apart_by_what_is_loose() -> None:
    r, bead = np.random.default_rng(1), 2.5e-4
    total = 0.012 + 9 * bead
    labelled = {n: weighed(n, bead, total - n * bead, r) for n in COUNTS}  # all twelve weigh the same
    model = fit_set(list(labelled.values()), list(COUNTS), COUNTS, Noise())
    right = 0
    for n in COUNTS:
        p = Day.unknown(model).probabilities(weighed(n, bead, total - n * bead, r))
        assert p.sum() == pytest.approx(1.0)
        right += COUNTS[int(np.argmax(p))] == n
    assert right >= 10


def test_counts_that_were_not_weighed_lie_on_the_line_of_the_others() -> None:
    weights = a_set(5e-4, 3)
    some = [3, 6, 9, 12]
    model = fit_set([weights[n] for n in some], some, COUNTS, Noise())
    assert model.weighed == (0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0)
    near = [abs(COUNTS[int(np.argmax(Day.unknown(model).probabilities(weights[n])))] - n) for n in COUNTS]
    assert max(near) <= 1
    with pytest.raises(ValueError, match="two counts at least have to be weighed"):
        fit_set([weights[3]] * 2, [3, 3], COUNTS, Noise())


def test_whoever_weighs_a_set_again_knows_each_igloo_better() -> None:
    weights = list(a_set(2e-4, 3).values())
    once = fit_set(weights, COUNTS, COUNTS, Noise())
    four_times = fit_set(weights * 4, COUNTS * 4, COUNTS, Noise())
    for before, after in zip(once.deviations(weights[5]), four_times.deviations(weights[5]), strict=True):
        assert np.all(after < before)


def test_the_blow_of_setting_down_is_outvoted_by_the_taps() -> None:
    def at(up: float) -> Weight:
        return Weight(0.0, up, 1.1, (0.3, 0.2), (90.0, 80.0))

    got = Weighing.of([at(0.31), at(0.4001), at(0.4002)])
    assert got.upright == pytest.approx(0.40015)
    assert got.taps == 2
    with pytest.raises(ValueError, match="no tap"):
        Weighing.of([])


def test_a_tap_whose_beads_knock_on_the_wall_says_less_of_what_is_loose() -> None:
    """The sideways tone dies early then."""
    calm = Weight(0.0, 0.4, 1.10, (0.3, 0.2), (80.0, 80.0))
    knocking = Weight(1.0, 0.4, 1.12, (0.3, 0.2), (20.0, 80.0))
    got = Weighing.of([calm, knocking])
    assert got.sideways == pytest.approx(1.10, abs=3e-3)
    assert 1.0 < got.loose_taps < 1.1


def test_one_igloo_of_an_unknown_set_is_told_with_little_certainty() -> None:
    p = alone(weighed(6, 3e-4, 0.012, np.random.default_rng(2)), COUNTS)
    assert sum(p.values()) == pytest.approx(1.0)
    assert max(p.values()) < 0.4
    with pytest.raises(ValueError, match="cannot be sorted"):
        sort_set({"A": weighed(6, 3e-4, 0.012, np.random.default_rng(2))}, COUNTS)


def one_with_twins(seed: int) -> dict[int, Weighing]:
    """A set whose igloos weigh nearly alike in pairs, and so heavy that the day's doubt is more than the placing's."""
    r = np.random.default_rng(seed)
    return {n: weighed(n, 2e-4, 0.018 + n // 2 * 1e-3 - n % 2 * 1.9e-4, r) for n in COUNTS}


@pytest.mark.parametrize(
    ("bead", "alike"),
    [
        (1e-4, False),  # heavy igloos of small beads: by what placings scatter alone .99 would be promised
        (1.5e-4, True),  # all weigh the same, and only what is loose tells them apart
    ],
)
def test_a_set_expects_what_it_is_told_with_first_on_other_days(bead: float, alike: bool) -> None:
    expected, right = [], []
    gains, likely = sideways_gains()
    for seed in range(8):
        r = np.random.default_rng(seed)
        shells = {n: 0.02 - n * bead if alike else 0.06 * (1 + 0.015 * r.normal()) for n in COUNTS}
        model = fit_set([weighed(n, bead, shells[n], r) for n in COUNTS], COUNTS, COUNTS, Noise())
        expected.append(expected_of(model))
        # days, of which each makes all igloos heavier or lighter upright, and all more or less sideways
        for _ in range(30):
            day, feet = 1 + Noise().gain * r.normal(), 1 + r.choice(gains, p=likely)
            for n in COUNTS:
                w = weighed(n, bead, shells[n], r)
                today = Weighing(w.upright * day, w.sideways * feet, 3, 1e-4, 3)
                right.append(COUNTS[int(np.argmax(Day.unknown(model).probabilities(today)))] == n)
    assert np.mean(right) < 0.9
    # a little less, for it reckons with igloos that go astray
    assert np.mean(right) - 0.05 < np.mean(expected) < np.mean(right) + 0.02


def test_the_closest_pair_is_of_igloos_that_were_weighed_and_as_far_apart_as_a_day_leaves_them() -> None:
    weights = one_with_twins(1)
    some = [n for n in COUNTS if n != 7]
    model = fit_set([weights[n] for n in some], some, COUNTS, Noise())
    low, high, far = closest(model)
    assert 7 not in (low, high)
    assert (low % 2, high) == (0, low + 1)
    steady = fit_set([weights[n] for n in some], some, COUNTS, Noise(gain=0.0))
    assert far < closest(steady)[2]
