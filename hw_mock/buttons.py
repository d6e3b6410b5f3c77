"""Simulated buttons on gpiozero's own mock pins: what is above the pin is the real code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class MockButtons:
    """Fingers on mock pins. Hand `factory` to what opens the buttons, then `press`.

    `pins`: seat → pin, as given to the real buttons. Buttons connect to ground: pressed is low.
    """

    def __init__(self, pins: Mapping[str, int | str]) -> None:
        from gpiozero.pins.mock import MockFactory

        self.pins = dict(pins)
        self.factory: Any = MockFactory()

    def press(self, seat: str, bounces: int = 2) -> None:
        """Press and let go; the contact closes and opens `bounces` times more on the way, as cheap ones do.

        Raises KeyError for a seat without a button.
        """
        pin = self.factory.pin(self.pins[seat])
        for _ in range(bounces + 1):
            pin.drive_low()
            pin.drive_high()

    def hold(self, seat: str, down: bool) -> None:
        """Keep the button down, or let it go."""
        pin = self.factory.pin(self.pins[seat])
        if down:
            pin.drive_low()
        else:
            pin.drive_high()

    def close(self) -> None:
        self.factory.reset()
