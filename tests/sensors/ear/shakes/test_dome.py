"""Beads thrown in a dome: mechanics that must hold."""

from __future__ import annotations

import ast
import inspect
import tempfile
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensors.ear.frames.frontend import FELT_RATE
from sensors.ear.shakes import dome
from sensors.ear.shakes.dome import STEPS_HZ, places, throw
from tests.sensors.ear.shakes.hands import GRAVITY, UP, shaken, unit


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


def test_numba_sees_each_change_of_what_is_compiled() -> None:
    """It looks at one file: what other modules say comes in by an argument."""
    statements = ast.walk(ast.parse(inspect.getsource(dome)))
    others = {name.name for said in statements if isinstance(said, ast.ImportFrom) for name in said.names}
    assert "FELT_RATE" in others
    assert not others & set(throw.py_func.__code__.co_names)


def test_it_runs_where_nothing_may_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """A read-only container: there is nowhere to keep what was compiled."""

    def twice(x: float) -> float:
        return 2 * x

    def denied(*given: object, **more: object) -> None:
        raise PermissionError("read-only")

    monkeypatch.setattr(tempfile, "TemporaryFile", denied)
    made: Callable[[float], float] = dome.compiled(twice)
    assert made(1.5) == 3.0
