"""Was the seat left to ring after a tap, or touched again? A loosely held pencil bounces.

A second touch restarts the same tones, so that no undisturbed tones fit the whole ring: a tone measured across it is
off by more than igloos differ. The part after the last touch, or the part before the second, is as good a ring as any.

Where it is quiet, the residual of the fit shows a touch; in noise only the tones themselves do. Undisturbed parts of
one ring have the same tones. Where its later part and the end of that part do not, the touch lies in the later part,
however small the residual is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from sensors.gesture.ringdown import Fit, Floats, fitted
from sensors.gesture.taps import LEAST_RING_S, Ring
from sensors.gesture.weigh import UPRIGHT, strongest

EARLY_S, LATE_S = 0.15, 0.3  # s from the ring's start, where it is cut
# The residual is normal up to this share of the ring's beginning, or up to this multiple of the smallest residual of
# its parts.
SHARE, MORE = 0.015, {"accelerometer": 1.3, "microphone": 2.0}
# Relative: the upright tone of the whole may differ from that of its later part by this much, through noise, hum, or
# beads that knock at first: at most 2.4e-4 with the accelerometer and 5.0e-4 with a disc, of 700 simulated rings each.
# A touch moves it further.
FAR = {"accelerometer": 3e-4, "microphone": 5e-4}
# The same for the tone of the later part against that of its end, which is less exact: 8e-4 and 1e-3 in at least 99 of
# 100. Half of that where the whole is far off: then it was certainly touched, and the only question is when.
APART = {"accelerometer": 8e-4, "microphone": 1e-3}
STILL = 2e-4  # a touch moves the whole by more: beads that knock late leave as large a residual as a touch


@dataclass(frozen=True, slots=True)
class Calm:
    """The undisturbed part of a ring; touched: the rest was disturbed by a second touch of the pencil, not by beads."""

    ring: Ring
    touched: bool


def untouched(ring: Ring, whole: Fit, rate: float, sensor: str, loaded: bool) -> Calm | None:
    """The undisturbed part of a ring fitted as a `whole`: all of it, or the part after a second touch, or the part
    before it. None where that is unknown, or, with an igloo on, too short."""
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
        # beads knock at first, or the pencil touched again at once: both are over
        if all_calm and not far:
            return Calm(ring, touched=False)
        return Calm(_part(ring, spans[0], rate), touched=far or not loaded)
    if agreed and loaded and moved <= STILL:
        return Calm(ring, touched=False)
    # beads knock at first: with an igloo on, it is unknown which half is calm, as it is where both halves seem calm
    if loaded or calm[1:].count(True) != 1:
        return None
    return Calm(_part(ring, spans[1:][calm[1:].index(True)], rate), touched=True)


def _part(ring: Ring, span: tuple[int, int], rate: float) -> Ring:
    first, last = span
    return replace(ring, start_s=ring.start_s + first / rate, samples=ring.samples[first:last])


def _moved(one: Fit, other: Fit) -> float:
    """Relative difference of the upright tones; infinite where one is missing."""
    first, second = (strongest(fit.tones, UPRIGHT, 0.0) for fit in (one, other))
    return math.inf if first is None or second is None else abs(first.hz / second.hz - 1)


def _rms(x: Floats) -> float:
    return float(np.sqrt(np.mean(np.square(x))))
