"""What the empty seat tells of a day before an igloo is tapped, for it stands on the same feet."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from sensors.gesture import feet
from sensors.gesture.collect import collect
from sensors.gesture.day import Day, sideways_gains
from sensors.gesture.fitting import fit_gesture
from sensors.gesture.judge import judge
from sensors.gesture.model import SetModel
from sensors.gesture.weigh import Empty
from tests.sensors.gesture.seat_table import (
    HEAVY,
    RATE,
    SMALL,
    TWINS,
    Table,
    fitted,
    twins,
    twins_of_some_day,
)
from tests.sensors.gesture.seat_table import weighed as weighed_on_seat
from tests.sensors.gesture.weights import COUNTS, a_set, day_of

WEIGHED_EMPTY = Empty(58.0, 117.0)


def sings(model: SetModel, sideways: float) -> Empty:
    """The empty seat on feet on which everything weighs so much more sideways, a little warmer than at the weighing."""
    rose = math.exp(sideways / feet.a_unit(model))
    return Empty(WEIGHED_EMPTY.sideways * rose * 0.9994, WEIGHED_EMPTY.upright * 0.9994)


@pytest.mark.parametrize("sideways", [-0.012, -0.003, 0.0, 0.003, 0.006])
def test_the_empty_seat_tells_the_feet_before_an_igloo_is_tapped(sideways: float) -> None:
    model, _ = a_set(2)
    day = Day.unknown(model, WEIGHED_EMPTY)
    told = day.with_empty(sings(model, sideways))
    near = np.abs(sideways_gains()[0] - sideways) < 0.001 + 0.25 * abs(sideways)
    assert told.share.sum() == pytest.approx(1.0)
    before, after = day.share[:, near].sum(), told.share[:, near].sum()
    assert (1 - after) / after < 0.5 * (1 - before) / before
    assert told.heavier == pytest.approx(day.heavier)


@pytest.mark.parametrize("sideways", [-0.002, 0.002, 0.003])
def test_the_first_igloo_of_a_day_is_told_by_what_the_empty_seat_told(sideways: float) -> None:
    sure, wrong = np.zeros(2, int), np.zeros(2, int)
    for seed in range(10):
        model, shells = a_set(seed)
        day = Day.unknown(model, WEIGHED_EMPTY)
        for n, w in day_of(100 + seed, shells, 4e-4, sideways):
            for k, known in enumerate((day, day.with_empty(sings(model, sideways)))):
                p = known.probabilities(w)
                sure[k] += p.max() > 0.85
                wrong[k] += p.max() > 0.85 and COUNTS[int(np.argmax(p))] != n
    assert sure[1] > 1.1 * sure[0]
    assert wrong[1] <= wrong[0] <= 1


def test_what_the_empty_seat_told_wrongly_igloos_put_right() -> None:
    """A crumb on the ring lowers its tone as softer feet do, and everything weighs a little less instead."""
    model, shells = a_set(2)
    day = Day.unknown(model, WEIGHED_EMPTY).with_empty(sings(model, 0.008))
    for _, w in day_of(3, shells, -7e-4, -0.002):
        day = day.with_empty(sings(model, 0.008)).learned(w)
    assert day.sideways[0] == pytest.approx(-0.002, abs=0.001)


def test_what_igloos_told_of_a_day_is_not_told_anew_by_the_empty_seat() -> None:
    model, shells = a_set(2)
    day = Day.unknown(model, WEIGHED_EMPTY).with_empty(sings(model, 0.0))
    for _, w in day_of(3, shells, 0.0, 0.0):
        day = day.learned(w)
    moved = day.with_empty(sings(model, 0.01))
    assert moved.share is day.share
    # but by one igloo more it is known where the seat was moved to
    (_, w), *_ = day_of(4, shells, 0.0, 0.01)
    there = np.abs(sideways_gains()[0] - 0.01) < 0.004
    assert moved.learned(w).share[:, there].sum() > 3 * day.learned(w).share[:, there].sum()


def test_of_a_profile_that_does_not_tell_the_day_of_weighing_the_empty_seat_tells_nothing() -> None:
    day = Day.unknown(a_set(2)[0])
    assert day.with_empty(WEIGHED_EMPTY) is day
    assert twins_of_some_day().sets["set"].day.weighed_empty is None
    known = twins().sets["set"]
    assert known.day.weighed_empty == known.empty
    of_two_days = replace(twins_of_some_day().sets["set"], weighed_empty=WEIGHED_EMPTY)
    assert of_two_days.day.weighed_empty == WEIGHED_EMPTY
    assert known.day.with_empty(None).share is known.day.share


def test_who_judges_one_gesture_asks_its_empty_seat() -> None:
    """The 7 of the twins is told from the 8 by what is loose alone."""
    table = Table(5, SMALL, TWINS)
    (seven,) = collect("accelerometer", RATE, table.quiet(0.3).tap().tap().placed(7, 7, 7).take())
    for day in (None, twins().sets["set"].day):
        said = judge(seven, twins(), "seat", None, day)
        assert (said.verdict, said.best) == ("sure", 7)


def test_a_set_some_of_which_was_weighed_twice_in_a_session_tells_where_the_empty_seat_sang() -> None:
    labelled = [weighed_on_seat(n, SMALL, HEAVY) for n in (3, 5, 8, 12, 5)]
    known = fit_gesture({"set": labelled}, "accelerometer", COUNTS).sets["set"]
    assert known.day.weighed_empty == known.weighed_empty == known.empty
    assert fitted(SMALL, HEAVY).sets["set"].weighed_empty is None


@pytest.mark.parametrize(("sideways", "upright"), [(1.055, 0.975), (0.945, 1.025)])
def test_tones_that_no_feet_explain_leave_numbers(sideways: float, upright: float) -> None:
    """Another seat, built alike, whose two tones lie apart by more: it is taken for the empty one all the same."""
    model, _ = a_set(2)
    other = Empty(WEIGHED_EMPTY.sideways * sideways, WEIGHED_EMPTY.upright * upright)
    told = Day.unknown(model, WEIGHED_EMPTY).with_empty(other)
    assert told.share.sum() == pytest.approx(1.0)
    assert told.begun.sum() == pytest.approx(1.0)
