"""One igloo after another at the seat: whose each tap is, what a gesture teaches, how it goes on after a mistake."""

from __future__ import annotations

import numpy as np
import pytest

from sensors.gesture.collect import Collector, collect
from sensors.gesture.counter import Counter
from sensors.gesture.gathered import MOST_WEIGHTS, WANTED, fullest
from sensors.gesture.judge import CLIPPED, CROOKED, HELD
from sensors.gesture.profile import GestureProfile
from tests.sensors.gesture.seat_table import (
    EMPTY,
    HEAVY,
    RATE,
    SMALL,
    Table,
    between_twins,
    on_a_known_day,
    played,
    verdicts,
)


@pytest.mark.parametrize("block", [40, 4096])
@pytest.mark.parametrize(("first", "second"), [(7, 8), (8, 7), (12, 13)])
def test_the_next_igloo_is_told_without_another_tap_on_the_empty_seat(
    alike: GestureProfile, first: int, second: int, block: int
) -> None:
    table = Table(5, SMALL, HEAVY).quiet(0.3).tap().tap().placed(*3 * [first], *3 * [second]).quiet(0.5)
    said = verdicts(played(Counter(alike, RATE, 3), table.take(), block))
    assert [(one.verdict, one.best) for one in said] == [("sure", first), ("sure", second)]


def test_an_igloo_whose_letting_go_was_weighed_is_not_another_when_it_is_tapped(
    alike: GestureProfile,
) -> None:
    counter, table = Counter(alike, RATE, 3), Table(5, SMALL, HEAVY).quiet(0.3).tap().tap().placed(7, 7)
    said = played(counter, table.quiet(0.2).thud().tap(7, seconds=0.75).take())
    assert len(verdicts(said)) == 1
    counter._collector._moved = True  # it rocked as it was let go
    said += played(counter, table.tap(7).quiet(9).take())
    assert {(one.verdict, one.best) for one in verdicts(said)} == {("sure", 7)}
    assert len({one.start_s for one in verdicts(said)}) == 1


@pytest.mark.parametrize("emptied", [True, False])
@pytest.mark.parametrize("placed", [1, 2])
def test_an_igloo_that_took_the_place_of_another_half_way_is_no_mean_of_both(
    alike: GestureProfile, placed: int, emptied: bool
) -> None:
    counter = Counter(alike, RATE, 3)
    table = Table(5, SMALL, HEAVY).quiet(0.3).tap().tap().placed(*placed * [7])
    if emptied:
        table.tap()
    said = played(counter, table.placed(8, 8, 8).quiet(0.5).take())
    assert (verdicts(said)[-1].verdict, verdicts(said)[-1].best) == ("sure", 8)
    assert {one.best for one in verdicts(said)} <= {7, 8}
    assert len({one.start_s for one in verdicts(said)}) == len(verdicts(said)) == 2


def test_an_igloo_that_weighs_far_more_than_that_before_is_another_one_from_its_first_tap_on(
    profile: GestureProfile,
) -> None:
    """So far off lies a blow of setting down, too; but not after two placings that agree."""
    table = Table(5).quiet(0.3).tap().tap().placed(3, 3, 13, 13, 13).quiet(0.5)
    said = verdicts(played(Counter(profile, RATE, 3), table.take()))
    assert [(one.verdict, one.best) for one in said] == [("sure", 3), ("sure", 13)]


@pytest.mark.parametrize("emptied", [True, False])
def test_of_placings_that_differ_none_is_believed_alone(alike: GestureProfile, emptied: bool) -> None:
    """Another igloo, or the same one beside its nubs? Whoever sets it down once more tells."""
    counter, table = Counter(alike, RATE, 3), Table(5, SMALL, HEAVY).quiet(0.3).tap().tap().placed(7)
    if emptied:
        table.tap()
    said = verdicts(played(counter, table.placed(8).quiet(9).take()))
    assert [(one.verdict, one.reason) for one in said] == 2 * [("unsure", CROOKED)]
    said = verdicts(played(counter, table.placed(8).quiet(9).take()))
    assert [(one.verdict, one.best) for one in said] == [("sure", 8)]


