"""Samples that are no numbers: what a logger writes for those that it lacks. Bridged, they make many beads few."""

from __future__ import annotations

import numpy as np
import pytest

from sensors.ear.listener import Listener
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.verdicts.lost_sound import NO_NUMBERS
from sensors.evidence import Heard
from tests.rattle import shaken_sensor


def told(share: float) -> Heard:
    """Of a shake of which so much is missing, in bursts of 30 ms."""
    random, sound = np.random.default_rng(1), shaken_sensor(5, 1)
    burst = 48
    for at in np.flatnonzero(random.uniform(size=len(sound) // burst) < share):
        sound[at * burst : (at + 1) * burst] = np.nan
    ear = Listener(load_shipped("accelerometer"), 1600.0, 3, "test")
    heard = [s for s in (*ear.push(sound), *ear.finish()) if isinstance(s, Heard)]
    return max(heard, key=lambda one: one.end_s - one.start_s)


@pytest.mark.parametrize("share", [0.2, 0.4])
def test_a_shake_that_lacks_much_is_never_sure_and_says_why(share: float) -> None:
    heard = told(share)
    assert heard.verdict != "sure"
    assert heard.reason == NO_NUMBERS


def test_of_a_whole_shake_nothing_is_said_to_be_missing() -> None:
    assert told(0.0).reason != NO_NUMBERS
