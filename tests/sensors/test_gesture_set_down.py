"""What rings at the seat and is no tap: an igloo that is let go, a hand that comes for it."""

from __future__ import annotations

import pytest

from sensors.gesture.collect import Collector, collect
from sensors.gesture.counter import Counter
from sensors.gesture.profile import GestureProfile
from tests.sensors.seat_table import HEAVY, RATE, SMALL, Table, fitted, played, verdicts

LET_GO = 0.1  # such a ring is weighed, and is weaker than a pencil's


@pytest.fixture(scope="module")
def alike() -> GestureProfile:
    """Neighbours differ by less than half a hundredth."""
    return fitted(SMALL, HEAVY)


def begun() -> Table:
    return Table(5, SMALL, HEAVY).quiet(0.3).tap().tap()


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
