"""A verdict is begun while its silence is still waited for, and no other for that."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sensors.ear.foresight import LEFT_S, Foresight
from sensors.ear.frames.finder import SILENCE_S
from sensors.ear.frames.frontend import Array
from sensors.ear.listener import Listener
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.shakes import imagined, shake
from sensors.ear.verdicts.likeness import learned_for
from sensors.evidence import Heard
from tests.rattle import shaken_sensor

RATE = 1600
PROFILE = load_shipped("accelerometer")


def heard(samples: Array) -> list[Heard]:
    ear = Listener(PROFILE, RATE, 3, "igloo")
    said = [*ear.push(samples), *ear.finish()]
    return [one for one in said if isinstance(one, Heard)]


def stream() -> Array:
    """Two shakes of a sensor on a shell, with a second's rest around each; where they meet it is knocked."""
    rest = np.tile(np.array([0.0, 0.0, 1.0], np.float32), (RATE, 1))
    rest += 0.002 * np.random.default_rng(1).standard_normal(rest.shape).astype(np.float32)
    return np.concatenate([rest, shaken_sensor(5, 1), rest, shaken_sensor(9, 2), rest])


def test_it_looks_once_in_each_quiet() -> None:
    sight = Foresight(PROFILE.heads_for("accelerometer", RATE)[0], guided=False)
    left = [math.inf, SILENCE_S, LEFT_S + 0.1, LEFT_S, LEFT_S - 0.1, SILENCE_S, LEFT_S - 0.05, 0.0, math.inf]
    assert [sight.due(ends) for ends in left] == [False, False, False, True, False, False, True, False, False]


@pytest.mark.parametrize(
    ("profile", "rate", "guided"), [("contact", 48000, False), ("accelerometer", 1600, True)]
)
def test_who_imagines_no_beads_looks_never(profile: str, rate: float, guided: bool) -> None:
    kind = load_shipped(profile)
    sight = Foresight(kind.heads_for(kind.sensor, rate)[0], guided)
    assert not sight.due(LEFT_S)


def test_a_verdict_finds_its_beads_at_hand_and_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    shake._imagined_soon.cache_clear()
    foreseen = heard(stream())
    assert len([said for said in foreseen if said.probabilities]) >= 2
    assert shake._imagined_soon.cache_info().hits >= 2
    monkeypatch.setattr(Foresight, "look", lambda *_: None)
    shake._imagined_soon.cache_clear()
    assert heard(stream()) == foreseen
    assert shake._imagined_soon.cache_info().hits == 0


def footsteps(seconds: float) -> Array:
    """Somebody walks past the table on which the igloo stands."""
    random = np.random.default_rng(3)
    felt = np.tile(np.array([0.0, 0.0, 1.0]), (round(seconds * RATE), 1))
    felt += 0.0026 * random.standard_normal(felt.shape)
    step = np.arange(round(0.35 * RATE)) / RATE
    for at in np.arange(0.3, seconds - 1.0, 0.55):
        for axis in range(3):
            first = round(at * RATE)
            for hz in random.uniform(18, 120, 3):
                thump = np.exp(-step / 0.06) * np.sin(2 * np.pi * hz * step + random.uniform(0, 6))
                felt[first : first + len(step), axis] += random.uniform(0.01, 0.06) * thump
    return felt.astype(np.float32)


def test_for_what_is_no_shake_no_beads_are_imagined(monkeypatch: pytest.MonkeyPatch) -> None:
    """It cost more than everything else about footsteps together."""
    thrown: list[int] = []
    throw = imagined.throw
    monkeypatch.setattr(imagined, "throw", lambda *given: thrown.append(1) or throw(*given))  # type: ignore[func-returns-value]
    shake._imagined_soon.cache_clear()
    ear = Listener(PROFILE, RATE, 3, "igloo", partial=True)
    said = [*ear.push(footsteps(12.0)), *ear.finish()]
    assert [one.verdict for one in said if isinstance(one, Heard)].count("not-a-shake") == len(said) >= 2
    assert thrown == []
    assert heard(stream())
    assert thrown


@pytest.mark.parametrize("front", ["accelerometer-1600", "accelerometer-800"])
def test_what_judges_whether_it_is_a_shake_asks_no_imagined_beads(front: str) -> None:
    judges = learned_for(front, on_shell=True)
    assert judges is not None
    assert not [name for name in judges.names if name.startswith(imagined.GROUP)]
