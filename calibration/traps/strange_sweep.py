"""Sweeps by one hand that speak against what was learned: of strange igloos, or of a hand that shakes like nobody?"""

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
    """What to say of a profile most heads of which put what a single hand told down to it; of takes that name neither
    session nor player nobody knows whether they are of one."""
    strange = sum(head.model.for_strangers is not None for head in profile.heads)
    if 2 * strange <= len(profile.heads):
        return None
    missing = profile.fitted_on.unnamed or ()
    return UNNAMED.format(name_them=name_them(missing)) if len(missing) == len(UNITS) else SECOND_PERSON
