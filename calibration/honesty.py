"""Was a profile fitted on the very takes it is tested on? Then its figures flatter, and are not to be printed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from calibration.takes import Row
from sensors.ear.profile import Profile

TOO_MANY = 0.02  # share of tested takes that the profile knows already
MOST = (
    5000  # fingerprints in a profile; of more takes the lowest, and only takes that lie as low are looked for
)


def fingerprint(row: Row) -> str:
    """Eight hex digits of a take's features: the same recording gives the same, whatever its file is called."""
    return hashlib.sha256(np.round(row.shake.values, 3).tobytes()).hexdigest()[:8]


def fingerprints(rows: Iterable[Row]) -> str:
    """Of all takes, or of a fair sample of many, sorted, in one string: a profile carries it."""
    return "".join(sorted({fingerprint(row) for row in rows})[:MOST])


def known_prints(fitted_on: Mapping[str, Any]) -> set[str]:
    """The fingerprints that a profile carries."""
    joined = str(fitted_on.get("fingerprints", ""))
    return {joined[i : i + 8] for i in range(0, len(joined), 8)}


def share_known(profile: Profile, rows: Sequence[Sequence[Row]]) -> float:
    """Share of these recordings that the profile was fitted on."""
    known = known_prints(profile.fitted_on)
    highest = max(known, default="") if len(known) >= MOST else "f" * 8
    asked = [kept for of_one in rows if (kept := [p for p in map(fingerprint, of_one) if p <= highest])]
    return sum(any(p in known for p in prints) for prints in asked) / max(1, len(asked))


def flattering(profile: Profile, rows: Sequence[Sequence[Row]]) -> str | None:
    """One sentence where figures of this profile on these recordings would flatter, else None."""
    return flattered(share_known(profile, rows))


def flattered(share: float) -> str | None:
    """The sentence for this share of known recordings, if there are too many."""
    if share <= TOO_MANY:
        return None
    return (
        f"the profile was fitted on {share:.0%} of these recordings, so figures on them flatter; "
        "test it on other sessions, or leave whole sessions out with --leave-out session"
    )
