"""Whether two seats were given one microphone: then each shake would be told at both, or at neither."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from sensors.ear.frames.frontend import Array
from sensors.ear.sources.extent import SILENCE

SAME_S = 5.0  # seconds of two channels that are compared
ROUNDED = 2.0**-15  # one step of 16 bits


def twins(heard: Sequence[Array]) -> tuple[int, int] | None:
    """The first two that are the same sound."""
    pairs = combinations(range(len(heard)), 2)
    return next(((one, other) for one, other in pairs if _same(heard[one], heard[other])), None)


def _same(one: Array, other: Array) -> bool:
    """Whether it is the same sound. If it is loud enough, one of them may have been rounded to 16 bits."""
    if len(one) != len(other) or not len(one):
        return False
    loud = float(np.ptp(one))
    return loud > SILENCE and float(np.abs(one - other).max()) <= (ROUNDED if loud > 1000 * ROUNDED else 0.0)


class LiveTwins:
    """The same of a sound card's channels, from the first seconds in which they give anything."""

    def __init__(self) -> None:
        self.found: tuple[int, int] | None = None
        self._wanted = 0  # samples
        self._begun: list[Array] = []

    def begin(self, rate: float) -> None:
        """The card was opened, maybe again."""
        self._wanted, self._begun = round(SAME_S * rate), []

    def push(self, block: Array) -> None:
        """Take float32[samples, seats]."""
        if self._wanted <= 0 or not (self._begun or block.any()):
            return
        self._begun.append(block)
        self._wanted -= len(block)
        if self._wanted <= 0:
            self.found = twins(list(np.concatenate(self._begun).T))
            self._begun = []
