"""Who weighed a profile's sets, and on which occasions: as digests, because a profile names nobody."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from calibration.recordings.folder import Recording
from calibration.seat.taps import UNNAMED
from calibration.traps.same_sittings import known_sittings, sitting
from sensors.ear.profiles.fitted_on import Memory
from sensors.gesture.profile import GestureProfile


def hand(recording: Recording) -> str | None:
    """Eight hex digits for a set and the person who tapped it; None where nobody is named."""
    if recording.player is None:
        return None
    named = f"{recording.device or UNNAMED}\0{recording.player}"
    return hashlib.sha256(named.encode("utf-8", "replace")).hexdigest()[:8]


def weighed_by(recordings: Iterable[Recording]) -> tuple[str, ...]:
    """The sorted digests that a profile keeps."""
    return tuple(sorted({one for one in map(hand, recordings) if one is not None}))


def sittings_of(recordings: Iterable[Recording]) -> tuple[str, ...]:
    """The same for occasions."""
    return tuple(sorted({one for one in map(sitting, recordings) if one is not None}))


def by_others(profile: GestureProfile, tested: Iterable[Recording]) -> bool | None:
    """Did anybody here tap a set of the profile without having weighed it? For other sets nobody can know. None where a
    profile does not say who weighed, as in older ones."""
    known = set(profile.fitted_on.weighed_by or ())
    hands = {hand(r) for r in tested if (r.device or UNNAMED) in profile.sets}
    return bool(hands - {None} - known) if known else None


def on_other_days(fitted_on: Memory, tested: Iterable[Recording]) -> bool | None:
    """The same for occasions."""
    known = known_sittings(fitted_on)
    return bool({sitting(r) for r in tested} - {None} - known) if known else None
