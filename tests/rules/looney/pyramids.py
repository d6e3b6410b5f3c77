"""Tables for IGLOO's tests. Side A owns red and yellow, B blue and green; units are 1/32 inch."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from rules.core.refusal import Refusal
from rules.looney.game import GAME
from rules.looney.state import State
from tests.rules import asking

FULL = {colour: {"S": 5, "M": 5, "L": 5} for colour in ("red", "yellow", "blue", "green")}
OWN = {"A": "red", "B": "blue"}
TEAM = ["red", "blue", "yellow", "green"]
DOUBLE = "B:S@0,0 B:M@57,0 B:M@25,32"
TINY = {"widths": {"S": 2, "M": 3, "L": 4}}
OPTIONS: list[dict[str, Any]] = [
    {},
    {"captures_optional": False, "double_threat": "fresh"},
    {"aftermath_only": True, "double_threat": "threatening", "first": "random"},
    {"table": [-60, -60, 140, 140]},
    TINY,
    {**TINY, "table": [0, 0, 14, 12]},
]


def pieces(text: str) -> list[dict[str, Any]]:
    """`A:S@0,0 B:M@20,0` → pieces of red and blue, numbered from 1; a colour may be named instead of a side."""
    out = []
    for number, word in enumerate(text.split(), 1):
        who, _, rest = word.partition(":")
        size, _, place = rest.partition("@")
        x, _, y = place.partition(",")
        out.append({"id": number, "colour": OWN.get(who, who), "size": size, "x": int(x), "y": int(y)})
    return out


def stash_beside(lying: list[dict[str, Any]]) -> dict[str, dict[str, int]]:
    """A full stash but for what lies on the table."""
    stash = {colour: dict(row) for colour, row in FULL.items()}
    for piece in lying:
        stash[piece["colour"]][piece["size"]] = max(0, stash[piece["colour"]][piece["size"]] - 1)
    return stash


def table(text: str = "", turn: str = "A", phase: str = "place", **changes: Any) -> State:
    """A position with these pieces; `turn` is to act."""
    lying = pieces(text)
    given: dict[str, Any] = {
        "game": "igloo",
        "phase": phase,
        "turn": turn,
        "pieces": lying,
        "stash": stash_beside(lying),
        "real": {"A": "red", "B": "blue"},
    }
    return GAME.setup({**given, **changes}, 1)


def tell(state: State, *moves: str) -> State:
    for move in moves:
        state, _ = GAME.play(state, move)
    return state


def refusal_of(state: State, move: str, seat: str | None = None) -> Refusal | None:
    """Why the move is not taken; None if it is."""
    return asking.refusal_of(GAME, state, move, seat)


def refused(state: State, move: str, seat: str | None = None) -> Refusal:
    """The refusal of a move; fails when it is taken."""
    return asking.refused(GAME, state, move, seat)


def all_of(state: State) -> dict[str, Any]:
    return GAME.to_json(state)


def open_in(text: str) -> list[int]:
    """The open pieces of a table."""
    return list(all_of(table(text))["open"])


def links_in(text: str) -> list[list[int]]:
    return list(all_of(table(text))["links"])


def begun(players: Sequence[str], seed: int, options: dict[str, Any]) -> State:
    """A game with both real colours chosen."""
    state, _ = GAME.new(players, seed, options)
    return tell(
        state,
        *(
            f"commit {seat} {GAME.view(state, None)['sides'][side][seed % 2]}"
            for seat, side in seats(players)
        ),
    )


def seats(players: Sequence[str]) -> list[tuple[str, str]]:
    """Who commits for which side."""
    return [("A", "A"), ("B", "B")] if len(players) == 2 else [("red", "A"), ("blue", "B")]


def wander(state: State, rng: random.Random, most: int) -> State:
    """Plays at random for a while, never as far as the reveal."""
    for _ in range(rng.randrange(most)):
        move = GAME.random_move(state, rng.randrange)
        if move is None or move == "reveal":
            break
        state = tell(state, move)
    return state


def any_game(rng: random.Random) -> State:
    players = TEAM if rng.random() < 0.3 else rng.choice((["A", "B"], ["B", "A"]))
    return begun(players, rng.randrange(10**6), rng.choice(OPTIONS))
