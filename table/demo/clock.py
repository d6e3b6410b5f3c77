"""The demo's clock, which can be paused."""

from __future__ import annotations

import asyncio

from firmware_bridge.clock import Clock

_SLICE_S = 0.05


class StageClock:
    """A clock on top of another one that can be paused by hand.

    `now` is thread-safe for readers: ports and buttons call it from their own threads.
    """

    def __init__(self, base: Clock) -> None:
        self._base = base
        self._at = (base.now(), 0.0)  # base time and own time of the last change
        self._running = True

    def now(self) -> float:
        base, own = self._at
        return own + (self._base.now() - base) if self._running else own

    @property
    def paused(self) -> bool:
        return not self._running

    def pause(self, on: bool) -> None:
        self._at = (self._base.now(), self.now())
        self._running = not on

    async def sleep(self, seconds: float) -> None:
        """Wait until that many seconds have passed on this clock; a pause in between is added."""
        end = self.now() + seconds
        while True:
            left = end - self.now()
            if left <= 1e-9:
                await asyncio.sleep(0)
                return
            await self._base.sleep(min(_SLICE_S, left))
