"""When the samples of a stream were recorded, on a clock beside it.

A line about a shake comes an unpredictable time after it: blocks wait for a busy machine or a stalled wire, and a
shake's end waits for its silence, for other seats and for their verdicts. So the time is not counted back from when the
line comes. It follows from where in the stream the shake ended, and when that was recorded.

Seconds of a stream are samples divided by its rate: they follow the device's clock, run slower or faster than the
host's, and leave out what was lost. Only nearby reference points are used, so neither error accumulates.
"""

from __future__ import annotations

from collections import deque
from typing import Protocol

KEPT_S = 15.0  # s of the stream: more than from a shake's end to its line
# reference points this long before are used as well: longer than a living device stalls (`capture.STALLED_S`)
BEFORE_S = 3.0


class TakenAt(Protocol):
    """For one opening of a source."""

    def at(self, second: float) -> float | None:
        """When that second of the stream was recorded; None before anything came."""
        ...


class ByArrival:
    """From the arrival of blocks. Each comes some time after its last sample was recorded, and the promptest ones tell
    how long.

    Blocks that came after a moment bound it: it was recorded no later than the block's arrival minus the sound in
    between, whatever was lost there. That is not enough where a stall lasts until the line comes, so blocks shortly
    before are used as well, as far back as no loss is known.
    """

    def __init__(self) -> None:
        self._came: deque[tuple[float, float]] = deque()
        self._lost: deque[float] = deque()

    def came(self, end_s: float, at: float) -> None:
        """The stream now extends to `end_s`, by a block that came at `at`."""
        self._came.append((end_s, at))
        while self._came[0][0] < end_s - KEPT_S:
            self._came.popleft()
        while self._lost and self._lost[0] < end_s - KEPT_S:
            self._lost.popleft()

    def lost(self, at_s: float) -> None:
        """An unknown amount was lost at that second of the stream."""
        self._lost.append(at_s)

    def at(self, second: float) -> float | None:
        since = max([second - BEFORE_S, *(lost for lost in self._lost if lost < second)])
        told = [at - (end_s - second) for end_s, at in self._came if end_s > since]
        return min(told) if told else None


class ByStamps:
    """From the stamps of a device's own clock, fitted to the host's, whatever delays a wire added. Stretches filled in
    between have stamps where they lie."""

    def __init__(self) -> None:
        self._stamps: deque[tuple[float, float]] = deque()

    def stamp(self, end_s: float, at: float) -> None:
        """The sample that ends at that second of the stream was recorded at `at`."""
        self._stamps.append((end_s, at))
        while self._stamps[0][0] < end_s - KEPT_S:
            self._stamps.popleft()

    def at(self, second: float) -> float | None:
        if not self._stamps:
            return None
        end_s, at = next((stamp for stamp in self._stamps if stamp[0] >= second), self._stamps[-1])
        return at - (end_s - second)
