"""Of a shake that was overdriven and lacks some, it is said how to mend the first."""

from __future__ import annotations

from dataclasses import replace

from sensors.ear.verdicts.lost_sound import PACKETS_LOST, LostSound
from sensors.ear.verdicts.mends import mends_of
from sensors.evidence import Heard

OVERDRIVEN = mends_of("accelerometer", True).overdriven
SHAKE = Heard("igloo", 10.0, 12.0, "sure", {7: 1.0}, 30.0, False, "")


def test_an_overdriven_shake_keeps_its_own_mend() -> None:
    lost = LostSound()
    lost.bridged(10.5, 11.5)
    told = lost.judge(SHAKE)
    assert (told.verdict, told.reason, told.doubt) == ("unsure", PACKETS_LOST, "sensor")
    clipped = replace(SHAKE, verdict="unsure", reason=OVERDRIVEN, clipped=True, doubt="sensor")
    assert lost.judge(clipped) == clipped
    none = replace(clipped, verdict="not-a-shake", probabilities={})
    assert lost.judge(none) == none
