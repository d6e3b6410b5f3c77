"""Whether a steady sound is made of hits, as of many beads in an even hand, or of noise, as of a fan or a machine.

In a band that is wide beside its frame rate, noise has as much energy in one frame as in the next: relative to its
square, the variance within a short window is about 1 / (bandwidth · frame). Hits that ring for less than a frame vary
several times as much, however many they are. So do mains that buzz, and blades that turn; but these repeat themselves.
"""

from __future__ import annotations

import numpy as np
import scipy  # its parts are loaded when they are first asked

from sensors.ear.frames.frontend import Array, Floats, FrontEnd

WIDE_HZ = 4000.0  # of a narrower band the energy of noise varies nearly as much
SHORT_S = 0.02
# Relative variance of the energy of frames in a short window, the median: of simulated fans and pink noise up to .3, of
# simulated hits at random, thousands a second, .75 and more (tests/even_hand.py).
VARIES = 0.5
# s: whoever repeats himself within the first does so in between; a room's echo does not last as long
REPEATS_AFTER_S = (0.05, 0.1)
# Autocorrelation of the energy, its largest: of buzzing mains .8 to 1, of noise that swells and fades by half .5, of
# hits up to .15, and of those that gather in strokes up to .3.
REPEATS = 0.4


def are_hits(front: FrontEnd, energy: Array) -> bool:
    """Whether float32[frames, bands] are of hits. False for an accelerometer, and where no band is wide enough to
    tell."""
    low, high = front.bands[-2]
    if front.hand or high - low < WIDE_HZ or len(energy) < 4 * REPEATS_AFTER_S[1] * front.frame_rate:
        return False
    band = energy[:, -2].astype(np.float64)
    return _varies(band, front.frame_rate) > VARIES and _repeats(band, front.frame_rate) < REPEATS


def _varies(band: Floats, rate: float) -> float:
    size = round(SHORT_S * rate)
    windows = band[: len(band) // size * size].reshape(-1, size)
    means = windows.mean(axis=1)
    return float(np.median(windows.var(axis=1) / np.maximum(means**2, np.finfo(float).tiny)))


def _repeats(band: Floats, rate: float) -> float:
    first, last = (round(after * rate) for after in REPEATS_AFTER_S)
    away = band - band.mean()
    alike = scipy.signal.correlate(away, away, method="fft")[len(band) - 1 :]
    pairs = len(band) - np.arange(first, last + 1)
    return float(np.max(alike[first : last + 1] / pairs) / max(alike[0] / len(band), np.finfo(float).tiny))
