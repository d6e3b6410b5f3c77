"""What was lost on the way to the ear: a shake of which a part is missing is never sure.

Where a busy machine lost sound, the rest is spliced, and nobody knows how much is missing. Lost packets of igloo nodes
are bridged for their duration (`sources.bursts`), and so are samples that are not numbers. A bridge is smooth, so hits
are missing and many beads count as few: the count of a shake with many bridges is not trusted. Nor is it where two
boards have the same number, because the samples may be a mixture of both.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import replace

from sensors.evidence import Heard, Verdict
from sensors.why import Reason, Why

LOST_ON_THE_WAY, CLOSE_OTHERS = "sound was lost on the way", "close other programs"
SOUND_LOST = Reason(Why.SOUND_LOST, f"{LOST_ON_THE_WAY}: {CLOSE_OTHERS}")
# what is left of it says as little as any shake that is too short
CUT_SHORT = Reason(Why.TOO_SHORT, f"{LOST_ON_THE_WAY}: {CLOSE_OTHERS}")
NO_NUMBERS = Reason(Why.NO_NUMBERS, "samples are missing (NaN): look at what writes them")
PACKETS_LOST = Reason(Why.PACKETS_LOST, "packets were lost on the way: bring the igloo nearer to the dongle")
FELL_SILENT = Reason(
    Why.PACKETS_LOST, "the igloo fell silent in the midst of it: look at its battery, and shake it again"
)
WENT_AWAY = Reason(
    Why.SOUND_LOST, "the sensor went away in the midst of it: plug it in again, and shake once more"
)
TWO_BOARDS = Reason(
    Why.TWO_BOARDS,
    "two igloos call themselves by one number: give each its own NUMBER, "
    "and each table in the room its own CHANNEL",
)
# share of a shake; with a fifth of it bridged, counts are two too low, with half of it three
MOST_BRIDGED = 0.05
NEAR_S = 0.1  # a shake whose end was lost ends this close to the loss
STROKE_S = 0.45  # or this close to where its sensor fell silent: that may be between two strokes
# reasons that blame the hand for a shake that may only have ended with what was lost
BRIEF = Why.TOO_SHORT, Why.SHORT_OR_KNOCK
UNSURE: Verdict = "unsure"
KEPT_S = 60.0  # longer than the longest shake, and than an ear lags behind


class LostSound:
    """The splices and bridges in one source's sound, in seconds of the stream. `bridges`: the reason to give where too
    much is bridged."""

    def __init__(self, bridges: Reason = PACKETS_LOST) -> None:
        self._of_bridges = bridges
        self.two_boards = False  # at present
        self._at: deque[float] = deque()
        self._bridges: deque[tuple[float, float]] = deque()
        self._away_from = math.inf

    def lost(self, at_s: float) -> None:
        """Some sound was lost at this point."""
        while self._at and self._at[0] < at_s - KEPT_S:
            self._at.popleft()
        if not self._at or self._at[-1] != at_s:
            self._at.append(at_s)

    def bridged(self, from_s: float, until_s: float) -> None:
        """This stretch is a bridge in place of what was lost; without length where nothing more came of a shake."""
        while self._bridges and self._bridges[0][1] < until_s - KEPT_S:
            self._bridges.popleft()
        self._bridges.append((from_s, until_s))

    def went_away(self, at_s: float) -> None:
        """The sensor is gone from here on: a cable was pulled."""
        self._away_from = at_s

    def whole(self, start_s: float, end_s: float) -> bool:
        """Whether nothing was lost between these times."""
        first, last = _around(start_s, end_s)
        return not (
            self.two_boards
            or any(first <= at <= last for at in self._at)
            or any(a <= last and b >= first for a, b in self._bridges)
            or self._broken_off_by(start_s, end_s) is not None
        )

    def judge(self, heard: Heard) -> Heard:
        """The same, but not sure where something was lost within it. A shake that was heard badly for another reason
        keeps that reason, unless the loss may explain it."""
        if self.two_boards:
            verdict = heard.verdict if heard.verdict == "not-a-shake" else UNSURE
            return replace(heard, verdict=verdict, reason=TWO_BOARDS, doubt="sensor")
        by = self._broken_off_by(heard.start_s, heard.end_s)
        if by is not None and not heard.clipped:
            return _broken_off(heard, by)
        first, last = _around(heard.start_s, heard.end_s)
        holes = [(a, b) for a, b in self._bridges if a <= last and b >= first]
        if holes:
            if heard.why not in BRIEF:
                holes = [(max(a, heard.start_s), min(b, heard.end_s)) for a, b in holes]
            lost_s = sum(max(0.0, b - a) for a, b in holes)
            heard = _bridged(heard, lost_s, self._of_bridges)
        spliced = any(first <= at <= last for at in self._at)
        if spliced and heard.why is Why.TOO_SHORT:
            return replace(heard, reason=CUT_SHORT)
        # splices and bridges sound unlike anything that was learned
        ill_heard = heard.doubt == "sensor" and not heard.why.unlike
        if not spliced or heard.verdict == "not-a-shake" or ill_heard:
            return heard
        return replace(heard, verdict=UNSURE, reason=SOUND_LOST, doubt="sensor")

    def _broken_off_by(self, start_s: float, end_s: float) -> Reason | None:
        """What kept the end of a shake from being heard, if anything did."""
        if self._away_from <= end_s + STROKE_S:
            return WENT_AWAY
        silent = any(a == b and start_s - NEAR_S <= a <= end_s + STROKE_S for a, b in self._bridges)
        return FELL_SILENT if silent else None


def _around(start_s: float, end_s: float) -> tuple[float, float]:
    return start_s - NEAR_S, end_s + NEAR_S


def _bridged(heard: Heard, lost_s: float, reason: Reason) -> Heard:
    """The verdict on a shake of which this much was lost."""
    much = lost_s > MOST_BRIDGED * (heard.end_s - heard.start_s) and not heard.clipped
    if heard.verdict == "not-a-shake":  # a few beads with holes sound like no shake
        return replace(heard, reason=reason) if much else heard
    if much:
        return replace(heard, verdict=UNSURE, reason=reason, doubt="sensor")
    if heard.why.unlike:
        return replace(heard, reason=reason, doubt="strange")
    return replace(heard, verdict=UNSURE, reason=reason, doubt="odds") if heard.verdict == "sure" else heard


def _broken_off(heard: Heard, reason: Reason) -> Heard:
    """The verdict on a shake of which only the beginning was felt: what came of it counts as any other does."""
    if heard.verdict == "not-a-shake":  # too little came to tell
        return replace(heard, reason=reason)
    if heard.doubt == "sensor" and heard.why is not Why.TOO_SHORT:
        return replace(heard, reason=reason, doubt="strange") if heard.why.unlike else heard
    return replace(heard, verdict=UNSURE, reason=reason, doubt=heard.doubt or "odds")
