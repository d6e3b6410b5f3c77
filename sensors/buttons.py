"""Buttons at the seats, through gpiozero: each press becomes one `Pressed`, however the contact bounces.

Contacts bounce when they close and when they open. A press counts only where the contact has not changed for a while
before it, in either direction.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from firmware_bridge.clock import Clock
from firmware_bridge.errors import PolartableError
from sensors.evidence import Pressed
from sensors.pins import mend_of, opening, words_of

# Measured from the last change of a contact. Cheap buttons bounce for up to 20 ms, and few fingers press again within
# 50. A press too many, which takes a pass back, is worse than one that has to be made again.
DEAD_TIME_S = 0.05


class ButtonError(PolartableError):
    """The pins of the buttons cannot be used."""

    number = 320


class Buttons:
    """The buttons of a table. `pins`: seat → pin, as gpiozero names pins (17, "GPIO17", "BOARD11").

    The buttons connect their pin to ground (the pull-up is the chip's own). `pressed` is called on gpiozero's own
    thread; `factory` is gpiozero's pin factory (None: this machine's). Raises `ButtonError`.
    """

    def __init__(
        self,
        pins: Mapping[str, int | str],
        clock: Clock,
        pressed: Callable[[Pressed], None],
        factory: Any = None,
    ) -> None:
        try:
            from gpiozero import Button
        except ImportError as error:
            raise ButtonError(
                "gpiozero is not installed", "pip install gpiozero, or leave [buttons] out"
            ) from error
        self._clock = clock
        self._pressed = pressed
        self._changed: dict[str, float] = {}  # seat → when its contact last closed or opened
        self._buttons: dict[str, Any] = {}
        for seat, pin in pins.items():
            try:
                with opening():
                    button = Button(pin, pull_up=True, pin_factory=factory)
            except Exception as error:
                self.close()
                raise ButtonError(
                    f"pin {pin} of {seat}'s button cannot be opened ({words_of(error)})",
                    mend_of(error, "buttons", "look at [buttons] in the settings, and at: polartable doctor"),
                ) from error
            button.when_pressed = partial(self._changes, seat, True)
            button.when_released = partial(self._changes, seat, False)
            self._buttons[seat] = button

    def _changes(self, seat: str, closed: bool) -> None:
        now = self._clock.now()
        last = self._changed.get(seat)
        self._changed[seat] = now
        if closed and (last is None or now - last >= DEAD_TIME_S):
            self._pressed(Pressed(now, seat))

    def close(self) -> None:
        """Give the pins back; safe to call twice."""
        for button in self._buttons.values():
            with contextlib.suppress(Exception):  # a pin that went away must not keep the others open
                button.close()
        self._buttons.clear()
