"""Knocks: several in a row, for a few beads shaken gently sound like that; and one among the strokes of a shake."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from sensors.ear.verdicts.reasons import TOO_SHORT_BESIDE_KNOCK
from sensors.ear.verdicts.verdict import Opinion
from sensors.why import Why

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


def of_a_part(said: Opinion) -> Opinion:
    """The judgement of a shake that was counted by the part beside a knock: nobody shook too briefly."""
    return replace(said, reason=TOO_SHORT_BESIDE_KNOCK) if said.why is Why.TOO_SHORT else said
