"""Positions that somebody wrote: what cannot be on a table is refused with all its defects, and nothing else is."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest

from rules import games
from rules.core.refusal import PositionError
from tests.parts import proof
from tests.seated import seated


def scrambled(rng: random.Random, value: Any, depth: int = 0) -> Any:
    """The value with something in it changed to what somebody might have written."""
    if isinstance(value, dict) and value and (rng.random() < 0.85 or depth == 0):
        key = rng.choice(list(value))
        out = dict(value)
        if rng.random() < 0.1:
            del out[key]
        else:
            out[rng.choice([key, key, key, "x", key.upper()])] = scrambled(rng, value[key], depth + 1)
        return out
    if isinstance(value, list) and value and rng.random() < 0.8:
        k = rng.randrange(len(value))
        choice = rng.randrange(4)
        return [
            [*value[:k], scrambled(rng, value[k], depth + 1), *value[k + 1 :]],
            value[:k],
            value + value[k:],
            value[::-1],
        ][choice]
    junk = (
        None,
        True,
        0,
        -1,
        1,
        5,
        10**30,
        0.5,
        "",
        "red",
        "blue",
        "NW",
        "S",
        "over",
        "x" * 300,
        [],
        {},
        [[]],
    )
    return rng.choice([*junk, [None], {"at": "hand", "by": "red"}, ["red", "red"], "move", "a1", ["hidden"]])


STARTS: dict[str, tuple[list[str], ...]] = {
    "ice-cult": (["red", "blue"], ["yellow", "red", "green", "blue"]),
    "igloo-pop": (["red", "blue"], ["red", "yellow", "green", "blue", "white", "black"]),
    "igloo-igloo": (["red", "blue"], ["red", "blue", "yellow", "green"]),
    "igloo": (["A", "B"], ["red", "blue", "yellow", "green"]),
}


@pytest.mark.parametrize("name", games.NAMES)
def test_scrambled_positions_are_refused_or_stand(name: str) -> None:
    """What `setup` takes can be written and taken again, and played on; what it does not take has defects."""
    rng, game = random.Random(f"scramble {name}"), games.game(name)
    own_pieces = "mode" in {option.name for option in game.options}
    modes = [{"mode": mode} for mode in ("digital", "physical")] if own_pieces else [{}]
    tables = STARTS.get(name) or (seated(name),)
    taken = refused = 0
    games_told = proof(4, 60)
    for _ in range(games_told):
        state, _ = game.new(rng.choice(tables), rng.randrange(999), rng.choice(modes))
        for _ in range(rng.randrange(1, 40)):
            first = [move for _, move in zip(range(40), game.moves(state), strict=False)]
            if first:
                state, _ = game.play(state, rng.choice(first))
        position = game.to_json(state)
        for _ in range(100):
            wrong = copy.deepcopy(position)
            for _ in range(rng.randint(1, 2)):
                wrong = scrambled(rng, wrong)
            try:
                stands = game.setup(wrong, 1)
            except PositionError as error:
                refused += bool(error.defects) and all(isinstance(one, str) for one in error.defects)
                continue
            taken += 1
            written = game.to_json(stands)
            assert json.loads(json.dumps(written)) == written
            assert game.setup(written, 2) == stands
            for seat in (None, *game.seats(stands)):
                json.dumps([game.view(stands, seat), game.score(stands, seat)])
            move = next(game.moves(stands), None)
            if move is not None:
                game.play(stands, move)
    assert taken + refused == 100 * games_told
    assert taken
    assert refused
