"""Boards for Igloo Igloo's tests: a position by what is unusual about it."""

from __future__ import annotations

import json
import random
from typing import Any

from rules.core.game import Event
from rules.core.refusal import Refusal
from rules.igloo_igloo.game import GAME
from rules.igloo_igloo.state import State
from tests.rules import asking

LAND = ("a1", "a8", "h1", "h8")
WATER = tuple(f + r for r in "12345678" for f in "abcdefgh" if f + r not in LAND)
CENTRE = ("d4", "e4", "d5", "e5")
REDS = ("thaw", "stamina", "harpoon", "animals")


def ice(*sea: str, pack: tuple[str, ...] = ()) -> dict[str, str]:
    """Ice everywhere but on the squares of `sea`."""
    return {square: "pack" if square in pack else "hidden" for square in WATER if square not in sea}


def floes(*squares: str, pack: tuple[str, ...] = ()) -> dict[str, str]:
    """Sea everywhere but on these squares."""
    return {square: "pack" if square in pack else "hidden" for square in squares}


def position(**changes: Any) -> dict[str, Any]:
    """Red's turn, in ACTION with three points, two players; the whole ice but for the centre."""
    given = {
        "game": "igloo-igloo",
        "players": ["red", "blue"],
        "turn": "red",
        "phase": "action",
        "ap": 3,
        "ice": ice(*CENTRE),
    }
    return {**given, **changes}


def table(**changes: Any) -> State:
    return GAME.setup(position(**changes), 1)


def tell(state: State, *moves: str) -> State:
    """Plays the moves one after another."""
    for move in moves:
        state, _ = GAME.play(state, move)
    return state


def events(state: State, move: str, seat: str | None = None) -> tuple[Event, ...]:
    return GAME.play(state, move, seat)[1]


def refusal_of(state: State, move: str, seat: str | None = None) -> Refusal | None:
    """Why the move is not taken; None if it is."""
    return asking.refusal_of(GAME, state, move, seat)


def refused(state: State, move: str, seat: str | None = None) -> Refusal:
    """The refusal of a move; fails when it is taken."""
    return asking.refused(GAME, state, move, seat)


def moves(state: State, verb: str = "", seat: str | None = None) -> list[str]:
    return [move for move in GAME.moves(state, seat) if move.startswith(verb)]


def all_of(state: State) -> dict[str, Any]:
    return GAME.to_json(state)


def wander(state: State, rng: random.Random, target: str, most: int = 400) -> State:
    """Plays at random, with a liking for bears, until a moment of that phase (or the end) has come."""
    for count in range(most):
        legal = moves(state)
        rare = target in ("attack", "flee", "displace")
        if not legal or (GAME.phase(state) == target and (rare or (count > 20 and rng.random() < 0.3))):
            break
        bold = [m for m in legal if m == "animals" or m.startswith(("step bear", "drift"))]
        state = tell(state, rng.choice(bold if bold and rng.random() < 0.7 else legal))
    return state


def hide_differently(state: State, seat: str, rng: random.Random) -> State:
    """The same position for `seat`: everything it cannot know is dealt again, and the seed is another."""
    p = json.loads(json.dumps(all_of(state)))
    unseen = [square for square, what in p["ice"].items() if what == "hidden"]
    others = [(who, at) for who in p["players"] if who != seat for at in range(len(p["hands"][who]))]
    kinds = (
        [p["tiles"][square] for square in unseen]
        + p["out"]["thawed"]
        + [p["hands"][who][at] for who, at in others]
    )
    rng.shuffle(kinds)
    reds = [kind for kind in kinds if kind.split("-")[0] in REDS][: len(others)]
    for kind in reds:
        kinds.remove(kind)
    for (who, at), kind in zip(others, reds, strict=True):
        p["hands"][who][at] = kind
    for square in unseen:
        p["tiles"][square] = kinds.pop()
    p["out"]["thawed"] = kinds
    for tokens in ("fish", "foxes"):
        rng.shuffle(p["supply"][tokens])
    p.pop("chance")
    return GAME.setup(p, rng.randrange(10**9))
