"""Was a seat left to ring after a tap, or touched again? A pencil that is held loosely bounces.

A second touch sets the same tones going anew, so that no undisturbed tones fit the whole ring: read across it, a tone
is off by more than igloos differ. What comes after the last touch, or before the second, is as good a ring as any.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from sensors.gesture.ringdown import Fit, Floats, fitted
from sensors.gesture.taps import LEAST_RING_S, Ring
from sensors.gesture.weigh import UPRIGHT, strongest

EARLY_S, LATE_S = 0.15, 0.3  # from the ring's start: where it is cut
# What tones leave of a ring is usual below this share of its beginning, and below that many times what they leave of
# its part of which they leave least.
SHARE, MORE = 0.015, {"accelerometer": 1.3, "microphone": 2.0}
# Relative: so far the upright tone of the whole may lie off that of a part. Beads knock, and leave as much as a touch
# does; but they hardly move the tone: by 1.5e-4 at most with the accelerometer, with a disc 4.4e-4. Its noise hides
# weak touches; what moves the tone so far is one (2.8e-4 at most else, with or without an igloo). A disc's hum does.
MOVED = {"accelerometer": 2e-4, "microphone": 5e-4}
FAR = {"accelerometer": 3e-4, "microphone": math.inf}
SHORT = 2.0  # times that for half a ring


def untouched(ring: Ring, whole: Fit, rate: float, sensor: str, loaded: bool) -> Ring | None:
    """What of a ring, fitted as a `whole`, nobody disturbed: all of it, or what comes after a second touch, or before
    it. None where that is nothing, and with an igloo on where it is too little: beads knock at first, and nobody knows
    which part is calm."""
    early, late, end = round(EARLY_S * rate), round(LATE_S * rate), len(ring.samples)
    if end - early < LEAST_RING_S * rate:
        return ring
    parts = [(early, end), (late, end), (0, late)]  # the longest first
    if end - late < LEAST_RING_S * rate:
        parts = parts[:1]
    alone = [fitted(ring.samples[first:last], rate, 2) for first, last in parts]
    lefts = [_rms(fit.left) for fit in (whole, *alone)]
    usual = max(SHARE * _rms(whole.of[:early]), MORE[sensor] * min(lefts))
    best = next((i for i, left in enumerate(lefts[1:]) if left <= usual), None)
    if best is None:
        return None  # the only part of a short ring is no calmer than all of it
    moved = _moved(whole, alone[best]) / (SHORT if best else 1.0)
    if lefts[0] <= usual:
        if not FAR[sensor] < moved < math.inf:
            return ring
    elif loaded and moved <= MOVED[sensor]:
        return ring
    if loaded and best:
        return None
    first, last = parts[best]
    return replace(ring, start_s=ring.start_s + first / rate, samples=ring.samples[first:last])


def _moved(whole: Fit, part: Fit) -> float:
    """How far the upright tones lie apart, relative; infinitely where one is not there."""
    one, other = (strongest(fit.tones, UPRIGHT, 0.0) for fit in (whole, part))
    return math.inf if one is None or other is None else abs(one.hz / other.hz - 1)


def _rms(x: Floats) -> float:
    return float(np.sqrt(np.mean(np.square(x))))
