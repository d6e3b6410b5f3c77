"""Simulated buttons on gpiozero's own mock pins: everything above the pin is the real code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class MockButtons:
    """Fingers on mock pins. Pass `factory` to the code that opens the buttons, then `press`.

    `pins`: seat → pin, as for the real buttons. Buttons connect to ground: pressed is low.
    """

    def __init__(self, pins: Mapping[str, int | str]) -> None:
        from gpiozero.pins.mock import MockFactory

        self.pins = dict(pins)
        self.factory: Any = MockFactory()

    def press(self, seat: str, bounces: int = 2) -> None:
        """Press and release, in zero time. Raises KeyError for a seat without a button."""
        self.hold(seat, True, bounces)
        self.hold(seat, False, bounces)

    def hold(self, seat: str, down: bool, bounces: int = 2) -> None:
        """Hold the button down, or release it; the contact bounces `bounces` times, as cheap ones do.

        Raises KeyError for a seat without a button.
        """
        pin = self.factory.pin(self.pins[seat])
        there, back = (pin.drive_low, pin.drive_high) if down else (pin.drive_high, pin.drive_low)
        there()
        for _ in range(bounces):
            back()
            there()

    def close(self) -> None:
        self.factory.reset()
