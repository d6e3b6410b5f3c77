"""Peaks by height, on one side of an accelerometer's axis: at the end of its range even pointed peaks pile up."""

from __future__ import annotations

from math import log

import numpy as np

NEARER = 0.8  # of a size: without clipping, peaks down to here would be as dense as at the size itself
# of a bin, relative to its size; two neighbouring bins are one size, for the end may lie between them
WIDTH = 0.001
FURTHEST_G = 64.0  # no accelerometer of an igloo has a larger range; all beyond is one size
VISITS = 6  # peaks, for each peak that went further and for none
PILED = 4  # times as many as of any smaller size
FINE = 0.02  # of a size; on a chip of coarser steps, peaks of different heights are quantised to one size


class PiledPeaks:
    """The peaks of one side so far, by height. Memory is bounded, however many there are.

    A shell may ring close to the Nyquist frequency of an axis; then it reaches the end of the range for one sample at a
    time. Without clipping, hardly two blows peak at equal height, and the higher, the fewer there are.
    """

    def __init__(self, least: float) -> None:
        """`least`: the smallest possible range, g."""
        self._least = least
        self.nearest = NEARER * least  # smaller peaks tell nothing about the range
        bins = self._bin(FURTHEST_G) + 3  # the last bin, for all beyond, has no neighbour
        self._seen = np.zeros(bins, np.int32)
        self._pointed = np.zeros(bins, np.int32)  # peaks of one sample that are not reported yet

    def add(self, size: float, pointed: bool, step: float) -> int:
        """Add a peak, on a chip whose values are `step` apart. Returns the number of newly found clipped samples in
        pointed peaks."""
        at = self._bin(size) if size < FURTHEST_G else -1
        self._seen[at] += 1
        self._pointed[at] += pointed
        if not self._least <= size < FURTHEST_G or step > FINE * size:
            return 0
        low = at - 1 if self._seen[at - 1] >= self._seen[at + 1] else at
        piled = int(self._seen[low : low + 2].sum())
        if piled < VISITS or piled < VISITS * (1 + int(self._seen[low + 2 :].sum())):
            return 0
        nearer = self._seen[max(0, low - round(-log(NEARER) / WIDTH)) : low]
        if len(nearer) > 1 and piled < PILED * int((nearer[1:] + nearer[:-1]).max()):
            return 0
        told = int(self._pointed[low : low + 2].sum())
        self._pointed[low : low + 2] = 0
        return told

    def _bin(self, size: float) -> int:
        return 1 + int(log(size / self.nearest) / WIDTH)