def test_one_placing_of_another_igloo_after_a_sure_answer_is_enough(alike: GestureProfile) -> None:
    counter, table = Counter(alike, RATE, 3), Table(5, SMALL, HEAVY).quiet(0.3).tap().tap().placed(7)
    said = verdicts(played(counter, table.quiet(9).tap().placed(9).quiet(9).take()))
    assert [(one.verdict, one.best) for one in said] == [("sure", 7), ("sure", 9)]


def test_one_that_was_only_let_go_makes_no_placing_doubtful(alike: GestureProfile) -> None:
    """The blow of letting go weighs otherwise; the tap after it does not."""
    counter, table = Counter(alike, RATE, 3), Table(5, SMALL, HEAVY).quiet(0.3).tap().tap().placed(7, 7)
    table.quiet(0.2).thud().tap(8, size=0.1, seconds=0.8).tap(7).quiet(9)
    said = verdicts(played(counter, table.take()))
    assert [(one.verdict, one.best) for one in said] == [("sure", 7)]


def test_a_gesture_teaches_the_weight_of_the_day_once(profile: GestureProfile) -> None:
    counter, table = Counter(profile, RATE, 3), Table(5, shell=0.013 * 1.0007)
    played(counter, table.quiet(0.3).tap().tap().placed(7, 7, 7).quiet(0.4).take())
    assert counter._day is not None
    gain, sd = counter._day.heavier
    assert gain > 1e-4
    played(counter, table.tap(7).tap(7).tap(7).quiet(0.4).take())  # the same igloo, tapped on
    assert counter._day.heavier == pytest.approx((gain, sd), rel=0.1)
    played(counter, table.placed(9, 9, 9).quiet(0.4).take())
    assert counter._day.heavier[1] < 0.85 * sd


def test_who_is_told_unsure_adds_a_placing_of_the_same_igloo() -> None:
    counter = on_a_known_day()
    played(counter, between_twins().quiet(0.3).tap().tap().placed(7.5, 7.5, 7.5).quiet(0.4).take())
    assert counter.advice.step == "again"
    (said,) = verdicts(played(counter, between_twins(6).placed(7.5).quiet(0.4).take()))
    assert said.start_s < 5  # another answer of the same gesture
    assert counter.advice.done == WANTED


@pytest.mark.parametrize("later_s", [9, 35])
@pytest.mark.parametrize("placed", [1, 2])
def test_an_empty_tap_after_a_sure_answer_begins_anew_however_few_placings_it_was_of(
    profile: GestureProfile, placed: int, later_s: int
) -> None:
    counter, table = Counter(profile, RATE, 3), Table(5).quiet(0.3).tap().tap().placed(*placed * [7])
    (first,) = verdicts(played(counter, table.quiet(later_s).take()))
    assert (first.verdict, first.best) == ("sure", 7)
    played(counter, table.tap().tap().quiet(0.3).take())
    assert (counter.advice.step, counter.advice.done) == ("put-down", 0)
    (second,) = verdicts(played(counter, table.placed(7, 7, 7).quiet(0.5).take()))
    assert (second.verdict, second.best) == ("sure", 7)
    assert second.start_s > first.end_s  # another igloo that weighs alike


@pytest.mark.parametrize("placed", [1, 2])
def test_an_empty_tap_leaves_what_is_not_answered_or_asks_for_more(placed: int) -> None:
    counter = on_a_known_day()
    table = between_twins().quiet(0.3).tap().tap().placed(*placed * [7.5])
    (unsure,) = verdicts(played(counter, table.quiet(9).take()))
    assert unsure.why.once_more
    played(counter, table.tap().quiet(0.3).take())
    assert (counter.advice.step, counter.advice.done) == ("again", placed)
    said = played(counter, table.placed(*(3 - placed) * [7.5]).quiet(0.5).take())
    assert {one.start_s for one in verdicts(said)} == {unsure.start_s}


