"""Many beads in an even hand: hits at random, without a stroke in which they would gather, as loud as a noise is."""

from __future__ import annotations

import numpy as np
from scipy.signal import fftconvolve

from tests.rattle import RATE, Sound

RING_HZ = (2300.0, 4100.0, 6900.0, 9800.0, 12500.0)
A_SECOND = 3000.0


def even_hand(seconds: float, onset: float = 1.0, seed: int = 1) -> Sound:
    """Float32[samples], RMS .05; its first tenth of a second is `onset` times as loud as the rest."""
    random = np.random.default_rng(seed)
    n = round(seconds * RATE)
    t = np.arange(round(0.02 * RATE)) / RATE
    out = np.zeros(n)
    for hz in RING_HZ:
        hits = random.exponential(size=n) * (random.random(n) < A_SECOND / RATE) * random.choice((-1, 1), n)
        out += fftconvolve(hits, np.sin(2 * np.pi * hz * t) * np.exp(-t * hz / 9))[:n]
    out *= 0.05 / np.sqrt(np.mean(out**2))
    out[: RATE // 10] *= onset
    return out.astype(np.float32)
