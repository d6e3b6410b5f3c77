"""Was a seat left to ring after a tap, or touched again? A pencil that is held loosely bounces.

A second touch sets the same tones going anew, so that no undisturbed tones fit the whole ring: read across it, a tone
is off by more than igloos differ. What comes after the last touch, or before the second, is as good a ring as any.

What tones leave of a ring tells of a touch where it is quiet; in noise only the tones themselves do. Undisturbed parts
of one ring sing alike: where its rest and the end of its rest do not, the touch lies in that rest, however little was
left of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from sensors.gesture.ringdown import Fit, Floats, fitted
from sensors.gesture.taps import LEAST_RING_S, Ring
from sensors.gesture.weigh import UPRIGHT, strongest

EARLY_S, LATE_S = 0.15, 0.3  # from the ring's start: where it is cut
# What tones leave of a ring is usual below this share of its beginning, and below that many times what they leave of
# its part of which they leave least.
SHARE, MORE = 0.015, {"accelerometer": 1.3, "microphone": 2.0}
# Relative: so far the upright tone of the whole may lie off that of its rest, by noise, or hum, or beads that knock at
# first: 2.4e-4 with the accelerometer and 5.0e-4 with a disc at most, of 700 simulated rings each. A touch moves it on.
FAR = {"accelerometer": 3e-4, "microphone": 5e-4}
# … and that of the rest off that of its end, of which less is known: 8e-4 and 1e-3 in 99 of 100 at least. Half of that
# where the whole is far off, so that it was touched for certain, and when is all that is asked.
APART = {"accelerometer": 8e-4, "microphone": 1e-3}
STILL = 2e-4  # so little moves no touch the whole: beads knock late, and leave as much as a touch does


@dataclass(frozen=True, slots=True)
class Calm:
    """What of a ring nothing disturbed; touched: the rest, by a second touch of the pencil, and not by beads."""

    ring: Ring
    touched: bool


def untouched(ring: Ring, whole: Fit, rate: float, sensor: str, loaded: bool) -> Calm | None:
    """What of a ring, fitted as a `whole`, nobody disturbed: all of it, or what comes after a second touch, or before
    it. None where nobody knows what that is, and with an igloo on where it is too little."""
    early, late, end = round(EARLY_S * rate), round(LATE_S * rate), len(ring.samples)
    if end - early < LEAST_RING_S * rate:
        return Calm(ring, touched=False)
    spans = [(early, end), (late, end), (0, late)]
    if end - late < LEAST_RING_S * rate:
        spans = spans[:1]
    parts = [fitted(ring.samples[first:last], rate, 2) for first, last in spans]
    lefts = [_rms(fit.left) for fit in (whole, *parts)]
    usual = max(SHARE * _rms(whole.of[:early]), MORE[sensor] * min(lefts))
    all_calm, *calm = (left <= usual for left in lefts)
    moved = _moved(whole, parts[0])
    far = moved > FAR[sensor]
    agreed = len(parts) == 1 or _moved(parts[0], parts[1]) <= APART[sensor] / (2 if far else 1)
    if agreed and calm[0]:
        # beads knock at first, or the pencil touched again at once: either is over
        if all_calm and not far:
            return Calm(ring, touched=False)
        return Calm(_part(ring, spans[0], rate), touched=far or not loaded)
    if agreed and loaded and moved <= STILL:
        return Calm(ring, touched=False)
    # beads knock at first: with an igloo on nobody knows which of the halves is calm, nor where both seem to be
    if loaded or calm[1:].count(True) != 1:
        return None
    return Calm(_part(ring, spans[1:][calm[1:].index(True)], rate), touched=True)


def _part(ring: Ring, span: tuple[int, int], rate: float) -> Ring:
    first, last = span
    return replace(ring, start_s=ring.start_s + first / rate, samples=ring.samples[first:last])


def _moved(one: Fit, other: Fit) -> float:
    """How far the upright tones lie apart, relative; infinitely where one is not there."""
    first, second = (strongest(fit.tones, UPRIGHT, 0.0) for fit in (one, other))
    return math.inf if first is None or second is None else abs(first.hz / second.hz - 1)


def _rms(x: Floats) -> float:
    return float(np.sqrt(np.mean(np.square(x))))
