"""A cable that is pulled while an igloo is shaken: what came of the shake is told, and why no more did."""

from __future__ import annotations

from hw_mock.igloo.node import IglooNode
from sensors.ear.profiles import profile as profiles
from sensors.ear.verdicts.lost_sound import WENT_AWAY
from sensors.evidence import Hearing
from tests.dongle import Dongle, Felt
from tests.sensors.ear.sources.igloo_ear import Ear


def test_the_hand_is_not_blamed_for_a_cable_that_was_pulled(
    port: Dongle, felt: Felt, profile: profiles.Profile
) -> None:
    """It was told to shake for two seconds."""
    ear = Ear(port.name, profile, partial=True)
    port.shake(Felt(felt.samples[: round(2.9 * felt.rate)], felt.rate), IglooNode(17, felt.rate))
    ear.next(lambda said: isinstance(said, Hearing))
    port.unplug()
    heard = ear.heard()
    ear.close()
    assert heard.reason == WENT_AWAY
    assert heard.verdict != "sure"
