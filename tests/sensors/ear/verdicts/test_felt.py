"""A hand that is felt to shake is believed, whatever the beads do in the igloo."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sensors.ear.frames.frontend import Envelopes
from sensors.ear.profiles.profile import Head, load_shipped
from sensors.ear.shakes.shake import Shake, shake_of
from sensors.ear.verdicts import verdict
from sensors.ear.verdicts.felt import felt_shaken
from sensors.ear.verdicts.reasons import HARDLY_STRUCK
from sensors.ear.verdicts.verdict import judge
from tests.rattle import shaken_sensor


def felt(rate: int = 1600, seconds: float = 2.0, pace: float = 4.0, hard: float = 2.0) -> tuple[Head, Shake]:
    head = load_shipped("accelerometer").heads_for("accelerometer", rate)[0]
    signal = shaken_sensor(4, 1, seconds, rate, pace)
    signal = signal[0] + hard * (signal - signal[0])
    shake = shake_of(head.front, Envelopes(head.front, rate, 3).push(signal), quick=True)
    assert shake is not None
    return head, shake


@pytest.mark.parametrize("rate", [800, 1600])
@pytest.mark.parametrize("pace", [3.0, 5.0])
def test_a_hand_that_goes_to_and_fro_shakes(rate: int, pace: float) -> None:
    assert felt_shaken(*felt(rate, pace=pace))


@pytest.mark.parametrize(("seconds", "pace", "hard"), [(0.6, 4.0, 2.0), (2.0, 4.0, 0.8), (2.0, 1.2, 2.0)])
def test_what_is_brief_or_gentle_or_slow_may_be_handling(seconds: float, pace: float, hard: float) -> None:
    assert not felt_shaken(*felt(seconds=seconds, pace=pace, hard=hard))


def test_few_blows_in_no_rhythm_are_the_beads_and_not_the_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beads that slide and swirl: they were to be shaken harder, at 3 g."""
    head, shake = felt()
    seldom = replace(shake, strokes=1)
    monkeypatch.setattr(verdict, "likeness", lambda *_: -1.7)
    told = judge(head, seldom, 20.0, False)
    assert told.verdict == "unsure"
    assert told.probabilities
    monkeypatch.setattr(verdict, "likeness", lambda *_: -9.0)
    assert judge(head, seldom, 20.0, False).reason == HARDLY_STRUCK
