"""Peaks by height, on one side of an accelerometer's axis: at the end of its range even pointed peaks pile up."""

from __future__ import annotations

from math import log

import numpy as np

NEARER = 0.8  # of a size: as near to the end peaks would lie as close as there, were it none
WIDTH = 0.001  # of a bin, of its size; two of them are one size, for an end may lie where they meet
FURTHEST_G = 64.0  # no accelerometer of an igloo ends further off, and what lies beyond is one size
VISITS = 6  # peaks, for each that went further and for none
PILED = 4  # times as many as of any size that is nearer
FINE = 0.02  # of a size; where a chip's steps are coarser, peaks that differ are one size


class PiledPeaks:
    """The peaks that one side has had so far, by height. Memory is bounded, however many there are.

    A shell may ring at nearly the highest frequency that an axis is sampled at; then it reaches the end of the range
    for one sample at a time. Of blows that peak freely hardly two are equally high, and the higher, the fewer there
    are.
    """

    def __init__(self, least: float) -> None:
        """`least`: the nearest end there may be, in g."""
        self._least = least
        self.nearest = NEARER * least  # what is nearer to zero tells of no end
        bins = self._bin(FURTHEST_G) + 3  # the last, beyond, is no other's neighbour
        self._seen = np.zeros(bins, np.int32)
        self._pointed = np.zeros(bins, np.int32)  # of one sample, and not told yet

    def add(self, size: float, pointed: bool, step: float) -> int:
        """Take one more peak, on a chip whose values are `step` apart. Returns how many samples in pointed peaks are
        now known to be cut off."""
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
