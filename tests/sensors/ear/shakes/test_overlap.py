"""One microphone for two igloos: what can be noticed, and that one hand alone is seldom taken for two."""

from dataclasses import replace

import numpy as np
import pytest

from sensors.ear.frames.frontend import FRONT_ENDS, Frames
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.shakes.overlap import INTERCEPT, SAID_FROM, WEIGHTS, WINDOW_S, log_odds, rhythm, several
from sensors.ear.shakes.shake import shake_of
from sensors.ear.shakes.takes import cut
from sensors.ear.verdicts import no_shake
from sensors.ear.verdicts.reasons import SEVERAL
from sensors.ear.verdicts.verdict import judge

FRONT = FRONT_ENDS[0]


def bursts(random, strokes_hz, seconds=3.0, filled=0.25, wander=0.0):
    """Energies of hits in bursts, two a stroke, that fill a share of the time; `wander`: how far the pace goes."""
    t = np.arange(round(seconds * FRONT.frame_rate)) / FRONT.frame_rate
    strokes = np.cumsum(strokes_hz * (1 + wander * np.sin(2 * np.pi * t / 7.0))) / FRONT.frame_rate
    loud = np.exp(-0.5 * (np.sin(np.pi * strokes + random.uniform(0, 3)) / filled) ** 2)
    return (loud[:, None] * random.exponential(1.0, (len(t), 6)) ** 2 + 1e-5).astype(np.float32)


def frames(energy):
    return Frames(energy, np.zeros((0, 3), np.float32))


def test_a_second_pace_in_the_gaps_of_the_first_is_noticed():
    random = np.random.default_rng(1)
    alone = [several(cut(FRONT, frames(bursts(random, hz)))) for hz in (5.0, 6.3, 7.7, 9.0)]
    pairs = [
        several(cut(FRONT, frames(bursts(random, a) + bursts(random, b))))
        for a, b in ((5.0, 7.1), (6.3, 8.9), (4.4, 7.7))
    ]
    assert max(alone) < min(pairs)
    pace, rest, _ = rhythm(cut(FRONT, frames(bursts(random, 6.0))))
    assert pace > rest


def test_it_is_said_as_the_reason_and_only_where_the_microphone_hears_the_room(monkeypatch):
    monkeypatch.setattr(no_shake, "likeness", lambda *_: 5.0)
    random = np.random.default_rng(2)
    shake = shake_of(FRONT, frames(bursts(random, 5.0)))
    doubtful = replace(shake, several=0.5)
    head = load_shipped("microphone").head_for("microphone", 48000)
    usual = replace(head.usual, limit=1e9)
    head = replace(head, usual=usual, strength_low=-9.0, strength_high=9.0)
    assert judge(head, doubtful, 30.0, False).reason == SEVERAL
    assert judge(head, replace(doubtful, several=-0.5), 30.0, False).reason != SEVERAL
    shell = load_shipped("contact").head_for("microphone", 48000)
    shell = replace(shell, usual=replace(shell.usual, limit=1e9), strength_low=-9.0, strength_high=9.0)
    assert judge(shell, doubtful, 30.0, False).reason != SEVERAL


@pytest.mark.parametrize("seconds", [0.3, 0.7])
def test_a_short_shake_is_not_suspected(seconds):
    take = cut(FRONT, frames(bursts(np.random.default_rng(3), 6.0, seconds)))
    assert several(take) < 0


def test_what_sits_on_the_shell_feels_its_own_igloo_alone():
    """An accelerometer: two paces in it are its own igloo's, not a neighbour's."""
    random = np.random.default_rng(1)
    both = bursts(random, 3.1, filled=0.5) + bursts(random, 4.7, filled=0.5)
    heard = cut(FRONT, frames(both))
    assert several(heard) > 0
    assert several(replace(heard, front=FRONT_ENDS[3])) < 0


def cut_to(seconds, energy):
    return cut(FRONT, frames(energy[: round(seconds * FRONT.frame_rate)]))


@pytest.mark.parametrize("hz", [4.4, 5.5, 7.0, 8.6])
def test_a_hand_whose_pace_wanders_is_no_second_one_however_long_it_shakes(hz):
    energy = bursts(np.random.default_rng(4), hz, 12.0, filled=0.35, wander=0.08)
    odds = [several(cut_to(seconds, energy)) for seconds in (3.0, 5.0, 8.0, 12.0)]
    assert max(odds) < odds[0] + 0.7
    assert max(odds[1:]) < 0


def test_two_hands_are_told_from_one_in_a_long_shake_as_in_a_short_one():
    random = np.random.default_rng(5)
    hands = [bursts(random, hz, 10.0, filled=0.35, wander=0.08) for hz in (5.0, 7.1)]
    for seconds in (3.0, 6.0, 10.0):
        alone = [log_odds(cut_to(seconds, hand)) for hand in hands]
        assert log_odds(cut_to(seconds, sum(hands))) > max(alone) + 1.0


def test_a_shake_of_the_usual_length_is_looked_at_whole():
    take = cut_to(WINDOW_S, bursts(np.random.default_rng(6), 5.0))
    assert several(take) == float(rhythm(take) @ np.array(WEIGHTS) + INTERCEPT - SAID_FROM)
