"""Knocks that come one after another: a few beads shaken gently are knocks with half a second between them."""

from __future__ import annotations

from collections import deque

IN_A_ROW, WITHIN_S = 3, 3.0


class Knocks:
    """Told of each knock."""

    def __init__(self) -> None:
        self._at: deque[float] = deque(maxlen=IN_A_ROW)

    def last_of_several(self, at_s: float) -> bool:
        """Whether the knock at `at_s` is the last of several; the next one is then the first of others."""
        self._at.append(at_s)
        if len(self._at) < IN_A_ROW or at_s - self._at[0] > WITHIN_S:
            return False
        self._at.clear()
        return True
