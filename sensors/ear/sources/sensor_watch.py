"""Checks a live accelerometer continuously: can its numbers be right?

It examines the chip's own samples, not the stream that an ear hears: there, stillness is synthetic (`bursts.py`) and no
axis is dead. A chip may fail in the middle of an evening, so each stretch is judged by itself.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np

from sensors.ear.frames.frontend import Array
from sensors.ear.sources.at_rest import Fault, fault_of

# a shake or two; within one second a moving igloo may seem to lie still, and to be lighter than it is
STRETCH_S = 3.0
# in one stretch, a sensor whose gain and offset are just within its data sheet may seem to be read wrongly
TIMES = {"dead": 1, "gravity": 2, "coarse": 1}  # consecutive stretches before the fault is reported
MOST_KEPT = 100  # faults that are kept for a reader


class SensorWatch:
    """`add` samples; `look` returns faults, and `now` the latest one."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._stretch = max(1, round(STRETCH_S * rate))  # samples
        self._felt: deque[Array] = deque()  # one stretch, and less than a block more
        self._held = self._new = 0  # samples: in `_felt`, and of the stretch that goes on
        self._last: Fault | None = None
        self._times = 0  # consecutive stretches with this kind of fault
        self._wrong: deque[Fault] = deque(maxlen=MOST_KEPT)

    def add(self, samples: Array) -> None:
        """float32[samples, 3] in g, as measured, of any length."""
        whole = len(samples) <= self._stretch - self._new
        while len(samples):
            left = self._stretch - self._new
            # a view would keep the whole block in memory
            self._feel(samples if whole else samples[:left].copy())
            samples = samples[left:]

    def _feel(self, piece: Array) -> None:
        """A block, or the part of it that belongs to the present stretch."""
        self._felt.append(piece)
        self._held += len(piece)
        self._new += len(piece)
        while self._held - len(self._felt[0]) >= self._stretch:
            self._held -= len(self._felt.popleft())
        if self._new == self._stretch:
            self._new = 0
            self._ended(self.now())

    def _ended(self, found: Fault | None) -> None:
        """A stretch has ended, with this fault."""
        same = found is not None and self._last is not None and found.kind == self._last.kind
        self._last, self._times = found, self._times + 1 if same else 1
        if found is not None and self._times >= TIMES[found.kind]:
            self._wrong.append(found)

    def look(self) -> Iterator[Fault]:
        """The faults of all stretches that ended since the last call (at most the last `MOST_KEPT`), however blocks
        were split."""
        while self._wrong:
            yield self._wrong.popleft()

    def now(self) -> Fault | None:
        """The fault at present, by the last stretch."""
        return fault_of(np.concatenate(self._felt), self._rate) if self._felt else None
