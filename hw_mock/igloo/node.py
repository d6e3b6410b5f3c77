"""A simulated igloo node: sends its accelerometer's samples in bursts while the igloo is shaken, and obeys the host."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from firmware_bridge import packets as p
from firmware_bridge import polar
from hw_mock.commands import Commands
from hw_mock.igloo.stamps import Stamps
from hw_mock.ports import FaultyWire

SHAKE_G = 0.15  # a change of this size between two samples starts a burst (`firmware/igloo_node.py`)
QUIET_S = 0.4
PER_FRAME = 38
BEFORE = 3 * PER_FRAME  # samples kept from before a burst
LOOK = 38  # most samples in the chip when the board reads it
Samples = NDArray[np.float32]


@dataclass(slots=True)
class IglooNode:
    """One node, 17 to 28. `feel` returns the bytes that it sends; its clock counts the samples that it measured.

    `sleeps`: it has a cell of its own, and may sleep.
    """

    number: int
    rate_hz: float  # its chip's measured rate
    wire: FaultyWire = field(default_factory=FaultyWire)
    alive: bool = True
    sleeps: bool = True
    commands: Commands = field(init=False)
    _send_burst: bool = True
    _measured: int = 0
    _burst: int = 0
    _index: int = 0
    _shaking: bool = False
    _quiet: int = 0  # samples
    _ring: list[p.Vector] = field(default_factory=list)
    _before: p.Vector | None = None
    stamps: Stamps = field(init=False)

    def __post_init__(self) -> None:
        self.stamps = Stamps(self.number, self.wire)
        self.commands = Commands(sleeps=self.sleeps)

    @property
    def uid(self) -> str:
        return f"1910{self.number:012x}"

    @property
    def now_s(self) -> float:
        """The time of its clock."""
        return self._measured / self.rate_hz

    @property
    def light(self) -> tuple[int, int, int]:
        """The colour that it shows: red, green, blue, 0 to 255."""
        return self.commands.light

    def feel(self, samples: Samples, heard: bytes = b"") -> bytes:
        """Take `heard` from the host, then measure float32[n, 3], in g; returns the bytes that it sends meanwhile."""
        frames: list[bytes] = []
        if self.alive:
            for told in self.commands.hear(heard, self.number, self.now_s):
                self._send_burst = told.burst
        for at in range(0, len(samples), LOOK):
            frames += self._look(samples[at : at + LOOK])
        return self.wire.carry(frames, self.now_s) if self.alive else b""

    def begin_anew(self) -> None:
        """Its battery was changed, or it woke: frame numbers and clock restart, and it forgets its configuration."""
        self._measured = self._burst = self._index = self._quiet = 0
        self._shaking, self._before, self._send_burst = False, None, True
        self._ring.clear()
        self.stamps.begin_anew()
        self.commands.begin_anew(0.0)

    def _look(self, samples: Samples) -> Iterator[bytes]:
        for x, y, z in samples.tolist():
            self._measured += 1
            if self.commands.asleep:
                if self.commands.wakes((x, y, z), self.now_s):
                    self.begin_anew()
                    return  # what the chip measures until it is set up again is lost
                continue
            yield from self._one((x, y, z))
            if self.commands.hello_due(self.now_s):
                yield self._hello()
        if not self.commands.asleep:
            log = self.commands.regular(self.now_s, not self._shaking)
            if log is not None:
                yield polar.encode(p.Log(self._stamp(), *log))

    def _one(self, sample: p.Vector) -> Iterator[bytes]:
        last, self._before = self._before or sample, sample
        change = sum(abs(a - b) for a, b in zip(sample, last, strict=True))
        self._ring.append(sample)
        self._quiet = 0 if change > SHAKE_G else self._quiet + 1
        if not self._shaking:
            del self._ring[:-BEFORE]
            if change > SHAKE_G:
                self._shaking, self._index = True, 0
                self._burst += 1
            return
        while len(self._ring) >= PER_FRAME:
            piece = tuple(self._ring[:PER_FRAME])
            del self._ring[:PER_FRAME]
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
            if self._quiet > QUIET_S * self.rate_hz:
                self._shaking = False

    def _stamp(self) -> p.Stamp:
        return self.stamps.next(self.now_s)

    def _told_hz(self) -> float:
        return self.stamps.told_hz(self.rate_hz)

    def _hello(self) -> bytes:
        return polar.encode(
            p.Hello(
                self._stamp(), "igloo", self.uid, (0, 1, 0), 4000, round(self.rate_hz), 0, 16, not self._shaking,
                (1.0, 0.0, 0.0, 0.0), f"igloo {self.number}",
            )
        )  # fmt: skip
