"""When what is heard in a stream was taken, on a clock beside it.

A line about a shake comes a while after it, and nobody knows beforehand how long: blocks wait for a busy machine or a
stalled wire, a shake's end waits for its silence, for other seats and for their verdicts. So the time is not reckoned
back from when the line comes. It is told by where in the stream the shake ended, and when that was taken.

Seconds of a stream are samples over its rate: they run by the device's clock, go slower or faster than the host's, and
leave out what was lost. Only what came close by is asked, so neither adds up.
"""

from __future__ import annotations

from collections import deque
from typing import Protocol

KEPT_S = 15.0  # of the stream: more than from a shake's end to its line
# what came so long before tells too: longer than a device that lives stalls (`capture.STALLED_S`)
BEFORE_S = 3.0


class TakenAt(Protocol):
    """Of one opening of a source."""

    def at(self, second: float) -> float | None:
        """When that second of the stream was taken; None before anything came."""
        ...


class ByArrival:
    """By when blocks came, each some time after its last sample was taken: how long, the promptest ones tell.

    What came after a moment bounds it for good: it was taken no later than the block less what lies between, whatever
    was lost there. That is not enough where a stall goes on until the line is there, so what came shortly before is
    asked as well, as far back as nothing is known to be lost.
    """

    def __init__(self) -> None:
        self._came: deque[tuple[float, float]] = deque()
        self._lost: deque[float] = deque()

    def came(self, end_s: float, at: float) -> None:
        """The stream goes up to `end_s` now, by a block that came at `at`."""
        self._came.append((end_s, at))
        while self._came[0][0] < end_s - KEPT_S:
            self._came.popleft()
        while self._lost and self._lost[0] < end_s - KEPT_S:
            self._lost.popleft()

    def lost(self, at_s: float) -> None:
        """Some was lost at that second of the stream: nobody knows how much."""
        self._lost.append(at_s)

    def at(self, second: float) -> float | None:
        since = max([second - BEFORE_S, *(lost for lost in self._lost if lost < second)])
        told = [at - (end_s - second) for end_s, at in self._came if end_s > since]
        return min(told) if told else None


class ByStamps:
    """By the stamps that a device's own clock put on its samples, as they were fitted to the host's: whatever a wire
    did to them. Stretches that were filled between them are stamped as well, where they lie."""

    def __init__(self) -> None:
        self._stamps: deque[tuple[float, float]] = deque()

    def stamp(self, end_s: float, at: float) -> None:
        """The sample that ends at that second of the stream was taken at `at`."""
        self._stamps.append((end_s, at))
        while self._stamps[0][0] < end_s - KEPT_S:
            self._stamps.popleft()

    def at(self, second: float) -> float | None:
        if not self._stamps:
            return None
        end_s, at = next((stamp for stamp in self._stamps if stamp[0] >= second), self._stamps[-1])
        return at - (end_s - second)
