"""Finds what may be a shake in a room that is as loud as its strokes: the finder sees no beginning there.

A vacuum cleaner, or a transformer that buzzes, is steady. Strokes stand out of it by a few decibels at a hand's pace,
again and again. Whether they are beads nobody can tell, but that somebody may be shaking in vain.
"""

from __future__ import annotations

import math
from collections import deque

from sensors.ear.frames.finder import BLOCK_S, Finder, Found

LOUD_ROOM_DB = -60.0  # of full scale: what is faint in a quieter room is far away
RISES_DB, FALLS_DB = 2.0, 1.0  # above the floor, evened: a stroke, and between two of them
EVENED = 3  # blocks
LEAST_STROKES = 5
LEAST_S = 1.0
A_SECOND = 2.5  # at least
PAUSE = round(0.6 / BLOCK_S)  # blocks without a stroke, after which it is over


class Drowned:
    """Feed it every level that a finder was fed, right after it. `unless`: it finds nothing."""

    def __init__(self, finder: Finder, unless: bool = False) -> None:
        self._finder = finder
        self._never = unless
        self._last: deque[float] = deque(maxlen=EVENED)
        self._block = 0
        self._up = False
        self._strokes: deque[int] = deque(maxlen=200)  # the blocks in which they began

    def push(self, level_db: float) -> Found | None:
        """What may have been a shake, once it is over."""
        self._block += 1
        self._last.append(10 ** (level_db / 10))
        floor_db = self._finder.floor_db
        if self._never or floor_db < LOUD_ROOM_DB:
            self._strokes.clear()
            return None
        above_db = 10 * math.log10(sum(self._last) / len(self._last)) - floor_db
        if not self._up and above_db > RISES_DB:
            self._strokes.append(self._block)
            self._up = True
        self._up = self._up and above_db > FALLS_DB
        over = self._strokes and self._block - self._strokes[-1] >= PAUSE
        if not over or self._up or self._finder.shaking:
            return None
        first, last, strokes = self._strokes[0], self._strokes[-1], len(self._strokes)
        self._strokes.clear()
        long_s = (last - first) * BLOCK_S
        if long_s < LEAST_S or strokes < max(LEAST_STROKES, A_SECOND * long_s):
            return None
        return Found("drowned", last + EVENED, floor_db, since=first - 1)
