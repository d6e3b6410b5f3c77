"""Two or more igloos at one microphone: does the sound contain more than one hand's rhythm?

One hand leaves gaps: its sound rises and falls with its strokes, and an FFT of the level puts nearly all of its power
at one pace and its multiples. A second hand fills the gaps and adds its own pace. Often this cannot be told: two people
at one pace sound like one igloo with more beads.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sensors.ear.frames.frontend import Floats
from sensors.ear.shakes.takes import Take

LEVEL_RATE = 100.0  # Hz
LEAST_LEVEL = 1e-3  # of the mean energy
PACES = np.arange(1.8, 13.0, 0.08)  # Hz, of the strokes
MULTIPLES = (1, 2, 3, 4)
INSIDE = (1.2, 25.0)  # Hz
SIZE = 2048  # points of the FFT
FLOOR_QUANTILE, FLOOR_TIMES, LEFT = 0.05, 3.0, 0.07  # background taken off, and what is put back
LEAST_PACED_S = 0.8  # a shorter shake has too few strokes to show a pace
# A hand's pace wanders, and the resolution of the FFT grows with the length, so after some seconds one hand no longer
# has a single pace. A longer shake is therefore examined in windows, each as good as a short shake. Over the whole
# length, more than one hand in twenty would exceed SAID_FROM (`benchmarks/learning/overlap_fit.py --lengths`).
WINDOW_S = 2.75
# Logistic regression on simulated takes, alone and added up in company (`benchmarks/learning/overlap_fit.py`): weights
# of the power at one pace beyond chance, the power elsewhere, half-full gaps, and the intercept. It is said from the
# odds on that one in twenty shakes of one hand alone exceeds.
WEIGHTS = (13.76, 18.01, 1.54)
INTERCEPT = -10.63
SAID_FROM = 1.20


def rhythm(take: Take, part: slice = slice(None)) -> Floats:
    """Three numbers about the level, float64[3]: the share of its power at one pace and its multiples (less what chance
    gives), the share elsewhere, and how far the median level lies below the 90 % quantile, in ln. `part`: only these
    frames."""
    raw = take.raw[part, -1]
    above = np.maximum(raw - FLOOR_TIMES * np.quantile(raw, FLOOR_QUANTILE), 0.0)
    wide = (above / (float(above.mean()) + 1e-30) + LEFT) / (1 + LEFT)
    n = max(1, round(take.rate / LEVEL_RATE))
    level = np.log(wide[: len(wide) // n * n].reshape(-1, n).mean(axis=1) + LEAST_LEVEL)
    rate = take.rate / n
    power = np.abs(np.fft.rfft((level - level.mean()) * np.hanning(len(level)), SIZE)) ** 2
    hz = np.asarray(np.fft.rfftfreq(SIZE, 1 / rate), np.float64)
    inside = (hz > INSIDE[0]) & (hz < INSIDE[1])
    power, hz = power[inside] / max(float(power[inside].sum()), 1e-30), hz[inside]
    half = 1.3 * rate / len(level)  # half the window's main lobe
    comb = _combs(hz, half)
    at_pace = comb @ power - comb.mean(axis=1)
    best = int(np.argmax(at_pace))
    middle, loud = np.quantile(level, (0.5, 0.9))
    return np.array([at_pace[best], 1.0 - comb[best] @ power, middle - loud])


def _combs(hz: Floats, half: float) -> Floats:
    """For each pace, which frequencies lie within `half` of it or of one of its multiples: bool as float64[paces,
    frequencies]."""
    middles = PACES[:, None] * np.array(MULTIPLES)
    first, last = np.searchsorted(hz, middles - half), np.searchsorted(hz, middles + half)
    steps = np.zeros((len(PACES), len(hz) + 1))
    rows = np.arange(len(PACES))
    for k in range(len(MULTIPLES)):
        steps[rows, first[:, k]] += 1.0
        steps[rows, last[:, k]] -= 1.0
    return np.asarray(np.cumsum(steps, axis=1)[:, :-1] > 0.5, dtype=np.float64)


def windows(take: Take) -> Iterator[slice]:
    """All frames of the take; of a longer one, windows of `WINDOW_S` from its beginning to its end, each sharing half
    of its frames with the next."""
    frames, long = len(take.raw), round(WINDOW_S * take.rate)
    steps = max(0, -(-(frames - long) // (long // 2)))
    for k in range(steps + 1):
        first = (frames - long) * k // steps if steps else 0
        yield slice(first, first + long)


def rhythms(take: Take) -> Floats:
    """The mean of `rhythm` over the windows, float64[3]."""
    return np.asarray(np.mean([rhythm(take, part) for part in windows(take)], axis=0))


def log_odds(take: Take) -> float:
    """Log odds that more than one igloo is shaken."""
    return float(rhythms(take) @ np.array(WEIGHTS) + INTERCEPT)


def hands(take: Take) -> tuple[float, float, float]:
    """Log odds that more than one igloo is shaken, less the `SAID_FROM` from which on it is said: above 0, say so. Then
    what `rhythm` gives of the level: the share of its power at one pace, and how far its median lies below what is
    loud, in ln. (1 and 0 where nobody asks.)"""
    if take.front.hand or take.seconds < LEAST_PACED_S:
        return -1.0, 1.0, 0.0  # the shell carries its own igloo alone
    told = rhythms(take)
    return float(told @ np.array(WEIGHTS) + INTERCEPT) - SAID_FROM, float(told[0]), float(told[2])


def several(take: Take) -> float:
    """Only the first of `hands`."""
    return hands(take)[0]
