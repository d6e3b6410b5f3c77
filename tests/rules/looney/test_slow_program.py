"""IGLOO beside a slow program that shares nothing with the engine, and beside shapely."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.looney.game import GAME
from tests.parts import proof
from tests.rules import slow_looney as slow

from .pyramids import FULL, TEAM, TINY, all_of, any_game, begun, refusal_of, tell, wander


@settings(max_examples=proof(12, 400))
@given(st.integers(0, 10**9))
def test_sixty_pieces_none_overlapping_all_links_as_shapely_sees_them(seed):
    rng = random.Random(seed)
    state = any_game(rng)
    kept = []
    for _ in range(90):
        p = all_of(state)
        kept.append((state, json.dumps(p)))
        lying = Counter((one["colour"], one["size"]) for one in p["pieces"])
        lying.update((one["colour"], one["size"]) for row in p["prisoners"].values() for one in row)
        for colour, row in p["stash"].items():
            for size, count in row.items():
                assert count + lying[colour, size] == 5
        move = GAME.random_move(state, rng.randrange)
        if move is None:
            break
        state = tell(state, move)
    gap, widths = state.setting.gap, dict(zip("SML", state.setting.widths, strict=True))
    boxes = {
        one["id"]: shapely.box(
            one["x"], one["y"], one["x"] + widths[one["size"]], one["y"] + widths[one["size"]]
        )
        for one in p["pieces"]
    }
    for a, box in boxes.items():
        west, south, east, north = box.bounds
        wide = shapely.box(west - gap, south, east + gap, north)
        tall = shapely.box(west, south - gap, east, north + gap)
        for b, other in boxes.items():
            if a < b:
                assert shapely.area(shapely.intersection(box, other)) == 0
                near = (
                    shapely.area(shapely.intersection(wide, other)) > 0
                    or shapely.area(shapely.intersection(tall, other)) > 0
                )
                assert near == ([a, b] in p["links"])
    for old, text in kept:
        assert json.dumps(all_of(old)) == text


@settings(max_examples=proof(5, 200))
@given(st.integers(0, 10**9))
def test_a_slow_program_agrees_on_every_place_and_on_what_moves_do(seed):
    rng = random.Random(seed)
    table = rng.choice((None, [0, 0, 14, 12], [-6, -6, 18, 10]))
    state = begun(rng.choice((["A", "B"], TEAM)), rng.randrange(99), {**TINY, "table": table})
    p = all_of(state)
    for _ in range(rng.randrange(4, 20)):
        legal = list(GAME.moves(state))
        assert len(legal) == len(set(legal)) == GAME.count_moves(state)
        assert set(legal) == slow.legal(p)
        move = GAME.random_move(state, rng.randrange)
        if move is None:
            break
        assert move in legal
        state, p = tell(state, move), slow.apply(p, move)
        assert slow.same_table(p, all_of(state)), move
        if GAME.over(state):
            assert GAME.over(state).scores == slow.scores(p)


@pytest.mark.parametrize("seed", range(proof(2, 12)))
def test_standard_pieces_every_place(seed):
    """The same with pieces of the standard widths, where a slow look takes seconds."""
    rng = random.Random(seed)
    state = begun(["A", "B"], seed, {})
    for _ in range(rng.randrange(2, 7)):
        state = tell(state, GAME.random_move(state, rng.randrange))
    state = tell(state, *(["capture all"] if GAME.phase(state) in ("before", "after") else []))
    p = {**all_of(state), "stash": {colour: {"S": 0, "M": 0, "L": 0} for colour in FULL}}
    if p["phase"] != "place":
        return
    size, colour = rng.choice("SML"), slow.own_colours(p)[0]
    p["stash"][colour][size] = 1
    assert set(GAME.moves(GAME.setup(p, 0))) == slow.legal(p)


@settings(max_examples=proof(10, 400))
@given(st.integers(0, 10**9))
def test_a_placement_is_taken_if_and_only_if_the_slow_program_takes_it(seed):
    rng = random.Random(seed)
    state = wander(begun(["A", "B"], seed % 89, {}), rng, 50)
    p = all_of(state)
    if p["phase"] != "place" or not p["pieces"]:
        return
    for _ in range(100):
        near = rng.choice(p["pieces"])
        colour, size = rng.choice(slow.own_colours(p)), rng.choice("SML")
        x, y = near["x"] + rng.randrange(-52, 52), near["y"] + rng.randrange(-52, 52)
        why = refusal_of(state, f"place {colour} {size} @ {x},{y}")
        allowed = bool(p["stash"][colour][size]) and slow.legal_place(p, colour, size, x, y)
        assert (why is None) == allowed
        if why is not None:
            assert why.kind == "illegal"
            assert why.rule in ("IG-9", "IG-12")
            assert why.nearest
            assert all(refusal_of(state, near) is None for near in why.nearest)
