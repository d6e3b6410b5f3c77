"""The rest of a shake that was cut at the longest length: too short by itself, though nobody shook too briefly."""

from __future__ import annotations

from sensors.ear.verdicts.no_shake import SHORT_S
from sensors.ear.verdicts.pair import goes_on
from sensors.evidence import Heard
from sensors.why import Why


class LongShake:
    """To be asked about each line of one source, in order."""

    def __init__(self) -> None:
        self._last: Heard | None = None

    def was_told(self, said: Heard) -> bool:
        """Is it only the last moment of a shake whose other parts were told already?"""
        last, self._last = self._last, said
        if last is None or said.why.elsewhere or not goes_on(last, said):
            return False
        short = said.why in (Why.TOO_SHORT, Why.KNOCK, Why.SHORT_OR_KNOCK)
        return short or said.end_s - said.start_s < SHORT_S
