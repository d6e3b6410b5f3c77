"""Samples that an accelerometer clipped, by axis and side: there, peaks are flat or pile up at one value."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sensors.ear.frames.frontend import Array
from sensors.ear.frames.piled_peaks import PiledPeaks

LEAST_RANGE_G = 1.8  # g; no accelerometer's range is below ±2 g, apart from offset and gain corrections
SAME_SIZE = 0.999  # relative; a range ends at one value, up to rounding
VISITS = 4  # flat peaks, for each peak that went further and for none
PILED = 2  # times as many as peaks of any smaller size: on a coarse chip many peaks are alike
KEPT = 6  # of the largest sizes
LEAST_STEP_G = 1e-3  # samples that differ by less are equal, up to rounding


@dataclass(slots=True)
class _Peaks:
    """The peaks of one size, and how many peaks have gone further since the first of them."""

    size: float
    beyond: int
    seen: int = 0
    flat: int = 0
    held: int = 0  # samples of an ongoing plateau that are not counted yet

    @property
    def end(self) -> bool:
        return self.flat >= VISITS * (1 + self.beyond)


class AxisEnds:
    """Counts the clipped samples of one stream.

    Each side of each axis is judged by itself: makers correct the axes one by one, and an axis may be stuck, so none of
    them tells where another one ends.
    """

    def __init__(self) -> None:
        self._sides: list[_Side] = []  # each axis's two

    def push(self, block: Array) -> int:
        """The number of newly found clipped samples of float32[samples, axes], in g. The total does not depend on how
        the stream is split into blocks."""
        self._sides = self._sides or [_Side() for _ in range(2 * block.shape[1])]
        both = np.concatenate([block, -block], axis=1)
        return sum(side.push(both[:, i]) for i, side in enumerate(self._sides))


class _Side:
    """One side of one axis: finds the value at which its range ends.

    A single peak beyond that value is a fault on the wire and is outvoted. On a chip of coarse steps a smooth stroke
    has a flat peak too, but no two strokes peak at the same value.
    """

    def __init__(self) -> None:
        self._peaks: list[_Peaks] = []  # the largest first
        self._piled = PiledPeaks(SAME_SIZE * LEAST_RANGE_G)
        self._least = SAME_SIZE * LEAST_RANGE_G  # flat peaks below this are ignored
        self._size = 0.0  # of the last sample; 0: it was below the least
        self._stayed = 0  # length of the run of equal samples up to now; 0 where it was reached from above
        self._last = np.float32(np.nan)  # sample
        # the smallest step between two samples so far: on a coarse chip, its quantisation step
        self._step = np.inf

    def push(self, samples: Array) -> int:
        """The number of newly found clipped samples of float32[samples], in the direction away from zero."""
        steps = np.abs(np.diff(samples, prepend=self._last))
        steps = np.minimum.accumulate(np.where(steps > LEAST_STEP_G, steps, self._step).clip(max=self._step))
        self._last = samples[-1]
        far = np.flatnonzero(samples >= self._piled.nearest)
        gone, clipped = -1, 0
        for row, size in zip(far.tolist(), samples[far].tolist(), strict=True):
            if row != gone + 1:
                self._step = steps[gone + 1]
                clipped += self._fall(0.0)
            gone, self._step = row, steps[row]
            clipped += self._look(size)
        if gone != len(samples) - 1:
            self._step = steps[gone + 1]
            clipped += self._fall(0.0)
        self._step = steps[-1]
        return clipped

    def _look(self, size: float) -> int:
        if size < self._size:
            return self._fall(size)
        if size > self._size:
            self._size, self._stayed = size, 1
        elif self._stayed:
            self._stayed += 1
        return 0

    def _fall(self, size: float) -> int:
        """The level drops to `size`. If it had risen before, that was a peak. Returns the number of newly found clipped
        samples."""
        peak, stayed, self._size, self._stayed = self._size, self._stayed, size, 0
        if not stayed:
            return 0
        piled = self._piled.add(peak, stayed == 1, float(self._step))
        return piled + self._peak(peak, stayed) if peak >= self._least else piled

    def _peak(self, size: float, stayed: int) -> int:
        """Add a peak that stayed at `size` for `stayed` samples. Returns the number of newly found clipped samples."""
        place = self._place(size)
        here, nearer = self._peaks[place], self._peaks[place + 1 :]
        for peaks in nearer:
            peaks.beyond += 1
        here.seen += 1
        here.flat += stayed > 1
        here.held += stayed - 1
        if len(self._peaks) > KEPT:  # faults must neither push a range's end out of the list nor hide it
            once = [i for i, peaks in enumerate(self._peaks) if not peaks.flat and peaks is not here]
            del self._peaks[once[0] if once else -2 if self._peaks[-1].end else -1]
        if len(self._peaks) == KEPT and all(peaks.flat for peaks in self._peaks):
            self._least = max(self._least, SAME_SIZE * self._peaks[-1].size)
        nearer = self._peaks[self._peaks.index(here) + 1 :] if here in self._peaks else []
        if not here.end or here.flat < PILED * max((peaks.seen for peaks in nearer), default=0):
            return 0
        held, here.held = here.held, 0
        return held

    def _place(self, size: float) -> int:
        """The index at which peaks of this size are kept; a new entry is made where there is none."""
        further = 0
        for place, peaks in enumerate(self._peaks):
            if size < SAME_SIZE * peaks.size:
                further = peaks.beyond + peaks.seen
                continue
            if SAME_SIZE * size > peaks.size:
                self._peaks.insert(place, _Peaks(size, further))
            return place
        self._peaks.append(_Peaks(size, further))
        return len(self._peaks) - 1
