"""A page leads somebody through the counting gesture, on a seat of two damped tones."""

from __future__ import annotations

import pytest

from sensors.evidence import Heard, Hearing
from sensors.gesture.coach import FAULTS, GOOD, STEPS, advise
from sensors.gesture.collect import Collector, collect
from sensors.gesture.counter import Counter
from sensors.gesture.gathered import Felt
from sensors.gesture.profile import GestureProfile
from tests.sensors.gesture.seat_table import RATE, Table


def test_a_person_is_led_from_the_empty_seat_to_the_answer(profile: GestureProfile) -> None:
    counter, table = Counter(profile, RATE, 3), Table(99)
    said: list[Heard | Hearing] = []

    def then(step: str, done: int) -> None:
        said.extend(counter.push(table.quiet(0.3).take()))
        assert (counter.advice.step, counter.advice.done, counter.advice.fault) == (step, done, None)

    then("tap-empty", 0)
    table.tap().tap()
    then("put-down", 0)
    table.thud()
    then("put-down", 0)
    table.tap(7)
    then("again", 1)
    assert isinstance(said[-1], Hearing)
    table.thud().tap(7)
    then("again", 2)
    table.thud().tap(7)
    then("lift-off", 3)
    assert isinstance(said[-1], Heard)
    assert said[-1].verdict == "sure"
    assert said[-1].best == 7
    table.tap()  # lifted off; the empty seat is tapped, and another igloo comes
    then("put-down", 0)
    for _ in range(3):
        table.thud().tap(11)
    then("lift-off", 3)
    assert said[-1].best == 11
    assert sum(isinstance(s, Heard) for s in said) == 2


def fault_of(counter: Counter) -> str | None:
    return counter.advice.fault


def test_what_was_wrong_with_a_tap_is_said_with_what_to_do(profile: GestureProfile) -> None:
    counter, table = Counter(profile, RATE, 3), Table(5)
    counter.push(table.quiet(0.3).thud().tap(7).quiet(0.2).take())
    assert fault_of(counter) == "no-empty"
    assert counter.advice.step == "tap-empty"
    counter = Counter(profile, RATE, 3)
    counter.push(table.quiet(0.3).tap().tap(size=1.6).quiet(0.2).take())
    assert fault_of(counter) == "too-hard"
    assert counter.advice.level is not None
    assert counter.advice.level > 1
    counter.push(table.thud().tap(7, size=0.09).quiet(0.2).take())
    assert fault_of(counter) == "too-soft"
    counter.push(table.thud().tap(7, quality=14.0).quiet(0.2).take())
    assert fault_of(counter) == "held"
    assert counter.advice.words == f"{FAULTS['held']} {STEPS['again']}"
    assert counter.advice.to_json()["step"] == "again"


def test_setting_the_same_igloo_down_anew_goes_on_though_the_empty_seat_rang_between() -> None:
    table = Table(3).quiet(0.4).tap().tap()
    for _ in range(3):
        table.thud().tap(6).tap()
    table.thud().tap(12)
    first, second = collect("accelerometer", RATE, table.take())
    assert (first.placings, len(first.weights)) == (3, 3)
    assert second.placings == 1


def test_taps_without_setting_down_anew_are_one_placing() -> None:
    (gesture,) = collect("accelerometer", RATE, Table(4).quiet(0.4).tap().thud().tap(6).tap(6).tap(6).take())
    assert (gesture.placings, len(gesture.weights)) == (1, 3)


def test_the_empty_seat_is_asked_for_when_its_taps_are_too_old(profile: GestureProfile) -> None:
    counter, table = Counter(profile, RATE, 3), Table(6)
    counter.push(table.quiet(0.3).tap().tap().quiet(20).take())
    assert counter.advice.step == "put-down"
    counter.push(table.quiet(12).take())
    assert counter.advice.step == "tap-empty"
    counter.push(table.tap().thud().tap(7).quiet(28).take())
    assert (counter.advice.step, counter.advice.done) == ("tap-empty", 0)  # that one was answered
    counter.push(table.tap().thud().tap(7).quiet(0.3).take())
    assert (counter.advice.step, counter.advice.done) == ("again", 1)


def test_only_placings_that_still_count_are_done_while_the_empty_seat_is_asked_for(
    profile: GestureProfile,
) -> None:
    for placed, seconds, done in ((3, 31, 0), (1, 31, 0), (2, 6, 2), (1, 6, 1)):
        counter, table = Counter(profile, RATE, 3), Table(6)
        # how long the empty seat's taps are good for is over before, or after, what was tapped is answered
        counter.push(table.quiet(0.3).tap().tap().quiet(25 - 2 * placed if done else 0).take())
        counter.push(table.placed(*placed * [7]).quiet(seconds).take())
        assert (counter.advice.step, counter.advice.done) == ("tap-empty", done)
        counter.push(table.tap().quiet(0.3).take())
        assert (counter.advice.step, counter.advice.done) == ("again" if done else "put-down", done)


def test_placings_while_the_empty_seat_is_in_doubt_are_not_done_until_another_tap_settles_it(
    profile: GestureProfile,
) -> None:
    counter, table = Counter(profile, RATE, 3), Table(6, empty=(58.0, 117.0))
    counter.push(table.quiet(0.3).tap().take())
    table.empty = (58.0, 117.2)
    counter.push(table.tap().placed(7).quiet(0.3).take())
    assert (counter.advice.step, counter.advice.fault) == ("tap-empty", "differ")
    assert counter.advice.done == 0
    counter.push(table.tap().quiet(0.3).take())
    assert (counter.advice.step, counter.advice.done) == ("again", 1)


def test_taps_too_soft_for_taps_are_told(profile: GestureProfile) -> None:
    counter, table = Counter(profile, RATE, 3), Table(7)
    counter.push(table.quiet(0.3).tap(size=0.05).tap(size=0.05).quiet(0.3).take())
    assert (counter.advice.step, fault_of(counter)) == ("tap-empty", "too-soft")
    counter.push(table.tap().tap().thud().tap(7, size=0.05).quiet(0.3).take())
    assert fault_of(counter) is None  # one alone may be the igloo let go
    counter.push(table.tap(7, size=0.05).quiet(0.3).take())
    assert fault_of(counter) == "too-soft"


def test_no_more_than_three_of_three_are_done() -> None:
    table = Table(8).quiet(0.4).tap()
    for _ in range(5):
        table.thud().tap(6)
    collector = Collector("accelerometer", RATE, 3)
    collector.push(table.quiet(0.3).take())
    assert advise(collector, False).done == 3


def test_a_tap_s_level_is_nothing_at_the_least_and_one_at_the_most_that_is_good() -> None:
    for sensor, (least, most) in GOOD.items():
        collector = Collector(sensor, RATE, 1)
        levels, faults = [], []
        for strike in (0.99 * least, least, (least + most) / 2, most, 1.01 * most):
            collector.last = Felt("empty", strike)
            levels.append(advise(collector, False).level)
            faults.append(advise(collector, False).fault)
        assert levels[1:4] == pytest.approx([0.0, 0.5, 1.0])
        assert faults == ["too-soft", None, None, None, "too-hard"]
