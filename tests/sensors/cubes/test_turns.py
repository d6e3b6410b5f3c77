"""The geometry of cubes against RULES' words and against scipy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from sensors.cubes import quats, turns
from sensors.cubes.explain import ACTS, Act, explain

IMAGES = {  # IC-4: where (x, y, z) goes
    "N": (1, 3, -2),
    "S": (1, -3, 2),
    "E": (3, 2, -1),
    "W": (-3, 2, 1),
    "cw": (2, -1, 3),
    "ccw": (-2, 1, 3),
}


@pytest.mark.parametrize(("to", "image"), IMAGES.items())
def test_tilts_and_turns_go_as_the_rule_says(to: str, image: tuple[int, int, int]) -> None:
    turn = turns.TILT.get(to, turns.TURN.get(to))
    assert turn is not None
    assert tuple(turns.MATRICES[turn] @ np.array([1, 2, 3])) == image


def test_there_are_24_turns_and_each_has_its_own_name() -> None:
    names = {turns.up_north(i) for i in range(24)}
    assert len(names) == 24
    assert all(turns.turn_named(*turns.up_north(i)) == i for i in range(24))
    assert turns.up_north(turns.IDENTITY) == ("U", "N")
    with pytest.raises(ValueError, match="no turn of a cube has U up and D north"):
        turns.turn_named("U", "D")


def test_after_a_tilt_north_the_south_face_looks_up() -> None:
    assert turns.up_north(turns.TILT["N"]) == ("S", "U")
    assert turns.up_north(turns.TURN["cw"]) == ("U", "W")


@given(st.integers(0, 23), st.floats(0, 40), st.integers(0, 2**32 - 1))
def test_a_pose_snaps_back_from_anything_below_45_degrees(turn: int, off: float, seed: int) -> None:
    axis = np.random.default_rng(seed).normal(size=3)
    axis /= np.linalg.norm(axis)
    x, y, z, w = (
        Rotation.from_rotvec(axis * np.radians(off)) * Rotation.from_matrix(turns.MATRICES[turn])
    ).as_quat()
    best, first, second = turns.nearest((w, x, y, z))
    assert best == turn
    assert first == pytest.approx(off, abs=1e-3)
    assert second >= first


@given(st.tuples(*[st.floats(-1, 1)] * 4), st.tuples(*[st.floats(-1, 1)] * 3))
def test_levelling_brings_the_given_axis_up_by_the_least_turn(
    q: tuple[float, ...], up: tuple[float, ...]
) -> None:
    if np.linalg.norm(q) < 0.1 or np.linalg.norm(up) < 0.1:
        return
    start = quats.normalised((q[0], q[1], q[2], q[3]))
    vector = (up[0], up[1], up[2])
    level = quats.levelled(start, vector)
    x, y, z = quats.rotate(level, vector)
    assert np.hypot(x, y) == pytest.approx(0, abs=1e-5)
    assert z > 0
    before = np.array(quats.rotate(start, vector)) / np.linalg.norm(vector)
    least = np.degrees(np.arccos(np.clip(before[2], -1, 1)))
    assert quats.angle_deg(start, level) == pytest.approx(least, abs=0.1)


def _done(acts: tuple[Act, ...]) -> dict[str, int]:
    net: dict[str, int] = {}
    for act in acts:
        for slot in act.slots:
            net[slot] = turns.compose((net.get(slot, 0), act.turn))
    return {s: t for s, t in net.items() if t != turns.IDENTITY}


def _paths(acts: tuple[Act, ...]) -> dict[str, quats.Vec]:
    out: dict[str, np.ndarray] = {}
    for act in acts:
        for slot in act.slots:
            out[slot] = out.get(slot, np.zeros(3)) + np.array(quats.rotation_vector(turns.QUATS[act.turn]))
    return {s: (float(v[0]), float(v[1]), float(v[2])) for s, v in out.items()}


@given(st.lists(st.sampled_from(ACTS), min_size=1, max_size=2))
def test_what_was_done_is_an_explanation_of_what_is_seen(done: list[Act]) -> None:
    acts = tuple(done)
    net = _done(acts)
    if not net or any(s not in net for a in acts for s in a.slots):
        return  # something came back to where it was: less is seen than was done
    found = explain(net, {s: p for s, p in _paths(acts).items() if s in net})
    assert found is not None
    assert _done(found) == net
    assert len(found) <= len(acts)


def test_half_a_turn_goes_the_way_that_the_hand_took() -> None:
    for way in ("cw", "ccw"):
        twice = (Act("NE", way), Act("NE", way))
        assert explain(_done(twice), _paths(twice)) == twice
    for side in "NS":
        twice = (Act("n", side), Act("n", side))
        assert explain(_done(twice), _paths(twice)) == twice


def test_one_cube_alone_over_a_corner_is_no_move() -> None:
    corner = turns.compose((turns.TILT["N"], turns.TURN["cw"]))
    assert explain({"NW": corner}, {"NW": (0.0, 0.0, 0.0)}, 3) is None
