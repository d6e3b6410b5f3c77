"""How a profile recognises the takes that it was fitted on, whatever their files are called."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np

from calibration.takes.features import Row, Takes
from sensors.ear.profiles.profile import Profile

TOO_MANY = 0.02  # share of tested takes that the profile knows already
# fingerprints in a profile; of more takes the lowest, and only takes that lie as low are looked for
MOST_PRINTS = 5000


def fingerprint(row: Row) -> str:
    """Eight hex digits of a take's features: the same recording gives the same, whatever its file is called."""
    return hashlib.sha256(np.round(row.shake.values, 3).tobytes()).hexdigest()[:8]


def fingerprints(rows: Iterable[Row], start: Profile | None = None) -> str:
    """The fingerprints of all takes, or of a fair sample of very many, sorted, in one string that a profile carries.

    Takes that the profile to `start` from was fitted on are added, for the new profile knows them too; but not where
    that is a sample of thousands, as in the profiles that ship.
    """
    before = known_prints(start.fitted_on.fingerprints) if start else set()
    if len(before) >= MOST_PRINTS:
        before = set()
    return "".join(sorted(before | {fingerprint(row) for row in rows})[:MOST_PRINTS])


def known_prints(joined: str | None) -> set[str]:
    """The set of eight-digit prints in such a string, of takes or of their loudest samples; empty where the profile
    does not say."""
    joined = joined or ""
    return {joined[i : i + 8] for i in range(0, len(joined), 8)}


def loudest(rows: Iterable[Row], start: Profile | None = None) -> str:
    """As `fingerprints`, of the samples around the loudest one of each take: these are the same in copies that were cut
    or turned down. Of very many takes none is kept."""
    before = known_prints(start.fitted_on.loudest) if start else set()
    known = before | {row.loudest[:8] for row in rows if row.loudest}
    return "".join(sorted(known)) if len(known) < MOST_PRINTS else ""


def share_known(profile: Profile, rows: Takes) -> float:
    """Share of these recordings that the profile was fitted on."""
    known = known_prints(profile.fitted_on.fingerprints)
    copied = known_prints(profile.fitted_on.loudest)
    highest = max(known, default="") if len(known) >= MOST_PRINTS else "f" * 8
    asked = [
        any(p in known for p in prints) or of_one[0].loudest[:8] in copied
        for of_one in rows
        if (prints := [p for p in map(fingerprint, of_one) if p <= highest])
    ]
    return sum(asked) / max(1, len(asked))
