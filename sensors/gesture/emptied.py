"""The empty seat's tones, from the last taps on it that agree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sensors.gesture.weigh import Empty

KEPT = 3  # taps on the empty seat that are averaged
# Relative, of the upright tone: undisturbed taps of one gesture differ by no more (at most 1.4e-4 with the
# accelerometer and 2.5e-4 with a disc, in 54 simulated gestures each), and twice as much is a bead.
AGREE = 3e-4
AGREE_PRINTED = 1.5e-3  # the ring of printed leaves is short: 1.0e-3 in 95 of 100


@dataclass(frozen=True, slots=True)
class Empties:
    """The last taps on the empty seat, the newest last. touched: the pencil touched the seat again during the newest
    ring."""

    seen: tuple[Empty, ...] = ()
    agree: float = AGREE
    touched: bool = False

    def add(self, one: Empty, steel: bool = True, touched: bool = False) -> Empties:
        return Empties((*self.seen, one)[-KEPT:], AGREE if steel else AGREE_PRINTED, touched)

    @property
    def doubtful(self) -> bool:
        """Do several taps all disagree, or is there only one, whose ring was partly disturbed?"""
        return (len(self.seen) > 1 or self.touched) and len(self._agreeing()) < 2

    @property
    def usual(self) -> Empty:
        """The average of those that agree; of all where none do. Raises ValueError for none."""
        if not self.seen:
            raise ValueError("the empty seat was not heard")
        of = self.seen if self.doubtful else self._agreeing()
        return Empty(float(np.mean([e.sideways for e in of])), float(np.mean([e.upright for e in of])))

    def _agreeing(self) -> tuple[Empty, ...]:
        """The largest group that agrees with one of them; of equally large ones, that of the later tap."""
        friends = [
            tuple(e for e in self.seen if abs(e.upright / one.upright - 1) <= self.agree) for one in self.seen
        ]
        return max(reversed(friends), key=len)
