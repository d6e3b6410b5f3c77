"""Levels of the wide band, one in ten milliseconds, of frames as they come."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from sensors.ear.frames.finder import BLOCK_S
from sensors.ear.frames.frontend import Array, FrontEnd


def decibels(energy: float) -> float:
    """Of full scale (1.0, or 1 g), and −120 of nothing."""
    return 10 * math.log10(energy + 1e-12)


class Levels:
    """A block is as many whole frames as fall into its 10 ms: seven and eight in turn where there are 750 a second."""

    def __init__(self, front: FrontEnd) -> None:
        self.block_frames = front.frame_rate * BLOCK_S
        self._blocks = 0
        self._pending: Array = np.zeros(0, np.float32)

    def push(self, wide: Array) -> Iterator[float]:
        """dB of every block that float32[frames] of mean squares complete."""
        self._pending = np.concatenate([self._pending, wide])
        while True:
            end = int((self._blocks + 1) * self.block_frames) - int(self._blocks * self.block_frames)
            if len(self._pending) < end:
                return
            level = decibels(float(np.add.reduce(self._pending[:end])) / end)
            self._pending = self._pending[end:]
            self._blocks += 1
            yield level
