"""Beads thrown in a dome: mechanics that must hold."""

from __future__ import annotations

import ast
import inspect

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensors.ear.frames.frontend import FELT_RATE, Floats
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


def test_each_change_of_what_is_compiled_is_seen() -> None:
    """Two files are looked at: what other modules say comes in by an argument."""
    statements = ast.walk(ast.parse(inspect.getsource(dome)))
    others = {name.name for said in statements if isinstance(said, ast.ImportFrom) for name in said.names}
    assert "FELT_RATE" in others
    assert not others & set(dome.loop.__code__.co_names)


def test_machine_code_does_what_the_source_says() -> None:
    """As long as beads' chaos has not made much of other rounding; a hit between two frames may count for either."""
    force, at = shaken(UP, seconds=0.25), places(6, 1, tuple(UP))
    pushes, sums = throw(force, UP, at, STEPS_HZ)
    expected, told = np.zeros_like(pushes), np.zeros_like(sums)
    dome.loop(force, UP, at.copy(), np.zeros((6, 3)), expected, told, np.empty((3, 3)), STEPS_HZ, FELT_RATE)
    np.testing.assert_allclose(pushes.sum(axis=0), np.abs(expected).sum(axis=0) / 6, rtol=1e-3)
    np.testing.assert_allclose(sums.sum(axis=0), told.sum(axis=0) / 6, rtol=1e-3)
    assert sums[:, [0, 4]].sum(axis=0).min() > 1


@pytest.mark.parametrize(
    ("force", "floor", "at"), [((10, 2), (3,), (1, 3)), ((10, 3), (4,), (1, 3)), ((10, 3), (3,), (1, 4))]
)
def test_what_machine_code_would_read_beyond_is_refused(
    force: tuple[int, ...], floor: tuple[int, ...], at: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError, match="no throw"):
        throw(np.zeros(force), np.zeros(floor), np.zeros(at), STEPS_HZ)


def test_numbers_of_another_kind_are_thrown_alike() -> None:
    force, at = np.asfortranarray(shaken(UP, seconds=0.5)), places(3, 0, tuple(UP))
    expected, _ = throw(np.ascontiguousarray(force), UP, at, STEPS_HZ)
    before = at.copy()
    pushes, _ = throw(force, UP.astype(np.float32), np.asfortranarray(at), STEPS_HZ)
    np.testing.assert_array_equal(pushes, expected)
    np.testing.assert_array_equal(at, before)


def test_code_that_needs_more_than_a_c_library_is_not_given_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who loads it has no numba."""
    from sensors.ear.shakes import dome_compiler

    def by_dictionary(force: Floats, *more: object) -> None:
        counted = {0: force[0, 0]}
        force[0, 0] = counted[0]

    monkeypatch.setattr(dome_compiler, "loop", numba.njit(by_dictionary))
    with pytest.raises(RuntimeError, match="needs "):
        dome_compiler.made()
