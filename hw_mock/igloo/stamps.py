"""Sequence numbers and timestamps of a simulated node's frames, and the faults of its wire that affect them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from firmware_bridge import packets as p
from hw_mock.ports import FaultyWire

MOST_HZ = 6553.0  # highest sample rate that the wire format can carry


@dataclass(slots=True)
class Stamps:
    """Makes the stamps of node `number`; with the faults of `wire`, its clock may be slow, and a node number wrong."""

    number: int
    wire: FaultyWire
    seq: int = 0  # of the last frame
    _random: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self._random = random.Random(self.number)

    def next(self, now_s: float) -> p.Stamp:
        """The next stamp; `now_s`: seconds of the node's clock if it were right."""
        self.seq = (self.seq + 1) & 0xFFFF
        faults, number = self.wire.faults, self.number
        if faults.wrong_node and self._random.random() < faults.wrong_node:
            number = 200 + number
        return p.Stamp(number, self.seq, int(now_s * (1 - faults.slow_clock) * 1e6) & 0xFFFFFFFF)

    def told_hz(self, rate_hz: float) -> float:
        """The rate that the node reports: with a slow clock, samples seem to come faster."""
        return min(rate_hz / max(1 - self.wire.faults.slow_clock, 0.01), MOST_HZ)

    def begin_anew(self) -> None:
        self.seq = 0
