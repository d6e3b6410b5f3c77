"""A state as JSON, whole or as a seat may see it (II-24; docs/contracts.md). All secrets are removed here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.core.position import write_options

from .board import SQUARES, names_of, squares_of
from .state import Pending, State, actor


def whole(state: State) -> dict[str, Any]:
    """The whole state, hidden parts included; `setup` with it continues exactly as before."""
    out = _shown(state, None, everything=True)
    out["chance"] = str(state.chance)
    return out


def seen(state: State, seat: str | None) -> dict[str, Any]:
    """What that seat may know; None: a spectator. Lengths are kept, secrets are None."""
    return _shown(state, seat, everything=False)


def _shown(state: State, seat: str | None, everything: bool) -> dict[str, Any]:
    players = state.rules.players
    acting = actor(state)
    # in digital play the order of the supply is the order of the draws
    left_known = everything or state.rules.physical
    tiles = {}
    for square in squares_of(state.ice):
        known = everything or state.pack >> square & 1
        tiles[SQUARES[square]] = state.tiles[square] if known else None
    return {
        "game": "igloo-igloo",
        "players": list(players),
        "turn": players[state.turn],
        "to_act": [] if acting is None else [players[acting]],
        "phase": state.phase,
        "over": None if state.over is None else state.over.to_json(),
        "ap": state.ap,
        "ice": {SQUARES[at]: "pack" if state.pack >> at & 1 else "hidden" for at in squares_of(state.ice)},
        "tiles": tiles,
        "fish": _tokens(state.fish),
        "foxes": _tokens(state.foxes),
        "bears": names_of(state.bears),
        "inuits": _inuits(state),
        "igloos": {
            SQUARES[at]: players[owner]
            for at, owner in sorted(
                (at, owner) for owner, row in enumerate(state.igloos) for at in squares_of(row)
            )
        },
        "hands": {
            colour: list(hand) if everything or colour == seat else [None] * len(hand)
            for colour, hand in zip(players, state.hands, strict=True)
        },
        "played": list(state.played),
        "prey": {
            colour: {"fish": list(prey.fish), "foxes": list(prey.foxes), "bears": prey.bears}
            for colour, prey in zip(players, state.prey, strict=True)
        },
        "reserve": {
            colour: {"inuits": inuits, "igloos": igloos}
            for colour, (inuits, igloos) in zip(players, state.reserve, strict=True)
        },
        "supply": {
            "fish": _secret([value or None for value in state.supply_fish], left_known),
            "foxes": _secret([value or None for value in state.supply_foxes], left_known),
            "bears": state.supply_bears,
        },
        "out": {"open": list(state.out_open), "thawed": _secret(state.out_thawed, everything)},
        "pending": None if state.pending is None else _pending(state.pending, players),
        "options": write_options(state.rules.options),
    }


def _secret(row: Sequence[Any], everything: bool) -> list[Any]:
    return list(row) if everything else [None] * len(row)


def _tokens(codes: tuple[int, ...]) -> dict[str, list[int]]:
    out: dict[str, list[int]] = {}
    for code in codes:
        out.setdefault(SQUARES[code >> 2], []).append(code & 3)
    return out


def _inuits(state: State) -> dict[str, list[str]]:
    standing = sorted((square, owner) for owner, tribe in enumerate(state.inuits) for square in tribe)
    out: dict[str, list[str]] = {}
    for square, owner in standing:
        out.setdefault(SQUARES[square], []).append(state.colour(owner))
    return out


def _pending(pending: Pending, players: tuple[str, ...]) -> dict[str, Any]:
    return {
        "kind": pending.kind,
        "square": None if pending.square is None else SQUARES[pending.square],
        "direction": pending.direction,
        "mover": players[pending.mover],
        "asked": [players[player] for player in pending.asked],
        "waiting": [players[player] for player in pending.waiting],
        "fleeing": [players[player] for player in pending.fleeing],
        "points": pending.points,
        "back": pending.back,
        "refuge": None if pending.refuge is None else SQUARES[pending.refuge],
    }
