"""A page leads somebody through the counting gesture; what a seat sings is made of two damped tones here."""

from __future__ import annotations

import numpy as np
import pytest

from sensors.evidence import Heard, Hearing
from sensors.gesture.coach import FAULTS, STEPS
from sensors.gesture.collect import collect
from sensors.gesture.counter import Counter
from sensors.gesture.fitting import Labelled, fit_gesture
from sensors.gesture.profile import GestureProfile

RATE = 833.0
EMPTY = 58.0, 117.0
PLATFORM, SEAT, SHELL, BEAD = 0.016, 0.038, 0.013, 2.5e-4


class Table:
    """A seat's accelerometer, second by second."""

    def __init__(self, seed: int = 0) -> None:
        self.random = np.random.default_rng(seed)
        self.parts: list[np.ndarray] = []

    def quiet(self, seconds: float) -> Table:
        self.parts.append(0.002 * self.random.normal(size=(round(seconds * RATE), 3)) + [0, 0, 1.0])
        return self

    def tap(
        self, beads: int | None = None, size: float = 0.3, quality: float = 90.0, seconds: float = 0.9
    ) -> Table:
        """A tap on the empty seat (None), or with an igloo of so many beads on it."""
        side, up = EMPTY
        if beads is not None:
            side /= (1 + (SHELL + 2 / 7 * beads * BEAD) / PLATFORM) ** 0.5
            up /= (1 + (SHELL + beads * BEAD) / SEAT) ** 0.5
        self.quiet(seconds)
        t = np.arange(len(self.parts[-1])) / RATE
        for axis, hz in ((0, side), (2, up)):
            phase = self.random.uniform(0, 6.28)
            self.parts[-1][:, axis] += (
                size * np.exp(-np.pi * hz / quality * t) * np.sin(2 * np.pi * hz * t + phase)
            )
        return self

    def thud(self) -> Table:
        """An igloo is set down, with the hand still on it."""
        return self.tap(5, 0.2, quality=14.0, seconds=0.5)

    def take(self) -> np.ndarray:
        out: np.ndarray = np.concatenate(self.parts)
        self.parts = []
        return out


@pytest.fixture(scope="module")
def profile() -> GestureProfile:
    labelled = []
    for n in range(2, 14):
        table = Table(n).quiet(0.4).tap().tap()
        for _ in range(3):
            table.thud().tap(n)
        (gesture,) = collect("accelerometer", RATE, table.take())
        assert gesture.placings == 3
        labelled.append(Labelled(n, gesture))
    return fit_gesture({"set": labelled}, "accelerometer", tuple(range(2, 14)))


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
