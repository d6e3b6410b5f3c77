"""A file whose sensor gives too little to count by: an accelerometer's steps are too coarse (its bits are few, or its
range is wide), or a microphone's sound has no treble.

More beads than there are are heard then, or fewer, whatever the odds say. A profile that was fitted on such takes has
learned what they are like, and is believed.
"""

from __future__ import annotations

from dataclasses import replace

from sensors.ear.profiles.profile import SHIPPED, Profile, load_shipped
from sensors.evidence import Heard
from sensors.why import Reason, Why


def counts_by(profile: Profile, lacks: Reason) -> bool:
    """Was it fitted on takes of such? Where a profile does not say, only those that ship are known not to be."""
    on = profile.fitted_on
    takes = on.narrow_takes if lacks.why is Why.NARROW else on.coarse_takes
    return profile.digest not in map(_digest, SHIPPED) if takes is None else bool(takes)


def judge(heard: Heard, lacks: Reason | None, profile: Profile) -> Heard:
    """The same, but never sure of a source that lacks what the profile counts by. `lacks`: what is said of it, and what
    to do; None where it lacks nothing."""
    if lacks is None or heard.verdict == "not-a-shake" or counts_by(profile, lacks):
        return heard
    return replace(heard, verdict="unsure", reason=lacks, doubt="sensor")


def _digest(shipped: str) -> str:
    return load_shipped(shipped).digest
