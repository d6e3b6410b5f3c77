"""Where something was lost on its way to the ear, long before a shake and long after it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensors.ear.verdicts.lost_sound import KEPT_S, NEAR_S, PACKETS_LOST, SOUND_LOST, LostSound
from sensors.ear.verdicts.pair import believable
from sensors.ear.verdicts.reasons import RECALIBRATE, SHORT_OR_KNOCK, TOO_SHORT, UNLIKE
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


SHORT = Heard("igloo", 10.0, 10.6, "unsure", {7: 1.0}, 30.0, False, "", TOO_SHORT, doubt="sensor")


@pytest.mark.parametrize("pieces", [1, 13])
def test_nobody_shook_too_briefly_where_a_shake_ends_with_what_was_lost(pieces: int) -> None:
    """A second of it is missing: what is left on either side is short for that reason."""
    bridges = LostSound()
    for n in range(pieces):  # an ear finds samples that are not numbers step by step
        bridges.bridged(10.55 + n / pieces, 10.55 + (n + 1) / pieces)
    after = replace(SHORT, start_s=11.57, end_s=12.1)
    hardly = replace(SHORT, verdict="not-a-shake", reason=SHORT_OR_KNOCK, doubt="")
    assert [bridges.judge(said).reason for said in (SHORT, after, hardly)] == 3 * [PACKETS_LOST]
    assert not believable(bridges.judge(SHORT))
    spliced = LostSound()
    spliced.lost(10.5)
    assert spliced.judge(SHORT).reason == SOUND_LOST
    assert not believable(spliced.judge(SHORT))  # it is as short as before


def test_a_brief_shake_that_hardly_lost_anything_was_too_brief() -> None:
    lost = LostSound()
    lost.bridged(10.59, 10.61)
    lost.lost(11.0)
    assert lost.judge(SHORT) == SHORT


@pytest.mark.parametrize(("share", "doubt"), [(0.04, "odds"), (0.08, "sensor")])
def test_of_a_shake_of_which_a_little_was_bridged_the_count_is_used_and_of_one_with_more_it_is_not(
    share: float, doubt: str
) -> None:
    """With a fifth of it bridged, counts are two too low; neither is sure."""
    shake = Heard("igloo", 10.0, 12.0, "sure", {7: 1.0}, 30.0, False, "", None)
    lost = LostSound()
    lost.bridged(11.0, 11.0 + share * 2.0)
    said = lost.judge(shake)
    assert (said.verdict, said.reason, said.doubt) == ("unsure", PACKETS_LOST, doubt)
    assert believable(said) is (doubt == "odds")
