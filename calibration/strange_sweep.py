"""A sweep that speaks against all that was learned: of strange igloos, or of a hand that shakes like nobody?"""

from __future__ import annotations

from sensors.ear.profile import Profile

SECOND_PERSON = (
    "The only sweep speaks against all that was learned of shaken igloos, and nobody knows whether that is the igloos "
    "or the hand (one that shakes too gently to lift the beads does it): let a second person record a sweep."
)


def strange_sweep(profile: Profile) -> str | None:
    """What to say of a profile most heads of which put what a single sitting told down to its hand."""
    strange = sum(head.model.for_strangers is not None for head in profile.heads)
    return SECOND_PERSON if 2 * strange > len(profile.heads) else None
