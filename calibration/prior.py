"""Where a fit starts: from scratch where there are sessions enough, else from the profile that ships for the sensor.

One sweep cannot tell its sitting from its igloos; the shipped profile knows at least how shaken beads behave.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from calibration.fit import on_the_shell, usable
from calibration.takes import Row
from sensors.ear.errors import ProfileError
from sensors.ear.profile import Profile, load_shipped

ENOUGH_SESSIONS = 3
LEAST_COUNTS = 6  # different counts that make a session a sweep


def automatic(rows: Sequence[Sequence[Row]]) -> Profile | None:
    """The shipped profile to start from, or None where the recordings stand on their own.

    None also where its front ends are not those of the recordings.
    """
    flat = usable([row for of_one in rows for row in of_one])
    if not flat or len({row.recording.sensor for row in flat}) > 1:
        return None
    if any(row.recording.gesture for row in flat):
        return None  # the shipped profiles know shaking
    held: dict[str, set[int]] = defaultdict(set)
    for row in flat:
        assert row.recording.beads is not None
        held[row.recording.occasion].add(row.recording.beads)
    if sum(len(counts_held) >= LEAST_COUNTS for counts_held in held.values()) >= ENOUGH_SESSIONS:
        return None
    kind = (
        flat[0].recording.sensor
        if flat[0].recording.sensor == "accelerometer" or not on_the_shell(flat)
        else "contact"
    )
    try:
        shipped = load_shipped(kind)
    except (ProfileError, OSError):
        return None
    return shipped if {head.front for head in shipped.heads} & {row.front for row in flat} else None
