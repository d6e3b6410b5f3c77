"""Overdriven sound: samples at the end of the sensor's range."""

from __future__ import annotations

import numpy as np

from sensors.ear.frontend import Array, Sensor

FULL_SCALE = 0.999  # of a microphone
LEAST_RANGE_G = 1.9  # no accelerometer ends below ±2 g
LEAST = 3
# A few clipped peaks of single hits cost nothing; where more of a shake is cut off, the strong hits look alike.
SHARE: dict[Sensor, float] = {"microphone": 2e-4, "accelerometer": 2e-3}


def at_the_end(block: Array, sensor: Sensor) -> int:
    """How many samples of float32[samples, channels] are cut off: at full scale, or an accelerometer's flat tops."""
    size = np.abs(block)
    top = float(size.max(initial=0.0))
    if sensor == "microphone":
        return int((size >= FULL_SCALE).sum()) if top >= FULL_SCALE else 0
    if top < LEAST_RANGE_G:
        return 0
    return int(((size[1:] == top) & (size[:-1] == top)).sum())


def overdriven(cut_off: int, samples: int, sensor: Sensor) -> bool:
    """Is that many of so many samples enough to be called clipped?"""
    return cut_off >= max(LEAST, SHARE[sensor] * samples)
