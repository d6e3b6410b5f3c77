"""Taps on the empty seat that do not agree: what was answered so is answered anew, once another tap settles it."""

from __future__ import annotations

import pytest

from sensors.evidence import Heard
from sensors.gesture.counter import Counter
from sensors.gesture.judge import DIFFER
from sensors.gesture.profile import GestureProfile
from sensors.why import Why
from tests.sensors.gesture.seat_table import (
    EMPTY,
    RATE,
    Table,
    between_twins,
    on_a_known_day,
    played,
    verdicts,
)

OFF = EMPTY[0], EMPTY[1] * 1.002


def doubted(counter: Counter, table: Table, placed: list[float]) -> tuple[Table, Heard]:
    """Two taps on the empty seat that do not agree, an igloo, and what is said of it after a while."""
    right, table.empty = table.empty, OFF
    table.quiet(0.3).tap()
    table.empty = right
    table.tap()
    said = verdicts(played(counter, table.placed(*placed).quiet(9).take()))
    assert said[-1].reason == DIFFER
    return table, said[-1]


@pytest.mark.parametrize("placed", [1, 2, 3])
def test_it_is_answered_anew_once_another_tap_settles_it(profile: GestureProfile, placed: int) -> None:
    counter = Counter(profile, RATE, 3)
    table, first = doubted(counter, Table(6), placed * [7])
    (said,) = verdicts(played(counter, table.tap().quiet(0.5).take()))
    assert (said.verdict, said.best, said.start_s) == ("sure", 7, first.start_s)
    assert (counter.advice.step, counter.advice.done, counter.advice.stands) == ("put-down", 0, True)
    said, *more = verdicts(played(counter, table.placed(11, 11, 11).quiet(0.5).take()))
    assert (said.verdict, said.best, more) == ("sure", 11, [])
    assert said.start_s > first.start_s


def test_a_tap_that_settles_nothing_says_nothing(profile: GestureProfile) -> None:
    counter = Counter(profile, RATE, 3)
    table, _ = doubted(counter, Table(6), [7, 7, 7])
    table.empty = EMPTY[0], EMPTY[1] * 0.998
    assert verdicts(played(counter, table.tap().quiet(9).take())) == []


def test_where_it_asks_for_one_more_setting_down_then_that_adds_to_it() -> None:
    counter = on_a_known_day()
    table, first = doubted(counter, between_twins(), [7.5])
    (said,) = verdicts(played(counter, table.tap().quiet(0.5).take()))
    assert (said.verdict, said.why, said.start_s) == ("unsure", Why.WEIGH_ALIKE, first.start_s)
    assert (counter.advice.step, counter.advice.done) == ("again", 1)
    played(counter, table.placed(7.5).quiet(0.5).take())
    assert counter.advice.done == 2
    assert verdicts(played(counter, table.quiet(9).take()))[-1].start_s == first.start_s
