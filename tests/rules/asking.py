"""Asking a referee for something that it may refuse, and looking at the refusal as a program would."""

from __future__ import annotations

from itertools import islice
from typing import Any

from rules.core.game import Game
from rules.core.refusal import Refusal


def refusal_of(game: Game[Any], state: Any, move: str, seat: str | None = None) -> Refusal | None:
    """Why the move is not taken; None if it is."""
    try:
        game.play(state, move, seat)
    except Refusal as why:
        return why
    return None


def refused(game: Game[Any], state: Any, move: str, seat: str | None = None) -> Refusal:
    """The refusal of a move that must not be taken: it changes nothing, its kind is right, what is near is legal."""
    before = game.to_json(state)
    why = refusal_of(game, state, move, seat)
    assert why is not None, f"{move!r} was taken"
    assert game.to_json(state) == before
    assert len(why.nearest) <= 5
    for near in why.nearest:
        assert refusal_of(game, state, near, seat) is None
    legal = list(islice(game.moves(state, seat), 2000))
    if why.kind in ("illegal", "not-now"):
        same_kind = any(one.split()[0] == move.split()[0].lower() for one in legal)
        assert same_kind == (why.kind == "illegal")
    return why
