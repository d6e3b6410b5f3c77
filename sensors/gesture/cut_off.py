"""Where a source was at the end of its range, and what of a ring is whole after that."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sensors.gesture.taps import LEAST_RING_S, Ring

FULL = {"accelerometer": 3.9, "microphone": 0.999}
MOST_CLIPS = 64
CLIP_TAIL_S = 0.012  # the filter's memory of a clipped sample


class Clips:
    """`push` what comes, before it is filtered; `whole` asks of a ring that was found in it."""

    def __init__(self, sensor: str, rate: float) -> None:
        """sensor: `accelerometer` or `microphone`; KeyError for another."""
        self._full = FULL[sensor]
        self._rate = rate
        self._at: list[float] = []  # s

    def push(self, block: NDArray[np.floating], begins_s: float) -> None:
        """A block [n] or [n, channels] that begins then."""
        size = np.abs(np.nan_to_num(block))
        full = np.flatnonzero((size if size.ndim == 1 else size.max(axis=1, initial=0.0)) >= self._full)
        if len(full):
            ends = (begins_s + float(i) / self._rate for i in (full[0], full[-1]))
            self._at = [*self._at, *ends][-MOST_CLIPS:]

    def whole(self, ring: Ring, rate: float) -> tuple[Ring, bool]:
        """What of a ring, sampled at `rate`, comes after the last clipped sample; the second: too little of it is
        left."""
        end_s = ring.start_s + len(ring.samples) / rate
        late = [t for t in self._at if ring.start_s - CLIP_TAIL_S < t < end_s]
        if not late:
            return ring, False
        skip = round((max(late) + CLIP_TAIL_S - ring.start_s) * rate)
        if len(ring.samples) - skip < LEAST_RING_S * rate:
            return ring, True
        return Ring(ring.start_s + skip / rate, ring.samples[skip:], ring.strike, ring.before), False
