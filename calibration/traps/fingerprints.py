"""How a profile recognises the takes that it was fitted on, whatever their file names."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np

from calibration.takes.features import Row, Takes
from sensors.ear.profiles.profile import Profile

TOO_MANY = 0.02  # share of tested takes that the profile knows already
# fingerprints in a profile; of more takes the lowest ones, and only takes as low are looked up
MOST_PRINTS = 5000


def fingerprint(row: Row) -> str:
    """Eight hex digits of a take's features: equal for the same recording, whatever its file name."""
    return hashlib.sha256(np.round(row.shake.values, 3).tobytes()).hexdigest()[:8]


def fingerprints(rows: Iterable[Row], start: Profile | None = None) -> str:
    """The fingerprints of all takes, or of a fair sample of very many, sorted, in one string that a profile carries.

    Those of the profile to `start` from are added, because the new profile knows its takes too; but not where they are
    a sample of thousands, as in the profiles that ship.
    """
    before = known_prints(start.fitted_on.fingerprints) if start else set()
    if len(before) >= MOST_PRINTS:
        before = set()
    return "".join(sorted(before | {fingerprint(row) for row in rows})[:MOST_PRINTS])


def known_prints(joined: str | None) -> set[str]:
    """The set of eight-digit fingerprints in such a string, of takes or of their loudest samples; empty for profiles
    without one."""
    joined = joined or ""
    return {joined[i : i + 8] for i in range(0, len(joined), 8)}


def loudest(rows: Iterable[Row], start: Profile | None = None) -> str:
    """As `fingerprints`, of the samples around each take's loudest one, which are the same in copies that were cut or
    attenuated. For very many takes none are kept."""
    before = known_prints(start.fitted_on.loudest) if start else set()
    known = before | {row.loudest[:8] for row in rows if row.loudest}
    return "".join(sorted(known)) if len(known) < MOST_PRINTS else ""


def share_known(profile: Profile, rows: Takes) -> float:
    """The share of these recordings that the profile was fitted on."""
    known = known_prints(profile.fitted_on.fingerprints)
    copied = known_prints(profile.fitted_on.loudest)
    highest = max(known, default="") if len(known) >= MOST_PRINTS else "f" * 8
    asked = [
        any(p in known for p in prints) or of_one[0].loudest[:8] in copied
        for of_one in rows
        if (prints := [p for p in map(fingerprint, of_one) if p <= highest])
    ]
    return sum(asked) / max(1, len(asked))
