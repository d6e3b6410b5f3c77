"""A hand that is felt to shake is believed, whatever the beads do in the igloo; so is what outlasts handling."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sensors.ear.frames.frontend import Envelopes
from sensors.ear.profiles.profile import Head, load_shipped
from sensors.ear.shakes.shake import Shake, shake_of
from sensors.ear.verdicts import no_shake
from sensors.ear.verdicts.felt import felt_shaken
from sensors.ear.verdicts.reasons import HANDLED, HARDLY_STRUCK
from sensors.ear.verdicts.verdict import judge
from tests.rattle import RATE, rattle, shaken_sensor


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


@pytest.mark.parametrize("snr_db", [8.0, 20.0, 53.0])
def test_few_blows_in_no_rhythm_are_the_beads_and_not_the_hand(
    monkeypatch: pytest.MonkeyPatch, snr_db: float
) -> None:
    """Beads that slide and swirl: they were to be shaken harder, at 3 g."""
    head, shake = felt()
    seldom = replace(shake, strokes=1)
    monkeypatch.setattr(no_shake, "likeness", lambda *_: -1.7)
    told = judge(head, seldom, snr_db, False)
    assert told.verdict == "unsure"
    assert told.probabilities
    gentle = replace(shake, strength=head.strength_low - 0.1, strokes=3)
    assert judge(head, gentle, snr_db, False).reason == HANDLED
    monkeypatch.setattr(no_shake, "likeness", lambda *_: -2.1)
    assert judge(head, seldom, snr_db, False).reason == HARDLY_STRUCK
    assert "harder" not in HARDLY_STRUCK


def test_what_rattles_on_the_shell_for_longer_than_handling_needs_no_rhythm(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without a hand that is felt: 7 strokes in 3.5 s were 'moved, but not shaken', 40 dB above the quiet."""

    def told(kind: str = "contact", alike: float = -1.9, seconds: float = 3.5, snr_db: float = 40.0) -> str:
        monkeypatch.setattr(no_shake, "likeness", lambda *_: alike)
        head = load_shipped(kind).heads[0]
        shake = shake_of(head.front, Envelopes(head.front, RATE, 1).push(rattle(6, 8)[:, None]))
        assert shake is not None
        long = replace(shake, end_s=shake.start_s + seconds, strokes=7)
        return judge(head, long, snr_db, False).verdict

    assert told() == "unsure"
    for handled in (told(seconds=3.3), told(snr_db=29.0), told(alike=-2.1), told("microphone")):
        assert handled == "not-a-shake"
