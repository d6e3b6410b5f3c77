"""Where a source clipped, and which part of a ring is intact after that."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sensors.gesture.taps import LEAST_RING_S, Ring

FULL = {"accelerometer": 3.9, "microphone": 0.999}
MOST_CLIPS = 64
CLIP_TAIL_S = 0.012  # memory of the decimation filter after a clipped sample


class Clips:
    """`push` samples before they are filtered; `whole` tells about a ring that was found in them."""

    def __init__(self, sensor: str, rate: float) -> None:
        """sensor: `accelerometer` or `microphone`; KeyError for another."""
        self._full = FULL[sensor]
        self._rate = rate
        self._spans: list[tuple[float, float]] = []  # from … to, s

    def push(self, block: NDArray[np.floating], begins_s: float) -> None:
        """Take a block [n] or [n, channels] that begins at this time."""
        size = np.abs(np.nan_to_num(block))
        full = np.flatnonzero((size if size.ndim == 1 else size.max(axis=1, initial=0.0)) >= self._full)
        if not len(full):
            return
        # a recording's block holds seconds, and so may hold several blows
        apart = np.flatnonzero(np.diff(full) > CLIP_TAIL_S * self._rate)
        for first, last in zip(full[[0, *apart + 1]], full[[*apart, -1]], strict=True):
            begin_s, end_s = (begins_s + float(i) / self._rate for i in (first, last))
            if self._spans and begin_s - self._spans[-1][1] <= CLIP_TAIL_S:
                begin_s = self._spans.pop()[0]
            self._spans.append((begin_s, end_s))
        self._spans = self._spans[-MOST_CLIPS:]

    def whole(self, ring: Ring, rate: float) -> tuple[Ring, bool, bool]:
        """The part of a ring, sampled at `rate`, that follows the last clipped sample; whether too little of it is
        left; whether any of it was clipped."""
        end_s = ring.start_s + len(ring.samples) / rate
        late = [
            min(last, end_s)
            for first, last in self._spans
            if first < end_s and last > ring.start_s - CLIP_TAIL_S
        ]
        if not late:
            return ring, False, False
        skip = round((max(late) + CLIP_TAIL_S - ring.start_s) * rate)
        if len(ring.samples) - skip < LEAST_RING_S * rate:
            return ring, True, True
        return Ring(ring.start_s + skip / rate, ring.samples[skip:], ring.strike, ring.before), False, True
