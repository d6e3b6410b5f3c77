"""Strokes in a room that is as loud as they are: one level a hundredth of a second."""

from __future__ import annotations

import numpy as np
import pytest

from sensors.ear.frames.drowned import Drowned
from sensors.ear.frames.finder import Finder, Found
from tests.sensors.ear.frames.strokes import levels


def hum(sequence: list[float], room_db: float) -> list[float]:
    """The levels beside a vacuum cleaner."""
    steady = room_db + 0.2 * np.random.default_rng(7).standard_normal(len(sequence))
    return list(10 * np.log10(10 ** (np.array(sequence) / 10) + 10 ** (steady / 10)))


def found(sequence: list[float], unless: bool = False) -> list[Found]:
    finder = Finder(-84.0)
    drowned = Drowned(finder, unless)
    out = []
    for level in sequence:
        finder.push(level)
        out.append(drowned.push(level))
    return [one for one in out if one is not None]


SHAKE = levels((3, -80, 0), (2, -40, 10), (2, -80, 0))  # the loudest blocks at -30 dB


@pytest.mark.parametrize("room_db", [-34.0, -31.0, -29.0])
def test_strokes_that_hardly_rise_above_the_room_are_found(room_db: float) -> None:
    (shake,) = found(hum(SHAKE, room_db))
    assert shake.kind == "drowned"
    assert shake.since == pytest.approx(300, abs=20)
    assert shake.block == pytest.approx(500, abs=25)
    assert found(hum(SHAKE, room_db), unless=True) == []


def test_what_is_steady_or_faint_or_short_is_no_shake() -> None:
    assert found(hum(levels((20, -80, 0)), -30.0)) == []
    assert found(hum([level - 40.0 for level in SHAKE], -71.0)) == []  # somebody in the next room
    assert found(hum(levels((3, -80, 0), (0.7, -40, 10), (2, -80, 0)), -31.0)) == []
    knocks = levels((3, -80, 0), *[(0.05, -28, 0), (0.7, -80, 0)] * 5)
    assert found(hum(knocks, -31.0)) == []


def test_a_machine_that_starts_and_stops_is_no_shake() -> None:
    assert found(levels((2, -50, 0), (3, -46, 0), (3, -50, 0), (4, -30, 0), (3, -50, 0))) == []
