"""Sound was lost, and the sensor lives: it is said where it would be said that it does not."""

from __future__ import annotations

import math

from sensors.ear.verdicts.lost_sound import CLOSE_OTHERS, LOST_ON_THE_WAY
from table.senses.watchdog import Change, Senses

LOST_AGAIN_S = 60.0  # a busy machine loses sound again and again: how often that is said


class SoundLosses:
    """One sensor's losses, as the panel is told of them."""

    def __init__(self, source: str, senses: Senses) -> None:
        self._source, self._senses = source, senses
        self._said_at = -math.inf

    def told(self, now: float) -> None:
        """Some was lost, once more."""
        if now - self._said_at < LOST_AGAIN_S:
            return
        self._said_at = now
        self._senses.told(Change(now, self._source, "healthy", LOST_ON_THE_WAY, CLOSE_OTHERS))
