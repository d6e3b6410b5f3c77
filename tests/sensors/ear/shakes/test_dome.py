"""Beads thrown in a dome: mechanics that must hold."""

from __future__ import annotations

import tempfile
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensors.ear.frames.frontend import FELT_RATE, Floats
from sensors.ear.shakes import dome
from sensors.ear.shakes.dome import STEPS_HZ, places, throw

GRAVITY = 9.81
UP = np.array([0.0, 0.0, 1.0])


def unit(way: list[float]) -> Floats:
    direction = np.array(way, dtype=np.float64)
    return np.asarray(direction / np.linalg.norm(direction))


def shaken(floor: Floats, seconds: float = 2.0, hz: float = 4.0, g: float = 2.5) -> Floats:
    """What beads feel, float64[frames, 3], in a hand that goes up and down, a little slanting and to and fro."""
    t = np.arange(round(seconds * FELT_RATE)) / FELT_RATE
    across = np.cross(floor, [0.3, -0.8, 0.5])
    across /= np.linalg.norm(across)
    stroke = g * GRAVITY * np.sin(2 * np.pi * hz * t + 0.4 * np.sin(3 * t))
    return np.asarray(
        -GRAVITY * floor + np.outer(stroke, floor) + 0.35 * np.outer(stroke * np.cos(2 * t), across)
    )


@settings(max_examples=20, deadline=None)
@given(
    st.lists(st.floats(-1, 1), min_size=3, max_size=3).filter(lambda w: np.linalg.norm(w) > 0.1),
    st.integers(1, 12),
)
def test_what_lies_still_is_pushed_by_its_weight(way: list[float], beads: int) -> None:
    """However the dome lies, walls carry what rests in it: an impulse of 9.81 m/s a second along gravity."""
    floor = unit(way)
    force = np.tile(-GRAVITY * floor, (round(3 * FELT_RATE), 1))
    pushes, sums = throw(force, floor, places(beads, 0, tuple(floor)), STEPS_HZ)
    resting = slice(len(force) // 2, len(force) - 2)
    a_second = FELT_RATE / (resting.stop - resting.start)
    assert sums[resting, 1].sum() * a_second >= 0.98 * GRAVITY  # stacks press sideways as well
    if beads == 1:
        assert sums[resting, 1].sum() * a_second == pytest.approx(GRAVITY, rel=0.02)
        np.testing.assert_allclose(pushes[resting].sum(axis=0) * a_second, GRAVITY * np.abs(floor), atol=0.2)
    assert sums[resting, 0].sum() * a_second < 20  # and it hardly hits


def test_a_hand_that_shakes_harder_is_hit_harder() -> None:
    energy = []
    for g in (1.5, 2.5, 4.0):
        _, sums = throw(shaken(UP, g=g), UP, places(5, 0, tuple(UP)), STEPS_HZ)
        energy.append(sums[:, 2].sum())
    assert energy[0] < energy[1] < energy[2]


def test_it_runs_where_nothing_may_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """A read-only container: there is nowhere to keep what was compiled."""

    def twice(x: float) -> float:
        return 2 * x

    def denied(*given: object, **more: object) -> None:
        raise PermissionError("read-only")

    monkeypatch.setattr(tempfile, "TemporaryFile", denied)
    made: Callable[[float], float] = dome.compiled(twice)
    assert made(1.5) == 3.0
