"""Further takes of a sitting that gives its count away: known to a profile, or fitted on under another player."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from calibration.recordings.folder import Recording
from calibration.recordings.folds import Unit, key_of
from calibration.takes.features import Row, Takes
from calibration.traps.confounding import look, one_igloo_each
from calibration.traps.fingerprints import TOO_MANY
from sensors.ear.profiles.fitted_on import FittedOn, Memory
from sensors.ear.profiles.profile import Profile

MOST_SITTINGS = 500  # a profile of more knows a whole world of igloos, and no table


def sitting(recording: Recording) -> str | None:
    """Eight hex digits for the device, session and day of a recording; None where its session is not named."""
    if recording.session is None:
        return None
    # compatible with profiles fitted earlier; a slash in a name is rare enough
    named = f"{recording.device or ''}/{recording.session or ''}\0{str(recording.taken or '')[:10]}"
    return hashlib.sha256(named.encode("utf-8", "replace")).hexdigest()[:8]


def sittings(rows: Iterable[Row], start: Profile | None = None) -> list[str]:
    """The sittings of all takes, and of those that the profile to `start` from knows, sorted; none for very many."""
    before = known_sittings(start.fitted_on) if start else set()
    known = before | {named for row in rows if (named := sitting(row.recording)) is not None}
    return sorted(known) if len(known) <= MOST_SITTINGS else []


def known_sittings(fitted_on: Memory) -> set[str]:
    """The sittings that a profile carries."""
    return set(fitted_on.sittings or ())


def sittings_of_one(rows: Iterable[Row], start: Profile | None = None) -> list[str]:
    """The sittings that hold one igloo, or two of many (`traps.confounding`), each with each of its counts: eight hex
    digits for each combination, as `sittings`."""
    before = set(start.fitted_on.sittings_of_one or ()) if start else set()
    recordings = one_igloo_each(row.recording for row in rows)
    known = before | {named for recording in recordings if (named := _with_count(recording)) is not None}
    return sorted(known) if len(known) <= MOST_SITTINGS else []


def _with_count(recording: Recording) -> str | None:
    named = sitting(recording)
    return named and hashlib.sha256(f"{named}\0{recording.beads}".encode()).hexdigest()[:8]


def same_sittings(fitted_on: FittedOn, rows: Takes) -> str | None:
    """How sittings give counts away, where these recordings are of sittings that the profile already knows, else None.

    Further takes of the same sittings then say nothing about another day (`calibration.traps.confounding`).
    """
    known, of_one_igloo = known_sittings(fitted_on), set(fitted_on.sittings_of_one or ())
    recordings = [of_one[0].recording for of_one in rows]
    if (told := sum(_with_count(r) in of_one_igloo for r in recordings) / max(1, len(rows))) > TOO_MANY:
        return f"{told:.0%} are of its sittings, in which it knows one or two of the counts, and these are of them"
    again = sum(sitting(r) in known for r in recordings) / max(1, len(rows))
    if again <= TOO_MANY:
        return None
    found = look([of_one[0] for of_one in rows], None)
    return (
        f"{again:.0%} are of its sittings, and {found[0].what} alone tells the count there" if found else None
    )


def beside_in_sittings(rows: Takes, unit: Unit, tested: Takes) -> str | None:
    """The share of the `tested` takes in sittings of which other takes, by another player, are fitted on, where such
    sittings give the counts away; else None.

    Only players can share a sitting: a session's name counts per device, and only the clock shows that another device
    was there too.
    """
    if unit != "player":
        return None
    units: dict[str, set[str]] = {}
    for of_one in rows:
        recording = of_one[0].recording
        units.setdefault(recording.occasion, set()).add(key_of(recording, unit))
    shared = sum(len(units[of_one[0].recording.occasion]) > 1 for of_one in tested) / max(1, len(tested))
    # also by the names of sittings
    found = look([of_one[0] for of_one in rows]) if shared > TOO_MANY else []
    return f"{shared:.0%} of what is tested" if found else None


def lacked_in_sittings(unit: Unit) -> Unit:
    """The name that may be missing in a part of a sitting when each `unit` is left out."""
    return "player" if unit == "player" else "device"


def nameless_in_sittings(rows: Takes, unit: Unit, tested: Takes) -> float:
    """The share of the `tested` takes in sittings of which some takes name their player (or device: `unit`) and others
    do not: probably of that one too, and fitted on while it is left out."""
    named: dict[tuple[str | None, ...], set[bool]] = {}
    for of_one in rows:
        recording = of_one[0].recording
        named.setdefault(_but_for(recording, unit), set()).add(
            getattr(recording, lacked_in_sittings(unit)) is not None
        )
    beside = sum(len(named[_but_for(of_one[0].recording, unit)]) > 1 for of_one in tested)
    return beside / max(1, len(tested))


def _but_for(recording: Recording, unit: Unit) -> tuple[str | None, ...]:
    """A recording's sitting, without the name that may be missing. Sessions that lack their names are no sitting, and
    another person's session, or another sensor's set of igloos, may have the same name."""
    if unit == "player":
        return (recording.occasion,)
    if recording.session is None:
        return (None, recording.device)
    return (recording.session, recording.player, recording.kind)
