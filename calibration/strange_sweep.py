"""A sweep that speaks against all that was learned: of strange igloos, or of a hand that shakes like nobody?"""

from __future__ import annotations

from calibration.named import name_them
from sensors.ear.profile import Profile

SECOND_PERSON = (
    "The only sweep speaks against all that was learned of shaken igloos, and nobody knows whether that is the igloos "
    "or the hand (one that shakes too gently to lift the beads does it): let a second person record a sweep."
)
UNNAMED = (
    "These takes speak against all that was learned of shaken igloos, and they count as one sitting, for none names "
    "its session: whether it is the igloos or one hand, several sittings would tell; {name_them}, and fit again."
)


def strange_sweep(profile: Profile) -> str | None:
    """What to say of a profile most heads of which put what a single sitting told down to its hand; of takes that name
    no session nobody knows whether they are of one."""
    strange = sum(head.model.for_strangers is not None for head in profile.heads)
    if 2 * strange <= len(profile.heads):
        return None
    missing = profile.fitted_on.get("unnamed", [])
    return UNNAMED.format(name_them=name_them(missing)) if "session" in missing else SECOND_PERSON
