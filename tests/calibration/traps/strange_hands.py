"""Profiles of one hand that spoke against all that was learned."""

from __future__ import annotations

from dataclasses import replace

from sensors.ear.models.model import Weights
from sensors.ear.profiles.profile import Profile


def put_down_to_the_hand(profile: Profile, heads: int) -> Profile:
    """The first so many of its heads."""
    strange = [
        replace(head, model=replace(head.model, for_strangers=Weights(head.model.lean, 0.5)))
        for head in profile.heads[:heads]
    ]
    return replace(profile, heads=(*strange, *profile.heads[heads:]))
