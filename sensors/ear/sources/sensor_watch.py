"""An accelerometer that is felt live, asked again and again whether its numbers can be right.

It is asked of what the chip itself gave, and not of the stream that an ear hears: there what lies still is made up
(`bursts.py`), and no axis is dead. A chip may fail in the midst of an evening, so each stretch is asked for itself.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np

from sensors.ear.frames.frontend import Array
from sensors.ear.sources.at_rest import Fault, fault_of

# a shake or two. Of one second an igloo on its way may seem to lie, and be lighter than it is
STRETCH_S = 3.0
# of one stretch a sensor whose gain and offset are just within its data sheet may seem to be read wrong
TIMES = {"dead": 1, "gravity": 2, "coarse": 1}  # stretches in a row
MOST_KEPT = 100  # that are kept for whoever looks


class SensorWatch:
    """`add` what came, `look` what is wrong, `now` what was wrong with the last of it."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._stretch = max(1, round(STRETCH_S * rate))  # samples
        self._felt: deque[Array] = deque()  # a stretch, and less than a block more
        self._held = self._new = 0  # samples: of these, and of the stretch that goes on
        self._last: Fault | None = None
        self._times = 0  # in a row that it was of that kind
        self._wrong: deque[Fault] = deque(maxlen=MOST_KEPT)

    def add(self, samples: Array) -> None:
        """float32[samples, 3] in g, as they were measured, of any length."""
        whole = len(samples) <= self._stretch - self._new
        while len(samples):
            left = self._stretch - self._new
            self._feel(samples if whole else samples[:left].copy())  # a piece would keep the block there
            samples = samples[left:]

    def _feel(self, piece: Array) -> None:
        """A block, or as much of it as is of the stretch that goes on."""
        self._felt.append(piece)
        self._held += len(piece)
        self._new += len(piece)
        while self._held - len(self._felt[0]) >= self._stretch:
            self._held -= len(self._felt.popleft())
        if self._new == self._stretch:
            self._new = 0
            self._ended(self.now())

    def _ended(self, found: Fault | None) -> None:
        """A stretch is over: what was wrong with it."""
        same = found is not None and self._last is not None and found.kind == self._last.kind
        self._last, self._times = found, self._times + 1 if same else 1
        if found is not None and self._times >= TIMES[found.kind]:
            self._wrong.append(found)

    def look(self) -> Iterator[Fault]:
        """What is wrong with it, once for each stretch that ended since the last call (of the last
        `MOST_KEPT` that had something), however blocks were cut."""
        while self._wrong:
            yield self._wrong.popleft()

    def now(self) -> Fault | None:
        """What is wrong by what was felt last."""
        return fault_of(np.concatenate(self._felt), self._rate) if self._felt else None
