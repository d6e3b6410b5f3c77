"""Rings that were too weak for taps."""

from __future__ import annotations

from sensors.gesture.weigh import Pair

FAINT_AGREE = 0.005  # relative: two faint rings of the same tone are taps; lifting and setting down differ


class FaintRings:
    """Feed each of them in order; `of_empty`: the empty seat was tapped so, where it is to be tapped."""

    def __init__(self) -> None:
        self.of_empty = False
        self._last: Pair | None = None

    def note(self, pair: Pair, empty_wanted: bool) -> bool:
        """Was it a tap? One such ring may be the seat that was let go; two alike in a row are taps."""
        before, self._last = self._last, pair if pair.fair else None
        tapped = _same_tone(before, self._last)
        if tapped:
            self.of_empty = empty_wanted
        return tapped

    def interrupted(self) -> None:
        """Something else was heard: the next one follows none."""
        self._last = None

    def empty_told(self) -> None:
        """The empty seat was tapped well."""
        self.of_empty = False


def _same_tone(one: Pair | None, other: Pair | None) -> bool:
    """Do two faint rings have the same upright tone?"""
    if one is None or other is None or one.upright is None or other.upright is None:
        return False
    return abs(other.upright.hz / one.upright.hz - 1) < FAINT_AGREE
