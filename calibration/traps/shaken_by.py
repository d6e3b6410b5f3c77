"""Who shook the takes that a profile was fitted on: as digests, because a profile names nobody."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from calibration.recordings.folder import Recording
from sensors.ear.profiles.fitted_on import FittedOn

MOST_HANDS = 500  # a profile of more is of a crowd, and its testers need no other person


def hand(recording: Recording) -> str | None:
    """Eight hex digits for the person who shook; None where nobody is named."""
    if recording.player is None:
        return None
    return hashlib.sha256(recording.player.encode("utf-8", "replace")).hexdigest()[:8]


def shaken_by(recordings: Iterable[Recording]) -> list[str]:
    """The sorted digests that a profile keeps; none for very many."""
    known = {one for one in map(hand, recordings) if one is not None}
    return sorted(known) if len(known) <= MOST_HANDS else []


def by_others(fitted_on: FittedOn, tested: Iterable[Recording]) -> bool | None:
    """Did anybody shake here whom the profile does not know? None where it does not say whom it knows, as in older
    ones."""
    known = set(fitted_on.shaken_by or ())
    return bool({hand(r) for r in tested} - {None} - known) if known else None
