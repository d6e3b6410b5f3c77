"""Sound that a busy machine lost on its way to the ear: what is left is spliced, and a shake with a splice in it is
never sure. What igloo nodes lose is bridged as long as it lasted (`bursts.py`), and is none of this.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from sensors.evidence import Heard, Verdict

LOST_ON_THE_WAY, CLOSE_OTHERS = "sound was lost on the way", "close other programs"
SOUND_LOST = f"{LOST_ON_THE_WAY}: {CLOSE_OTHERS}"
NEAR_S = 0.1  # a shake whose end was lost ends there
KEPT_S = 60.0  # more than the longest shake, and than what an ear is behind


class LostSound:
    """Where one source's sound has splices, in seconds of what came."""

    def __init__(self) -> None:
        self._at: deque[float] = deque()

    def lost(self, at_s: float) -> None:
        """Some was lost just there."""
        while self._at and self._at[0] < at_s - KEPT_S:
            self._at.popleft()
        if not self._at or self._at[-1] != at_s:
            self._at.append(at_s)

    def judge(self, heard: Heard) -> Heard:
        """The same, but not sure where sound was lost in its midst. What was ill heard for another reason keeps it."""
        inside = any(heard.start_s - NEAR_S <= at <= heard.end_s + NEAR_S for at in self._at)
        if not inside or heard.verdict == "not-a-shake" or heard.doubt == "sensor":
            return heard
        unsure: Verdict = "unsure"
        return replace(heard, verdict=unsure, reason=SOUND_LOST, doubt="sensor")
