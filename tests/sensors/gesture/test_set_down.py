"""What rings at the seat and is no tap: an igloo that is let go, a hand that comes for it, the seat that it leaves."""

from __future__ import annotations

import pytest

from sensors.gesture.collect import Collector, collect
from sensors.gesture.counter import Counter
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

LET_GO = 0.1  # such a ring is weighed, and is weaker than a pencil's


def begun() -> Table:
    return Table(5, SMALL, HEAVY).quiet(0.3).tap().tap()


def lifted_off(table: Table) -> Table:
    """Taking the igloo away leaves the empty seat to ring: faintly, and to and fro not quite as when it is tapped."""
    table.empty = EMPTY[0] * 1.02, EMPTY[1]
    table.quiet(0.3).tap(size=0.1, seconds=0.7)
    table.empty = EMPTY
    return table


@pytest.mark.parametrize("block", [40, 4096])
@pytest.mark.parametrize("weighs", [6.2, 7.0, 8.0, 9.5])
@pytest.mark.parametrize("before", [1, 2])
def test_an_igloo_whose_letting_go_was_weighed_is_told_once(
    alike: GestureProfile, before: int, weighs: float, block: int
) -> None:
    table = begun().placed(*before * [7]).quiet(0.2).thud().tap(weighs, LET_GO, seconds=0.5).tap(7)
    table.placed(*(2 - before) * [7])
    said = verdicts(played(Counter(alike, RATE, 3), table.quiet(11).take(), block))
    assert {(one.verdict, one.best) for one in said} == {("sure", 7)}
    assert len({one.start_s for one in said}) == 1


def test_a_setting_down_that_rocks_counts_once(alike: GestureProfile) -> None:
    collector = Collector("accelerometer", RATE, 3, alike.sets["set"].empty, alike.sets["set"].model.noise)
    collector.push(begun().take())
    for _ in range(2):
        collector.push(Table(6, SMALL, HEAVY).quiet(0.2).thud().tap(7, LET_GO, seconds=0.75).take())
        collector._moved = True  # it rocked as it was let go
        collector.push(Table(7, SMALL, HEAVY).tap(7).quiet(0.4).take())
    assert collector.gesture is not None
    assert collector.gesture.placings == 2


def test_the_placings_before_one_whose_letting_go_was_weighed_still_count() -> None:
    taps = begun().placed(7, 7).quiet(0.2).thud().tap(7.6, LET_GO, seconds=0.5).tap(7).quiet(0.4)
    (gesture,) = collect("accelerometer", RATE, taps.take())
    assert [w.placing for w in gesture.weights] == [0, 1, 2]


def test_of_one_setting_down_the_tap_is_weighed_and_not_the_hand(alike: GestureProfile) -> None:
    taps = begun().quiet(0.2).thud().tap(7.6, LET_GO, seconds=0.5)
    taps.tap(7, 0.4, seconds=1.1).tap(7.6, 0.2, seconds=0.8)  # … and the hand that comes for it
    (gesture,) = collect("accelerometer", RATE, taps.placed(7, 7).take())
    (right,) = collect("accelerometer", RATE, begun().placed(7, 7, 7).take())
    assert gesture.placings == 3
    assert [w.upright for w in gesture.weights] == pytest.approx([w.upright for w in right.weights], rel=1e-3)


def test_another_igloo_is_begun_with_its_first_tap_though_that_may_be_a_letting_go(
    alike: GestureProfile,
) -> None:
    counter, table = Counter(alike, RATE, 3), begun().placed(7, 7, 8)
    assert not verdicts(played(counter, table.take()))
    assert not counter.advice.stands
    said = verdicts(played(counter, table.quiet(0.6).take()))
    assert [one.best for one in said] == [7]
    assert (counter.advice.step, counter.advice.done) == ("again", 1)
    said = verdicts(played(counter, table.placed(8, 8).quiet(0.5).take()))
    assert [(one.verdict, one.best) for one in said] == [("sure", 8)]


def test_an_igloo_that_stood_long_is_no_letting_go_of_a_much_heavier_one(alike: GestureProfile) -> None:
    said = verdicts(played(Counter(alike, RATE, 3), begun().placed(2).quiet(9).placed(13).quiet(9).take()))
    assert [one.best for one in said] == [2, 13]
    assert said[0].start_s < said[1].start_s


def test_the_seat_that_an_igloo_leaves_was_not_tapped(alike: GestureProfile) -> None:
    plain, lifted = begun(), begun()
    counter = Counter(alike, RATE, 3)
    for _ in range(3):
        plain.placed(7).quiet(1.0)
        lifted_off(lifted.placed(7))
        played(counter, lifted.quiet(0.3).take())
        assert counter.advice.fault is None  # nobody tapped too faintly
        assert counter._collector.empty is not None
        assert counter._collector.empty.sideways == pytest.approx(EMPTY[0], rel=1e-3)
    assert counter._collector.gesture is not None
    (right,) = collect("accelerometer", RATE, plain.take())
    ours = counter._collector.gesture
    assert [w.sideways for w in ours.weights] == pytest.approx([w.sideways for w in right.weights], rel=5e-3)


def test_who_is_asked_for_more_adds_to_the_igloo_that_was_lifted_off() -> None:
    counter = on_a_known_day()
    placed = between_twins().quiet(0.3).tap().tap().placed(7.5, 7.5, 7.5)
    (first,) = verdicts(played(counter, lifted_off(placed).quiet(0.3).take()))
    assert counter.advice.step == "again"
    (said,) = verdicts(played(counter, between_twins(6).placed(7.5).quiet(0.4).take()))
    assert said.start_s == first.start_s


def test_the_empty_seat_that_is_tapped_twice_is_heard_however_faintly(alike: GestureProfile) -> None:
    counter = Counter(alike, RATE, 3)
    played(
        counter, begun().placed(7, 7, 7).quiet(0.3).tap(size=0.1).quiet(0.3).tap(size=0.1).quiet(0.3).take()
    )
    assert (counter.advice.step, counter.advice.done) == ("put-down", 0)
    assert counter._collector.emptied
