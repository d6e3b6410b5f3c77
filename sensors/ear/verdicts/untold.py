"""Shakes that nothing was said of, because the room was as loud as they were."""

from __future__ import annotations

from sensors.ear.frames.finder import BLOCK_S, Found
from sensors.ear.profiles.profile import Head, Profile
from sensors.ear.verdicts.mends import mends_of
from sensors.evidence import Heard, Verdict
from sensors.why import Why

# what the loudest strokes of a drowned shake are taken for, one by one
KNOCKS = Why.KNOCK, Why.KNOCKS, Why.SHORT_OR_KNOCK
NO_SHAKE: Verdict = "not-a-shake"


class Untold:
    """To be told each line of one source, in order."""

    def __init__(self) -> None:
        self._until = 0.0  # s: up to here it was said what was heard

    def told(self, said: Heard) -> None:
        """This was said."""
        if said.why not in KNOCKS:
            self._until = said.end_s

    def drowned(self, found: Found, head: Head, source: str, profile: Profile) -> list[Heard]:
        """The line for what `frames.drowned` found; none where a line has told of it already."""
        start, end = found.since * BLOCK_S, found.block * BLOCK_S
        if start < self._until:
            return []
        reason = mends_of(head.front.sensor, head.on_shell).hardly_heard
        return [
            Heard(source, start, end, NO_SHAKE, {}, 0.0, False, profile.digest, reason, sensor=profile.sensor)
        ]
