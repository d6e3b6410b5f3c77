"""Where something was lost on its way to the ear, long before a shake and long after it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensors.ear.verdicts.lost_sound import KEPT_S, NEAR_S, PACKETS_LOST, SOUND_LOST, LostSound
from sensors.ear.verdicts.reasons import RECALIBRATE, UNLIKE
from sensors.evidence import Heard
from sensors.why import Reason

LENGTHS = st.floats(0.01, 5.0)


@given(LENGTHS, LENGTHS, st.floats(NEAR_S + 0.01, 10.0))
def test_what_was_lost_beside_a_shake_leaves_it_whole_and_within_it_does_not(
    long_s: float, bridge_s: float, away_s: float
) -> None:
    start, end = 20.0, 20.0 + long_s
    bridges, splices = LostSound(), LostSound()
    for first in (start - away_s - bridge_s, end + away_s):
        bridges.bridged(first, first + bridge_s)
        splices.lost(first if first > end else first + bridge_s)
    assert bridges.whole(start, end)
    assert splices.whole(start, end)
    bridges.bridged(end - 0.01, end - 0.01 + bridge_s)
    splices.lost(end - 0.01)
    assert not bridges.whole(start, end)
    assert not splices.whole(start, end)


def test_what_is_long_past_is_forgotten() -> None:
    lost = LostSound()
    for second in range(1000):
        lost.bridged(second, second + 0.1)
        lost.lost(second)
    assert lost.whole(0.0, 1000 - KEPT_S - 10)
    assert not lost.whole(0.0, 1000.0)
    assert len(lost._bridges) < KEPT_S + 5
    assert len(lost._at) < KEPT_S + 5


@pytest.mark.parametrize("unlike", [UNLIKE, RECALIBRATE])
def test_a_shake_that_lacks_some_is_not_blamed_on_the_igloo_or_the_profile(unlike: Reason) -> None:
    """Splices and bridges are unlike all that was learned: nobody is to record or to recalibrate for them."""
    shake = Heard("igloo", 10.0, 12.0, "unsure", {7: 1.0}, 30.0, False, "", unlike, doubt="sensor")
    whole, spliced, bridged = LostSound(), LostSound(), LostSound()
    spliced.lost(11.0)
    bridged.bridged(11.0, 11.02)
    assert [lost.judge(shake).reason for lost in (whole, spliced, bridged)] == [
        unlike,
        SOUND_LOST,
        PACKETS_LOST,
    ]
    assert bridged.judge(replace(shake, verdict="not-a-shake")).reason == unlike
