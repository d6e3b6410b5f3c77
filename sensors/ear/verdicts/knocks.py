"""Counts consecutive knocks: a few beads shaken gently sound like knocks half a second apart."""

from __future__ import annotations

from collections import deque

IN_A_ROW, WITHIN_S = 3, 3.0


class Knocks:
    """To be called for each knock."""

    def __init__(self) -> None:
        self._at: deque[float] = deque(maxlen=IN_A_ROW)

    def last_of_several(self, at_s: float) -> bool:
        """Whether the knock at `at_s` completes a group of several; the next one then begins a new group."""
        self._at.append(at_s)
        if len(self._at) < IN_A_ROW or at_s - self._at[0] > WITHIN_S:
            return False
        self._at.clear()
        return True
