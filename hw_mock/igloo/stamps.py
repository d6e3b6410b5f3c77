"""How a simulated node numbers and dates what it says, and what a fault of its wire makes of that."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from firmware_bridge import packets as p
from hw_mock.ports import FaultyWire

MOST_HZ = 6553.0  # that the wire can tell of


@dataclass(slots=True)
class Stamps:
    """The next stamp of node `number`; its clock may be slow, and a number may come out wrong, as `wire` has it."""

    number: int
    wire: FaultyWire
    seq: int = 0  # of what it said last
    _random: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self._random = random.Random(self.number)

    def next(self, now_s: float) -> p.Stamp:
        """At so many seconds of the node's clock, were it right."""
        self.seq = (self.seq + 1) & 0xFFFF
        faults, number = self.wire.faults, self.number
        if faults.wrong_node and self._random.random() < faults.wrong_node:
            number = 200 + number
        return p.Stamp(number, self.seq, int(now_s * (1 - faults.slow_clock) * 1e6) & 0xFFFFFFFF)

    def told_hz(self, rate_hz: float) -> float:
        """A clock that is slow makes samples look quick."""
        return min(rate_hz / max(1 - self.wire.faults.slow_clock, 0.01), MOST_HZ)

    def begin_anew(self) -> None:
        self.seq = 0
