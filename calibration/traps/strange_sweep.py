"""Sweeps by one hand that contradict what was learned: are the igloos strange, or only the hand?"""

from __future__ import annotations

from calibration.recordings.named import UNITS, name_them
from sensors.ear.profiles.profile import Profile

SECOND_PERSON = (
    "What was recorded, by one hand as far as is known, speaks against what was learned of other igloos, and nobody "
    "knows whether that is the igloos or the hand (one that shakes too gently to lift the beads does it): let a second "
    "person record a sweep."
)
UNNAMED = (
    "These takes speak against all that was learned of shaken igloos, and they count as one sitting, for none names "
    "its session: whether it is the igloos or one hand, several sittings would tell; {name_them}, and fit again."
)


def strange_sweep(profile: Profile) -> str | None:
    """A remark on a profile most of whose heads attribute what a single hand showed to that hand; takes without session
    and player may be of one hand."""
    strange = sum(head.model.for_strangers is not None for head in profile.heads)
    if 2 * strange <= len(profile.heads):
        return None
    missing = profile.fitted_on.unnamed or ()
    return UNNAMED.format(name_them=name_them(missing)) if len(missing) == len(UNITS) else SECOND_PERSON
