"""Time is injected: one clock for the service, another one that jumps for tests."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from datetime import UTC, datetime
from typing import Protocol

BORN = datetime(2026, 1, 1, tzinfo=UTC)  # a clock that shows an earlier time was never set


class Clock(Protocol):
    """Seconds since an arbitrary start, never going backwards, and a way to wait for them to pass."""

    def now(self) -> float: ...

    async def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """The host's monotonic clock, counted from the creation of the object."""

    def __init__(self) -> None:
        self._start = time.monotonic()

    def now(self) -> float:
        return time.monotonic() - self._start

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(max(0.0, seconds))


class VirtualClock:
    """A clock that stands still until `advance` moves it; sleepers wake in order of their times.

    >>> clock = VirtualClock()
    >>> clock.now()
    0.0
    """

    def __init__(self, start: float = 0.0) -> None:
        self._now = start
        self._order = itertools.count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def now(self) -> float:
        return self._now

    def set(self, now: float) -> None:
        """Jump to `now` without waking sleepers (for code that is driven by sample times)."""
        self._now = max(self._now, now)

    async def sleep(self, seconds: float) -> None:
        """Wait until `advance` has moved the clock by `seconds`; `set` wakes nobody."""
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._now + seconds, next(self._order), future))
        await future

    async def advance(self, seconds: float) -> None:
        """Let `seconds` pass: wake sleepers on the way, and let each one run until it waits again."""
        end = self._now + seconds
        await _settle()
        while self._sleepers and self._sleepers[0][0] <= end:
            when, _, future = heapq.heappop(self._sleepers)
            self._now = max(self._now, when)
            if not future.done():
                future.set_result(None)
            await _settle()
        self._now = end
        await _settle()


async def _settle() -> None:
    for _ in range(10):  # a woken task may wake others; ten rounds cover our longest chain
        await asyncio.sleep(0)
