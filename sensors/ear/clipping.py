"""Overdriven sound: samples at the end of the sensor's range."""

from __future__ import annotations

import numpy as np

from sensors.ear.frontend import Array, Sensor

FULL_SCALE = 0.999  # of a microphone
LEAST_RANGE_G = 1.9  # no accelerometer ends below ±2 g
AT_THE_END = 0.999  # of the furthest: a chip's range ends a step earlier on one side than on the other
VISITS = 4
LEAST = 3
# A few clipped peaks of single hits cost nothing; where more of a shake is cut off, the strong hits look alike.
SHARE: dict[Sensor, float] = {"microphone": 2e-4, "accelerometer": 2e-3}


class CutOff:
    """Counts the samples of one stream that are cut off: at full scale, or an accelerometer's flat tops.

    Nobody says where an accelerometer's range ends. It is where the stream came furthest, if it came there `VISITS`
    times and stayed from one sample to the next. A smooth stroke has a flat top as well, on a chip of coarse steps, but
    no two strokes end alike.
    """

    def __init__(self, sensor: Sensor) -> None:
        self._sensor = sensor
        self._furthest = LEAST_RANGE_G
        self._visits = self._held = 0  # at the furthest, and samples that they kept there
        self._last: Array | None = None
        self._stays: list[bool] = []  # is the last sample of each axis one of a flat top?

    def push(self, block: Array) -> int:
        """How many samples of float32[samples, channels] are; however the stream is cut into blocks, as many in all."""
        size = np.abs(block)
        if self._sensor == "microphone":
            loud = float(size.max(initial=0.0)) >= FULL_SCALE
            return int((size >= FULL_SCALE).sum()) if loud else 0
        if not len(block):
            return 0
        if self._last is None:
            self._last, self._stays = np.full(block.shape[1], np.nan, np.float32), [False] * block.shape[1]
        before = np.concatenate([self._last[None], block[:-1]])
        self._last = block[-1].copy()
        cut_off = 0
        far = np.flatnonzero(size.max(axis=1) >= AT_THE_END * self._furthest)
        gone = -1
        for row in far.tolist():
            if row != gone + 1:
                self._stays = [False] * block.shape[1]
            gone = row
            cut_off += self._look(size[row].tolist(), (block[row] == before[row]).tolist())
        if gone != len(block) - 1:
            self._stays = [False] * block.shape[1]
        return cut_off

    def _look(self, sizes: list[float], same: list[bool]) -> int:
        """At one sample of each axis, and whether it is the very one before."""
        for axis, size in enumerate(sizes):
            if size * AT_THE_END > self._furthest:
                self._visits = self._held = 0
            self._furthest = max(self._furthest, size)
            stays = same[axis] and size >= AT_THE_END * self._furthest
            self._held += stays
            self._visits += stays and not self._stays[axis]
            self._stays[axis] = stays
        if self._visits < VISITS:
            return 0
        held, self._held = self._held, 0
        return held


def overdriven(cut_off: int, samples: int, sensor: Sensor) -> bool:
    """Is that many of so many samples enough to be called clipped?"""
    return cut_off >= max(LEAST, SHARE[sensor] * samples)