def test_what_was_set_down_after_a_sure_answer_is_not_answered_yet(profile: GestureProfile) -> None:
    counter, table = Counter(profile, RATE, 3), Table(5).quiet(0.3).tap().tap().placed(7)
    (first,) = verdicts(played(counter, table.quiet(9).take()))
    played(counter, table.placed(7).tap().quiet(0.3).take())
    assert (counter.advice.step, counter.advice.done) == ("again", 2)
    (second,) = verdicts(played(counter, table.placed(7).quiet(0.5).take()))
    assert (first.start_s, first.best) == (second.start_s, second.best)


@pytest.mark.parametrize("held", [1, 2, 3])
def test_a_right_gesture_is_told_after_one_that_was_held(profile: GestureProfile, held: int) -> None:
    counter, table = Counter(profile, RATE, 3), Table(5).quiet(0.3).tap().tap().thud()
    for _ in range(held):
        table.tap(7, quality=14.0)
    assert [one.reason for one in verdicts(played(counter, table.quiet(9).take()))] == [HELD]
    said = played(counter, table.placed(7, 7, 7).quiet(0.5).take())
    assert [(one.verdict, one.best) for one in verdicts(said)] == [("sure", 7)]


def test_a_right_gesture_is_told_after_one_that_was_clipped(profile: GestureProfile) -> None:
    counter, table = Counter(profile, RATE, 3), Table(5).quiet(0.3).tap().tap().thud()
    hard = [
        table.take(),
        *(table.tap(7, size=15.0, seconds=2.5).take().clip(-4, 4) for _ in range(3)),
        table.quiet(9).take(),
    ]
    assert [one.reason for one in verdicts(played(counter, np.concatenate(hard)))] == [CLIPPED]
    said = played(counter, table.placed(7, 7, 7).quiet(0.5).take())
    assert [(one.verdict, one.best) for one in verdicts(said)] == [("sure", 7)]


@pytest.mark.parametrize("loaded", [1, 2])
def test_a_tap_with_the_igloo_on_is_not_taken_for_the_empty_seat(loaded: int) -> None:
    table = Table(3).quiet(0.4)
    for _ in range(loaded):
        table.tap(7)
    (gesture,) = collect("accelerometer", RATE, table.tap().placed(7, 7, 7).take())
    (right,) = collect("accelerometer", RATE, Table(3).quiet(0.4).tap().placed(7, 7, 7).take())
    assert gesture.empty is not None
    assert gesture.empty.upright == pytest.approx(EMPTY[1], rel=1e-3)
    assert [w.upright for w in gesture.weights] == pytest.approx([w.upright for w in right.weights], rel=1e-3)


def test_what_was_weighed_against_an_igloo_is_thrown_out() -> None:
    table = Table(3, bead=9e-4).quiet(0.4).tap(2).placed(12, 12, 12, 12)
    wrong = fullest(collect("accelerometer", RATE, np.concatenate(table.parts)))
    assert wrong is not None
    assert wrong.placings == 4  # all of them weighed against the igloo of two
    gesture = fullest(collect("accelerometer", RATE, table.quiet(0.2).tap().placed(12, 12, 12).take()))
    assert gesture is not None
    assert gesture.placings == 3
    assert gesture.weights[0].upright == pytest.approx((0.013 + 12 * 9e-4) / 0.038, rel=0.01)


def test_taps_without_end_are_no_memory_without_end() -> None:
    collector, table = Collector("accelerometer", RATE, 3), Table(3).quiet(0.4).tap().tap().thud()
    for _ in range(60):
        collector.push(table.tap(7, seconds=0.9).take())
    assert collector.gesture is not None
    assert len(collector.gesture.weights) == MOST_WEIGHTS
    assert collector.gesture.weighed > MOST_WEIGHTS
