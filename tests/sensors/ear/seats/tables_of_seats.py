"""Hits of people who shake, and what each seat's microphone hears of them."""

import numpy as np

from sensors.ear.frames.frontend import FRONT_ENDS
from sensors.ear.seats import neighbours

FRONT = FRONT_ENDS[0]
RATE = FRONT.frame_rate


def hits(random, seconds, a_second=60.0, bands=6):
    """Energies [frames, bands] of hits that ring for a few milliseconds, in bursts of strokes."""
    n = round(seconds * RATE)
    out = np.zeros((n, bands))
    strokes = np.sin(2 * np.pi * random.uniform(3.5, 5.5) * np.arange(n) / RATE + random.uniform(0, 6)) > 0
    at = np.flatnonzero((random.random(n) < a_second / RATE) & strokes)
    out[at] = np.exp(random.normal(0, 0.7, (len(at), 1))) * np.exp(random.normal(0, 0.3, (len(at), bands)))
    ring = np.exp(-np.arange(40) / 6)
    return np.stack([np.convolve(out[:, b], ring)[:n] for b in range(bands)], axis=1)


def table_of(random, loud, seconds=4.0, leak=0.12):
    """What each of the seats hears when those with `loud` > 0 shake: (heard, own) float64[seats, frames, bands]."""
    own = np.stack([level * hits(random, seconds) for level in loud])
    heard = own + 1e-5
    elsewhere = [neighbours.arriving(each, RATE) for each in own]
    for i in range(len(loud)):
        for j in range(len(loud)):
            if i != j:
                heard[i] += leak * elsewhere[j]
    return heard, own
