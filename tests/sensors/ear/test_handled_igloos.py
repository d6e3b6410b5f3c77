"""In a game igloos are handled all the time: what is answered by a sensor on the shell, and what is not."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from hw_mock.igloo import accelerometer
from hw_mock.igloo.device import Device, Igloo
from hw_mock.igloo.hand import Motion, Player
from hw_mock.igloo.handling import handled, played
from hw_mock.igloo.played import Played, play
from hw_mock.igloo.shake import record_contact
from sensors.ear.listener import Listener
from sensors.ear.profiles.profile import load_shipped
from sensors.evidence import Heard
from tests.parts import proof

KINDS = ("accelerometer", "contact")
SEEDS = range(4101, 4101 + proof(2, 24))
BY_CHANCE = 1  # another processor rounds otherwise, and throws other beads


def answers(kind: str, seed: int, one: Played) -> list[Heard]:
    """Of a running ear, to an igloo that was played so."""
    random = np.random.default_rng(seed)
    if kind == "accelerometer":
        sound, rate = accelerometer.record(one, random), 1666.0
    else:
        sound, rate = record_contact(one.device, one.vibration(), random)[:, None], 48000.0
    ear = Listener(load_shipped(kind), rate, sound.shape[1], "handled")
    said = [
        s for block in np.array_split(sound, max(1, len(sound) * 10 // round(rate))) for s in ear.push(block)
    ]
    heard = [s for s in (*said, *ear.finish()) if isinstance(s, Heard)]
    return [one for one in heard if one.verdict != "not-a-shake"]


@cache
def _person(seed: int) -> Player:
    return Player.draw(seed).on(seed).take(seed)


def _moved(seed: int, motion: Motion) -> Played:
    """An igloo of 2 to 13 beads."""
    device, count = replace(Device.draw(seed), accelerometer_rate=1666.0), 2 + seed % 12
    return play(device, Igloo.of(device, count), _person(seed), motion, seed)


@cache  # for every sensor the same
def _handled(seed: int) -> tuple[Played, int]:
    """And how often something was done with it."""
    motion, done = handled(_person(seed), seed, 12.0)
    return _moved(seed, motion), len(done)


@cache
def _shaken(seed: int) -> Played:
    return _moved(seed, played(_person(seed), seed, 2.5)[0])


@pytest.mark.parametrize("kind", KINDS)
def test_an_igloo_that_is_handled_is_not_counted(kind: str) -> None:
    acts = got = 0
    for seed in SEEDS:
        one, done = _handled(seed)
        acts += done
        got += len(answers(kind, seed, one))
    assert acts >= 2 * len(SEEDS)
    assert got <= acts / 3 + BY_CHANCE  # seldom more than one; half of them by an ear that had not learned it


@pytest.mark.parametrize("kind", KINDS)
def test_an_igloo_that_is_lifted_shaken_and_put_down_is_counted_once(kind: str) -> None:
    counted = beside = 0
    for seed in SEEDS:
        one = _shaken(seed)
        heard, motion = answers(kind, seed, one), one.motion
        to_it = [h for h in heard if min(h.end_s, motion.end_s) - max(h.start_s, motion.start_s) > 0.8]
        counted += len(to_it) == 1
        beside += len(heard) - len(to_it)
    assert counted >= 0.75 * len(SEEDS) - BY_CHANCE
    assert beside <= len(SEEDS) / 4 + BY_CHANCE
