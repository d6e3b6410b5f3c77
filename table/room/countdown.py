"""Three, two, one: counts a round of Igloo Pop in for everybody to see and hear; the round begins on one (IP-4)."""

from __future__ import annotations

from collections.abc import Callable

from firmware_bridge.clock import Clock
from rules.core.refusal import Refusal
from table.desk.desk import Desk

STEP_S = 0.8


class Countdown:
    """The countdown of one desk. `told` is called with each number."""

    def __init__(self, desk: Desk, clock: Clock, told: Callable[[int], None]) -> None:
        self.number: int | None = None  # the number being said now
        self._desk, self._clock, self._told = desk, clock, told

    async def run(self, seat: str | None, by: str = "hand") -> bool:
        """Count, then play `count`; refused at once if that cannot be played now.

        False also if a count is already in progress, or if the game goes on without this one meanwhile: it was closed,
        or somebody else began the round. Then it just ends: nobody did what could be refused.
        """
        if self.number is not None:
            return False
        if not self._can_begin(seat):
            return self._desk.play("count", seat, by)  # says why
        try:
            for number in (3, 2, 1):
                self._say(number)
                self._told(number)
                await self._clock.sleep(STEP_S)
                if not self._can_begin(seat):
                    return False
        finally:
            self._say(None)
        return self._desk.play("count", seat, by)

    def _can_begin(self, seat: str | None) -> bool:
        sitting = self._desk.sitting
        if sitting.closed is not None:
            return False
        try:
            sitting.game.play(sitting.state, "count", seat)
        except Refusal:
            return False
        return True

    def _say(self, number: int | None) -> None:
        self.number = number
        self._desk.version += 1
