"""Levels of the wide band, one every ten milliseconds, from frames as they come."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from sensors.ear.frames.finder import BLOCK_S
from sensors.ear.frames.frontend import Array, FrontEnd, Sensor

# wide band, relative to full scale or 1 g: below this there is silence on any device
SILENT_DB: dict[Sensor, float] = {"microphone": -84.0, "accelerometer": -62.0}
FINE_DB = -100.0  # for a microphone's file of more than 16 bits, which may have been recorded at any gain


def silent_db(sensor: Sensor, fine: bool = False) -> float:
    """The level below which there is silence. `fine`: in a file of more than 16 bits."""
    return FINE_DB if fine and sensor == "microphone" else SILENT_DB[sensor]


def decibels(energy: float) -> float:
    """Relative to full scale (1.0, or 1 g); −120 for zero."""
    return 10 * math.log10(energy + 1e-12)


class Blocks:
    """Groups frames into blocks of 10 ms, of as many whole frames as fall into each: seven and eight alternately at 750
    frames a second."""

    def __init__(self, front: FrontEnd) -> None:
        self.frames = front.frame_rate * BLOCK_S
        self._made = 0
        self._pending: Array | None = None

    def push(self, frames: Array) -> Iterator[Array]:
        """Every block that float32[frames, …] completes, [frames of the block, …]."""
        pending = frames if self._pending is None else np.concatenate([self._pending, frames])
        while True:
            end = int((self._made + 1) * self.frames) - int(self._made * self.frames)
            self._pending = pending
            if len(pending) < end:
                return
            block, pending = pending[:end], pending[end:]
            self._made += 1
            self._pending = pending
            yield block


class Levels:
    """The level of each block."""

    def __init__(self, front: FrontEnd) -> None:
        self._blocks = Blocks(front)
        self.block_frames = self._blocks.frames

    def push(self, wide: Array) -> Iterator[float]:
        """dB of every block that float32[frames] of mean squares completes."""
        for block in self._blocks.push(wide):
            yield decibels(float(np.add.reduce(block)) / len(block))
