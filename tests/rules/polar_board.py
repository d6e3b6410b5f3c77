"""Boards for Igloo Igloo's tests: a position by what is unusual about it."""

from __future__ import annotations

from typing import Any

from rules.core.game import Event
from rules.core.refusal import Refusal
from rules.igloo_igloo.game import GAME
from rules.igloo_igloo.state import State

LAND = ("a1", "a8", "h1", "h8")
WATER = tuple(f + r for r in "12345678" for f in "abcdefgh" if f + r not in LAND)
CENTRE = ("d4", "e4", "d5", "e5")


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


def refused(state: State, move: str, seat: str | None = None) -> Refusal:
    """The refusal of a move; fails when it is taken."""
    before = GAME.to_json(state)
    try:
        GAME.play(state, move, seat)
    except Refusal as why:
        assert GAME.to_json(state) == before
        legal = list(GAME.moves(state, seat))
        assert set(why.nearest) <= set(legal)
        assert len(why.nearest) <= 5
        if why.kind in ("illegal", "not-now"):
            same_kind = any(one.split()[0] == move.split()[0] for one in legal)
            assert same_kind == (why.kind == "illegal")
        return why
    raise AssertionError(f"{move!r} was taken")


def moves(state: State, verb: str = "", seat: str | None = None) -> list[str]:
    return [move for move in GAME.moves(state, seat) if move.startswith(verb)]


def all_of(state: State) -> dict[str, Any]:
    return GAME.to_json(state)
