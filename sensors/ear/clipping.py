"""Overdriven sound: samples at the end of the sensor's range."""

from __future__ import annotations

import numpy as np

from sensors.ear.frontend import Array, Sensor

FULL_SCALE = 0.999  # of a microphone
LEAST_RANGE_G = 1.9  # no accelerometer ends below ±2 g
AT_THE_END = 0.999  # of the furthest: a chip's range ends a step earlier on one side than on the other
LEAST = 3
# A few clipped peaks of single hits cost nothing; where more of a shake is cut off, the strong hits look alike.
SHARE: dict[Sensor, float] = {"microphone": 2e-4, "accelerometer": 2e-3}


class CutOff:
    """Counts the samples of one stream that are cut off: at full scale, or an accelerometer's flat tops.

    Nobody says where an accelerometer's range ends. It is where the stream came furthest, if it stayed there from one
    sample to the next. A block's own furthest is no end: on a chip of coarse steps two neighbours are often alike.
    """

    def __init__(self, sensor: Sensor) -> None:
        self._sensor = sensor
        self._furthest = LEAST_RANGE_G
        self._last: Array | None = None

    def push(self, block: Array) -> int:
        """How many samples of float32[samples, channels] are; however the stream is cut into blocks, as many in all."""
        size = np.abs(block)
        if self._sensor == "microphone":
            loud = float(size.max(initial=0.0)) >= FULL_SCALE
            return int((size >= FULL_SCALE).sum()) if loud else 0
        if not len(block):
            return 0
        ends = np.maximum.accumulate(np.maximum(size.max(axis=1), np.float32(self._furthest)))
        self._furthest = float(ends[-1])
        signed = np.where(size >= AT_THE_END * ends[:, None], np.sign(block), 0).astype(np.float32)
        if self._last is not None:
            signed = np.concatenate([self._last, signed])
        self._last = signed[-1:]
        return int(((signed[1:] != 0) & (signed[1:] == signed[:-1])).sum())


def overdriven(cut_off: int, samples: int, sensor: Sensor) -> bool:
    """Is that many of so many samples enough to be called clipped?"""
    return cut_off >= max(LEAST, SHARE[sensor] * samples)
