"""Where each axis of an accelerometer is cut off, on each side: there tops are flat, or pile up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sensors.ear.frames.frontend import Array
from sensors.ear.frames.piled_tops import PiledTops

LEAST_RANGE_G = 1.8  # no accelerometer ends below ±2 g, but for an offset and a gain that were corrected
SAME_SIZE = 0.999  # of a size; a range ends at one value, but for what rounding does to it
VISITS = 4  # flat tops, for each that went further and for none
PILED = 2  # times as many as tops of any size that is nearer: on a chip of coarse steps many are alike
KEPT = 6  # of the furthest sizes
LEAST_STEP_G = 1e-3  # samples that differ by less are alike, but for what rounding does


@dataclass(slots=True)
class _Tops:
    """Those of one size, and how many went further since there was the first of them."""

    size: float
    beyond: int
    seen: int = 0
    flat: int = 0
    held: int = 0  # samples that stayed there, and were not told yet

    @property
    def end(self) -> bool:
        return self.flat >= VISITS * (1 + self.beyond)


class AxisEnds:
    """The samples of one stream that are cut off. Makers correct axes each by itself, and one may be stuck: none tells
    where another ends."""

    def __init__(self) -> None:
        self._sides: list[_Side] = []  # each axis's two

    def push(self, block: Array) -> int:
        """How many of float32[samples, axes], in g, are; however the stream is cut into blocks, as many in all."""
        self._sides = self._sides or [_Side() for _ in range(2 * block.shape[1])]
        both = np.concatenate([block, -block], axis=1)
        return sum(side.push(both[:, i]) for i, side in enumerate(self._sides))


class _Side:
    """What goes further but once is a fault on the wire, and is outvoted. A smooth stroke has a flat top as well, on a
    chip of coarse steps, but no two strokes end alike."""

    def __init__(self) -> None:
        self._tops: list[_Tops] = []  # the furthest first
        self._piled = PiledTops(SAME_SIZE * LEAST_RANGE_G)
        self._least = SAME_SIZE * LEAST_RANGE_G  # what is nearer to zero has no flat tops that are looked at
        self._size = 0.0  # of the last sample; 0: it was nearer
        self._stayed = 0  # so many samples, up to it, are alike; 0 where they were come to from further away
        self._last = np.float32(np.nan)  # sample
        self._step = np.inf  # the smallest between any two samples so far: on a coarse chip, the chip's own

    def push(self, samples: Array) -> int:
        """How many of float32[samples], away from zero, are cut off."""
        steps = np.abs(np.diff(samples, prepend=self._last))
        steps = np.minimum.accumulate(np.where(steps > LEAST_STEP_G, steps, self._step).clip(max=self._step))
        self._last = samples[-1]
        far = np.flatnonzero(samples >= self._piled.nearest)
        gone, cut_off = -1, 0
        for row, size in zip(far.tolist(), samples[far].tolist(), strict=True):
            if row != gone + 1:
                self._step = steps[gone + 1]
                cut_off += self._fall(0.0)
            gone, self._step = row, steps[row]
            cut_off += self._look(size)
        if gone != len(samples) - 1:
            self._step = steps[gone + 1]
            cut_off += self._fall(0.0)
        self._step = steps[-1]
        return cut_off

    def _look(self, size: float) -> int:
        if size < self._size:
            return self._fall(size)
        if size > self._size:
            self._size, self._stayed = size, 1
        elif self._stayed:
            self._stayed += 1
        return 0

    def _fall(self, size: float) -> int:
        """To this size, from what is a top if it was risen to."""
        top, stayed, self._size, self._stayed = self._size, self._stayed, size, 0
        if not stayed:
            return 0
        piled = self._piled.top(top, stayed == 1, float(self._step))
        return piled + self._top(top, stayed) if top >= self._least else piled

    def _top(self, size: float, stayed: int) -> int:
        """One more, that stayed so many samples. How many are now known to be cut off."""
        place = self._place(size)
        here, nearer = self._tops[place], self._tops[place + 1 :]
        for tops in nearer:
            tops.beyond += 1
        here.seen += 1
        here.flat += stayed > 1
        here.held += stayed - 1
        if len(self._tops) > KEPT:  # an end is not driven out by faults, nor hidden by them
            once = [i for i, tops in enumerate(self._tops) if not tops.flat and tops is not here]
            del self._tops[once[0] if once else -2 if self._tops[-1].end else -1]
        if len(self._tops) == KEPT and all(tops.flat for tops in self._tops):
            self._least = max(self._least, SAME_SIZE * self._tops[-1].size)
        nearer = self._tops[self._tops.index(here) + 1 :] if here in self._tops else []
        if not here.end or here.flat < PILED * max((tops.seen for tops in nearer), default=0):
            return 0
        held, here.held = here.held, 0
        return held

    def _place(self, size: float) -> int:
        """Where tops of this size are kept, from now on if they were not yet."""
        further = 0
        for place, tops in enumerate(self._tops):
            if size < SAME_SIZE * tops.size:
                further = tops.beyond + tops.seen
                continue
            if SAME_SIZE * size > tops.size:
                self._tops.insert(place, _Tops(size, further))
            return place
        self._tops.append(_Tops(size, further))
        return len(self._tops) - 1
