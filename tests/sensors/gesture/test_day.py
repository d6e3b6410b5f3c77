"""A day on which all weighs otherwise than when the set was weighed: what igloos tell of it, whatever they hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensors.gesture.collect import collect
from sensors.gesture.day import Day, sideways_gains
from sensors.gesture.gathered import Gesture
from sensors.gesture.judge import FOREIGN, UNWEIGHED, alike_so_far, judge, learned
from sensors.gesture.model import Noise, Weighing, fit_set
from tests.sensors.gesture.seat_table import (
    HEAVY,
    RATE,
    SMALL,
    TWINS,
    Table,
    fitted,
    known_day,
    on_a_known_day,
    twins_of_some_day,
)
from tests.sensors.gesture.weights import BEAD, COUNTS, a_set, day_of, shells_of, weighed


@pytest.mark.parametrize("sideways", [-0.012, 0.006, 0.02])
def test_a_base_on_other_feet_is_learned_from_igloos_that_nobody_names(sideways: float) -> None:
    blind, late, sure, wrong = [], [], 0, 0
    for seed in range(10):
        model, shells = a_set(seed)
        day = Day.unknown(model)
        for k, (n, w) in enumerate(day_of(100 + seed, shells, 4e-4, sideways)):
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
    for _, w in day_of(5, shells, 0.0, 0.0):
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


def test_an_igloo_that_only_the_day_leaves_in_doubt_is_asked_for_after_others() -> None:
    """To set it down anew would tell no more: that is asked for where the day is known."""
    table = Table(5, SMALL, TWINS)
    (seven,) = collect("accelerometer", RATE, table.quiet(0.3).tap().tap().placed(7, 7, 7).take())
    said = judge(seven, twins_of_some_day(), "seat", None, twins_of_some_day().sets["set"].day)
    assert said.reason == alike_so_far(7, 8)
    assert not said.why.once_more
    assert said.why.tells_count
    # nothing is known where nothing is said
    assert judge(seven, twins_of_some_day(), "seat").reason == said.reason
    later = judge(seven, twins_of_some_day(), "seat", None, known_day())
    assert (later.verdict, later.best) == ("sure", 7)


def likeliest(day: Day) -> float:
    """How much more everything weighs sideways."""
    return float(sideways_gains()[0][np.argmax(day.share.sum(axis=0))])


@pytest.mark.parametrize("sideways", [-0.02, 0.02])
def test_one_igloo_whose_count_is_known_tells_the_feet_that_no_igloo_without_a_name_does(
    sideways: float,
) -> None:
    """By what is loose it is like one of four beads more or less on feet as they were."""
    model, shells = a_set(4)
    six = next(w for n, w in day_of(8, shells, 0.0, sideways) if n == 6)
    day = Day.unknown(model)
    assert likeliest(day.named(six, 6)) == pytest.approx(sideways, abs=0.003)
    assert likeliest(day.learned(six)) != pytest.approx(sideways, abs=0.003)
    with pytest.raises(ValueError, match="not in tuple"):
        day.named(six, 20)


def test_what_weighs_as_an_igloo_that_was_weighed_is_that_and_none_that_nobody_weighed() -> None:
    """Which may lie anywhere about there, so that it explains no weight so well."""
    shells = shells_of(6)
    some = [n for n in COUNTS if n != 7]
    r = np.random.default_rng(6)
    model = fit_set([weighed(n, BEAD, shells[n], r) for n in some], some, COUNTS, Noise())
    for n in (6, 8):
        t, b = model.means[COUNTS.index(n)]
        p = Day.unknown(model).probabilities(Weighing(t, (t - b) / model.kappa, 3, 1e-4, 3))
        assert COUNTS[int(np.argmax(p))] == n
        assert p[COUNTS.index(7)] < UNWEIGHED  # so it may be sure


def test_when_a_day_is_over_each_igloo_is_told_what_all_the_others_told_of_it() -> None:
    model, shells = a_set(2)
    weighings = [w for _, w in day_of(3, shells, 0.0, 0.012)]
    for day in Day.by_the_others(model, weighings):
        assert day.share.sum() == pytest.approx(1.0)
        assert day.sideways[0] == pytest.approx(0.012, abs=0.003)
    (alone,) = Day.by_the_others(model, weighings[:1])
    assert alone.share == pytest.approx(Day.unknown(model).share)


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
        for _, w in day_of(7, shells, 0.0, sideways):
            day = day.learned(w)
        assert day.sideways[0] == pytest.approx(sideways, abs=0.003)


def on_feet(n: int, sideways: float) -> Gesture:
    """An igloo weighed on a seat whose base stands so that everything weighs so much more sideways."""
    table = Table(30 + n, SMALL, HEAVY)
    (gesture,) = collect("accelerometer", RATE, table.quiet(0.3).tap().tap().placed(n, n, n).take())
    return replace(
        gesture, weights=[replace(w, sideways=w.sideways * (1 + sideways)) for w in gesture.weights]
    )


@pytest.mark.parametrize(("before", "after"), [(0.0, 0.008), (0.0, -0.015), (0.004, -0.004), (0.0, 0.02)])
def test_who_moves_the_seat_in_mid_evening_is_told_so_once_and_counted_again(
    before: float, after: float
) -> None:
    profile = fitted(SMALL, HEAVY)
    day = Day.unknown(profile.sets["set"].model)
    for n in (4, 9, 12, 6, 11, 3, 8, 5):
        gesture = on_feet(n, before)
        day = learned(day, gesture, judge(gesture, profile, "seat", None, day))
    told = []
    for n in (7, 10, 2, 13, 6, 5):
        gesture = on_feet(n, after)
        said = judge(gesture, profile, "seat", None, day)
        told.append((n, said.verdict, said.best))
        day = learned(day, gesture, said)
    assert all(best == n for n, verdict, best in told if verdict == "sure")
    assert [(verdict, best) for _, verdict, best in told[2:]] == [("sure", n) for n in (2, 13, 6, 5)]
    assert day.sideways[0] == pytest.approx(after, abs=0.003)


def test_an_igloo_that_is_none_of_the_set_takes_nothing_from_the_others() -> None:
    """What it would be on another day is as likely as that it is none: the next one tells."""
    profile, day = fitted(SMALL, HEAVY), Day.unknown(fitted(SMALL, HEAVY).sets["set"].model)
    for n in (4, 9, 12, 6):
        gesture = on_feet(n, 0.0)
        day = learned(day, gesture, judge(gesture, profile, "seat", None, day))
    other = on_feet(7, 0.02)
    said = judge(other, profile, "seat", None, day)
    assert said.reason == FOREIGN
    day = learned(day, other, said)
    for n in (8, 11, 3):
        gesture = on_feet(n, 0.0)
        said = judge(gesture, profile, "seat", None, day)
        assert (said.verdict, said.best) == ("sure", n)
        day = learned(day, gesture, said)
    assert day.sideways[0] == pytest.approx(0.0, abs=0.001)


@pytest.mark.parametrize(("later_s", "kept"), [(1800.0, True), (12 * 3600.0, False)])
def test_what_was_learned_yesterday_is_not_held_against_today(later_s: float, kept: bool) -> None:
    counter = on_a_known_day()
    known = counter._day
    counter._turn_to(Gesture(later_s, later_s + 5, None, later_s))
    assert (counter._before is known) == kept
    counter._turn_to(Gesture(later_s + 60, later_s + 65, None, later_s + 60))
    assert (counter._before is known) == kept


def test_before_anything_was_tapped_feet_are_as_likely_stiffer_as_softer() -> None:
    at, share = sideways_gains()
    assert share.sum() == pytest.approx(1.0)
    assert share == pytest.approx(share[::-1])
    assert share[np.abs(at) < 0.01].sum() > 0.9
