"""Mains hum in a sensor's sound: an unshielded piezo disc picks up its harmonics, some of them in the lowest bands.

The quiet before or after a shake tells: with hum, a band's envelope there repeats with the mains, 50 or 60 times a
second. Decaying hits do not repeat, nor does noise.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sensors.ear.frames.frontend import Array, Floats

MAINS_HZ = (50.0, 60.0)
LEAST_FRAMES = 60  # besides one period
REPEATS = 0.8  # correlation at a lag of one period, less the lowest at shorter lags
SHORTER = (0.05, 0.95)  # range of shorter lags, as parts of a period
LOUD = 1 / 3  # of the level during the shake: softer hum does not harm the likeness
# s, left out between the shake and its quiet: hits decay
BEFORE_S, AFTER_S = 0.01, 0.03
QUIET_S = 0.5  # length of the quiet that is looked at


def humming(energy: Array, first: int, end: int, after: Array, rate: float) -> tuple[int, ...]:
    """Bands in which the mains hum so loudly that they cover a shake.

    The shake is frames `first` … `end` of `energy`, float32[frames, bands], at `rate` frames a second; `after` is what
    follows them. The last band, the wide one, is not examined.
    """
    quiet = _quiet(energy[:first], np.concatenate([energy[end:], after]), rate)[:, :-1]
    if len(quiet) < rate / min(MAINS_HZ) + LEAST_FRAMES:
        return ()
    loud = quiet.mean(axis=0) > LOUD * energy[first:end, :-1].mean(axis=0)
    height = np.sqrt(quiet.astype(np.float64))
    return tuple(band for band in np.flatnonzero(loud).tolist() if _repeats(height[:, band], rate))


def _quiet(before: Array, after: Array, rate: float) -> Array:
    """The quiet before a shake or after it, whichever is longer; only the part nearest to the shake."""
    n, ends, fades = (round(s * rate) for s in (QUIET_S, BEFORE_S, AFTER_S))
    before, after = before[: max(0, len(before) - ends)][-n:], after[fades:][:n]
    return after if len(after) >= len(before) else before


def _repeats(height: Floats, rate: float) -> bool:
    for period in (rate / hz for hz in MAINS_HZ):
        again = _alike(height, period)
        if again > REPEATS / 2:  # as it hardly ever is
            shorter = range(*(round(part * period) for part in SHORTER))
            if again - min(_alike(height, lag) for lag in shorter) > REPEATS:
                return True
    return False


def _alike(height: Floats, lag: float) -> float:
    """Correlation of float64[frames] with itself `lag` frames earlier; `lag` need not be a whole number."""
    whole, part = int(lag), lag % 1
    before = (1 - part) * height[1 : len(height) - whole] + part * height[: len(height) - whole - 1]
    both: npt.NDArray[np.float64] = np.stack([height[whole + 1 :], before])
    both -= both.mean(axis=1, keepdims=True)
    size = float(np.sqrt(np.square(both).sum(axis=1).prod()))
    return float(both[0] @ both[1]) / size if size > 0 else 0.0
