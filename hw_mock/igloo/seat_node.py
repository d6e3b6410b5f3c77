"""A simulated seat's node: like the firmware, it streams what its ring's accelerometer measures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from firmware_bridge import packets as p
from firmware_bridge import polar
from hw_mock.commands import Commands
from hw_mock.igloo.node import Samples
from hw_mock.igloo.stamps import Stamps
from hw_mock.ports import FaultyWire

PER_FRAME = 38  # `firmware/seat_node.py`
FIRST_INDEX = 1
RANGE_G = 4
NUMBER = 33


@dataclass(slots=True)
class SeatNode:
    """`feel` returns the bytes that it sends; its clock counts the samples that it measured. It has no cell."""

    rate_hz: float  # its chip's measured rate
    number: int = NUMBER
    wire: FaultyWire = field(default_factory=FaultyWire)
    commands: Commands = field(default_factory=lambda: Commands(sleeps=False))
    _send_burst: bool = True
    _measured: int = 0
    _burst: int = 1
    _index: int = FIRST_INDEX
    _ring: list[p.Vector] = field(default_factory=list)
    stamps: Stamps = field(init=False)

    def __post_init__(self) -> None:
        self.stamps = Stamps(self.number, self.wire)

    @property
    def uid(self) -> str:
        return f"5ea7{self.number:012x}"

    @property
    def now_s(self) -> float:
        """The time of its clock."""
        return self._measured / self.rate_hz

    def feel(self, samples: Samples, heard: bytes = b"") -> bytes:
        """Take `heard` from the host, then measure float32[n, 3], in g; returns the bytes that it sends meanwhile."""
        for told in self.commands.hear(heard, self.number, self.now_s):
            self._send_burst = told.burst
        frames: list[bytes] = []
        for x, y, z in samples.tolist():
            self._measured += 1
            self._ring.append((x, y, z))
            frames += self._due()
        self.commands.regular(self.now_s, False)
        return self.wire.carry(frames, self.now_s)

    def overrun(self, samples: Samples) -> None:
        """Measure these samples while the board is busy for so long that the chip's FIFO overruns."""
        self._measured += len(samples)
        self._ring.clear()
        self._burst += 1

    def _due(self) -> Iterator[bytes]:
        if len(self._ring) == PER_FRAME:
            piece = tuple(self._ring)
            self._ring.clear()
            if self._send_burst:
                yield polar.encode(
                    p.Burst(
                        self._stamp(),
                        self._burst,
                        self._index & 0xFFFF,
                        self._told_hz(),
                        piece,
                    )
                )
            self._index += PER_FRAME
        if self.commands.hello_due(self.now_s):
            rate = round(self.rate_hz)
            about = self.uid, (0, 1, 0), 0, rate, 0, RANGE_G, False, (1.0, 0.0, 0.0, 0.0), "seat"
            yield polar.encode(p.Hello(self._stamp(), "seat", *about))

    def _stamp(self) -> p.Stamp:
        return self.stamps.next(self.now_s)

    def _told_hz(self) -> float:
        return self.stamps.told_hz(self.rate_hz)
