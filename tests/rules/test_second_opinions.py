"""Ice Cult and Igloo Pop beside slow programs that share nothing with the engines, and beside scipy's rotations."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from rules import games
from rules.core.game import Game
from rules.ice_cult import turns
from tests.parts import proof
from tests.rules import slow_ice_cult, slow_igloo_pop

COLOURS = ["red", "yellow", "green", "blue", "white", "black"]


def same(ours: dict[str, Any], theirs: dict[str, Any], but: set[str]) -> None:
    assert {k: v for k, v in ours.items() if k not in but} == {
        k: v for k, v in theirs.items() if k not in but
    }


def walked(
    game: Game[Any], state: Any, slow: ModuleType, rng: random.Random
) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Each move of a random walk, and the position after it as we and the slow program have it; both allow the same
    moves all along."""
    for _ in range(400):
        before = game.to_json(state)
        legal = list(game.moves(state))
        assert len(set(legal)) == len(legal)
        assert set(legal) == slow.legal(before)
        if not legal:
            return
        move = rng.choice(legal)
        theirs = slow.apply(before, move)
        state, _ = game.play(state, move)
        yield move, game.to_json(state), theirs


@pytest.mark.parametrize("seed", range(proof(6, 300)))
def test_ice_cult_walks_agree(seed: int) -> None:
    rng, game = random.Random(seed), games.game("ice-cult")
    players = rng.sample(COLOURS[:4], rng.randint(2, 4))
    state, _ = game.new(players, seed, {"length": rng.choice([4, 5, 9]) if seed % 3 else 4})
    for _, ours, theirs in walked(game, state, slow_ice_cult, rng):
        same(ours, theirs, {"over"})
        if ours["over"]:
            assert {k: ours["over"][k] for k in ("winners", "rule")} == theirs["over"]


@pytest.mark.parametrize("seed", range(proof(12, 1000)))
def test_igloo_pop_walks_agree(seed: int) -> None:
    rng, game = random.Random(seed), games.game("igloo-pop")
    state, _ = game.new(rng.sample(COLOURS, rng.randint(2, 6)), seed, {})
    for move, ours, theirs in walked(game, state, slow_igloo_pop, rng):
        if move == "resolve":
            assert (ours["talers"], ours["box"]) == (theirs["talers"], theirs["box"])
            assert {p: sorted(c) for p, c in ours["won"].items()} == {
                p: sorted(c) for p, c in theirs["won"].items()
            }
        elif ours["phase"] != "over":
            same(ours, theirs, {"to_act", "chance", "values"})


def matrix(lie: int) -> np.ndarray[Any, Any]:
    """Rows: where east, north and up of the world are in the body."""
    up, north = (np.array(turns.AXIS[face]) for face in turns.LIES[lie])
    return np.array([np.cross(north, up), north, up])


def test_the_24_ways_to_lie_are_the_rotation_group_of_the_cube() -> None:
    ours = {tuple(np.rint(matrix(lie)).astype(int).ravel()) for lie in range(24)}
    theirs = {tuple(np.rint(m).astype(int).ravel()) for m in Rotation.create_group("O").as_matrix()}
    assert ours == theirs
    assert len(ours) == 24


@pytest.mark.parametrize(
    ("how", "axis", "degrees"),
    [("N", "x", -90), ("S", "x", 90), ("E", "y", 90), ("W", "y", -90), ("cw", "z", -90), ("ccw", "z", 90)],
)
def test_tilts_and_turns_are_rotations(how: str, axis: str, degrees: int) -> None:
    world = np.rint(Rotation.from_euler(axis, degrees, degrees=True).as_matrix())
    for lie in range(24):
        # a body vector v looks along matrix(lie) @ v; after the turn along world @ matrix(lie) @ v
        assert np.array_equal(matrix(turns.AFTER[how][lie]), world @ matrix(lie))


def test_parity_is_the_sign_of_what_a_turn_does_to_the_four_diagonals() -> None:
    diagonals = [np.array([1, 1, 1]), np.array([1, 1, -1]), np.array([1, -1, 1]), np.array([-1, 1, 1])]
    for lie in range(24):
        images = [matrix(lie) @ d for d in diagonals]
        where = [
            next(k for k, d in enumerate(diagonals) if np.array_equal(np.abs(image @ d), 3))
            for image in images
        ]
        swaps = sum(where[i] > where[j] for i in range(4) for j in range(i + 1, 4))
        assert turns.parity(lie) == swaps % 2


def test_tilts_reach_half_of_all_joint_ways_to_lie() -> None:
    """Every tilt turns two cubes by an odd quarter, so the product of the four parities stays."""
    game = games.game("ice-cult")
    rng, (state, _) = random.Random(5), game.new(["red", "blue"], 1, {})
    start = [turns.parity(code % 24) for code in state.cubes]
    expected = sum(start) % 2
    for _ in range(proof(1500, 100_000)):
        legal = list(game.moves(state))
        if not legal:
            state, _ = game.new(["red", "blue"], rng.randrange(99), {})
            expected = sum(start) % 2
            continue
        move = rng.choice(legal)
        expected ^= move.startswith("turn")
        state, _ = game.play(state, move)
        assert sum(turns.parity(code % 24) for code in state.cubes) % 2 == expected
