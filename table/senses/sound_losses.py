"""Reports lost sound in the place where a dead sensor would be reported, although the sensor lives."""

from __future__ import annotations

import math

from sensors.ear.verdicts.lost_sound import CLOSE_OTHERS, LOST_ON_THE_WAY
from table.senses.watchdog import Change, Senses

LOST_AGAIN_S = 60.0  # a busy machine loses sound again and again: the interval between two reports


class SoundLosses:
    """One sensor's losses, rate-limited for the panel."""

    def __init__(self, source: str, senses: Senses) -> None:
        self._source, self._senses = source, senses
        self._said_at = -math.inf

    def told(self, now: float) -> None:
        """Sound was lost once more."""
        if now - self._said_at < LOST_AGAIN_S:
            return
        self._said_at = now
        self._senses.told(Change(now, self._source, "healthy", LOST_ON_THE_WAY, CLOSE_OTHERS))
