"""An accelerometer whose values go in steps too coarse to count by: its bits are few, or its range is wide.

More beads than there are are heard then, whatever the odds say. A profile that was fitted on such takes has learned
what they are like, and is believed.
"""

from __future__ import annotations

from dataclasses import replace

from sensors.ear.profiles.profile import Profile, load_shipped
from sensors.evidence import Heard
from sensors.why import Reason


def counts_by(profile: Profile) -> bool:
    """Was it fitted on takes of such steps? Where a profile does not say, only those that ship are known not to be."""
    takes = profile.fitted_on.coarse_takes
    return profile.digest != load_shipped("accelerometer").digest if takes is None else bool(takes)


def judge(heard: Heard, coarse: Reason | None, profile: Profile) -> Heard:
    """The same, but never sure of a source of coarse steps that the profile does not know. `coarse`: what is said of
    them, and what to do; None where there are none."""
    if coarse is None or heard.verdict == "not-a-shake" or counts_by(profile):
        return heard
    return replace(heard, verdict="unsure", reason=coarse, doubt="sensor")
