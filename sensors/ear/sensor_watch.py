"""An accelerometer that is felt live, asked again and again whether its numbers can be right.

It is asked of what the chip itself gave, and not of the stream that an ear hears: there what lies still is made up
(`bursts.py`), and no axis is dead. A chip may fail in the midst of an evening, so each stretch is asked for itself.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np

from sensors.ear.at_rest import Fault, fault_of
from sensors.ear.frontend import Array

# a shake or two. Of one second an igloo on its way may seem to lie, and be lighter than it is
STRETCH_S = 3.0
# of one stretch a sensor whose gain and offset are just within its data sheet may seem to be read wrong
TIMES = {"dead": 1, "gravity": 2, "coarse": 1}  # stretches in a row


class SensorWatch:
    """`add` what came, `look` what is wrong, `now` what was wrong with the last of it."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._felt: deque[Array] = deque()  # a stretch, and less than a frame more
        self._held = self._new = 0  # samples: of these, and of them that nobody looked at
        self._last: Fault | None = None
        self._times = 0  # in a row that it was of that kind

    def add(self, samples: Array) -> None:
        """float32[samples, 3] in g, as they were measured."""
        self._felt.append(samples)
        self._held += len(samples)
        self._new += len(samples)
        while self._held - len(self._felt[0]) >= STRETCH_S * self._rate:
            self._held -= len(self._felt.popleft())

    def look(self) -> Iterator[Fault]:
        """What is wrong with it, once for each stretch that ended since the last call."""
        if self._new < STRETCH_S * self._rate:
            return
        self._new = 0
        found = self.now()
        same = found is not None and self._last is not None and found.kind == self._last.kind
        self._last, self._times = found, self._times + 1 if same else 1
        if found is not None and self._times >= TIMES[found.kind]:
            yield found

    def now(self) -> Fault | None:
        """What is wrong by what was felt last."""
        return fault_of(np.concatenate(self._felt), self._rate) if self._felt else None
