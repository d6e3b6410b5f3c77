"""A cable that is pulled while an igloo is shaken: what came of the shake is told, and why no more did."""

from __future__ import annotations

import threading

import pytest

from hw_mock.igloo.node import IglooNode
from sensors.ear.verdicts.lost_sound import WENT_AWAY
from tests.dongle import Dongle, Felt
from tests.sensors.ear.sources.igloo_ear import Ear


@pytest.mark.parametrize("pulled_s", [2.3, 2.9])
def test_the_hand_is_not_blamed_for_a_cable_that_was_pulled(
    listening: Ear, port: Dongle, felt: Felt, pulled_s: float
) -> None:
    """It was told to shake for two seconds."""

    def pull() -> None:
        port.rest()
        while port.waiting:
            pass
        port.unplug()

    port.shake(Felt(felt.samples[: round(pulled_s * felt.rate)], felt.rate), IglooNode(17, felt.rate))
    hand = threading.Thread(target=pull, daemon=True)
    hand.start()
    heard = listening.heard()
    hand.join(10.0)
    assert heard.reason == WENT_AWAY
    assert heard.verdict != "sure"
