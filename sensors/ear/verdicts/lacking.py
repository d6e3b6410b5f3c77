"""Files whose sensor gives too little to count by.

Either an accelerometer's steps are too coarse (few bits, or a wide range), or a microphone's sound has no treble. Then
too many or too few beads are heard, whatever the probabilities say. A profile that was fitted on such takes has learned
what they are like, and is trusted.
"""

from __future__ import annotations

from dataclasses import replace

from sensors.ear.profiles.profile import SHIPPED, Profile, load_shipped
from sensors.evidence import Heard
from sensors.why import Reason, Why


def counts_by(profile: Profile, lacks: Reason) -> bool:
    """Was the profile fitted on takes that lack the same? Of profiles that do not say, only the shipped ones are known
    not to be."""
    on = profile.fitted_on
    takes = on.narrow_takes if lacks.why is Why.NARROW else on.coarse_takes
    return profile.digest not in map(_digest, SHIPPED) if takes is None else bool(takes)


def judge(heard: Heard, lacks: Reason | None, profile: Profile) -> Heard:
    """The same, but not sure if the source lacks what the profile counts by. `lacks`: what it lacks and what to do;
    None where it lacks nothing."""
    if lacks is None or heard.verdict == "not-a-shake" or counts_by(profile, lacks):
        return heard
    return replace(heard, verdict="unsure", reason=lacks, doubt="sensor")


def _digest(shipped: str) -> str:
    return load_shipped(shipped).digest
