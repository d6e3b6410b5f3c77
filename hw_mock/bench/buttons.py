"""Buttons at the seats: on gpiozero's mock pins, or real ones that a person presses."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from hw_mock.bench.person import Person
from hw_mock.buttons import MockButtons

HELD_S = 0.15  # fingers hold a button down for 0.1 to 0.4 s
OFF_S = 0.1  # and stay off it for at least this long before the next press


class SeatButtons(Protocol):
    """`factory` is the pin factory for the code that opens the buttons (None: this machine's own)."""

    factory: Any
    simulated: bool

    def press(self, seat: str) -> None:
        """Press a seat's button once and let go."""

    def close(self) -> None:
        """May be called twice."""


class SimulatedButtons(MockButtons):
    """Fingers on mock pins, with contact bounce, in real time unless `sleep` passes another kind of time."""

    simulated = True

    def __init__(self, pins: Mapping[str, int | str], sleep: Callable[[float], object] = time.sleep) -> None:
        super().__init__(pins)
        self._sleep = sleep

    def press(self, seat: str, bounces: int = 2, held_s: float = HELD_S) -> None:
        """As SeatButtons.press; returns when the finger is ready for the next press."""
        self.hold(seat, True, bounces)
        self._sleep(held_s)
        self.hold(seat, False, bounces)
        self._sleep(OFF_S)


class RealButtons:
    """Buttons on this machine's own pins. `pins`: seat → pin."""

    simulated = False
    factory = None

    def __init__(self, pins: Mapping[str, int | str], person: Person) -> None:
        self._pins = dict(pins)
        self._person = person

    def press(self, seat: str) -> None:
        self._person.do(f"Press the button of {seat} (pin {self._pins[seat]}) once")

    def close(self) -> None:
        """Nothing to do: the pins are the program's."""


class ButtonsOnDesk:
    """Call it with pins to make the buttons of those seats; they are real if there is a person to press them."""

    def __init__(self, person: Person | None = None) -> None:
        self.simulated = person is None
        self._person = person
        self._made: list[SeatButtons] = []

    def __call__(self, pins: Mapping[str, int | str]) -> SeatButtons:
        person = self._person
        self._made.append(SimulatedButtons(pins) if person is None else RealButtons(pins, person))
        return self._made[-1]

    def close(self) -> None:
        """Close all buttons that were made. May be called twice."""
        for buttons in self._made:
            buttons.close()
