"""A state as JSON, whole or as a seat may see it (IG-19): only the real colours are ever hidden."""

from __future__ import annotations

from typing import Any

from rules.core.position import write_options

from .options import SIDES, SIZES
from .state import NOWHERE, OVER, State, to_act


def whole(state: State) -> dict[str, Any]:
    """The whole state, real colours included; `setup` with it continues exactly as before."""
    out = _shown(state, (0, 1))
    out["chance"] = str(state.chance)
    return out


def seen(state: State, seat: str | None) -> dict[str, Any]:
    """What that seat may know; None: a spectator."""
    seats, side_of = state.setting.seats, state.setting.side_of
    if state.phase == OVER:
        return _shown(state, (0, 1))
    return _shown(state, (side_of[seats.index(seat)],) if seat in seats else ())


def _shown(state: State, known: tuple[int, ...]) -> dict[str, Any]:
    setting = state.setting
    names = setting.colours
    pieces = []
    for piece in state.pieces.values():
        one: dict[str, Any] = {"id": piece.id, "colour": names[piece.colour], "size": SIZES[piece.size]}
        if piece.west != NOWHERE:
            one |= {"x": piece.west, "y": piece.south}
        pieces.append(one)
    real: dict[str, Any] = {}
    for side in (0, 1):
        colour = state.real[side]
        real[SIDES[side]] = names[colour] if colour is not None and side in known else None
    return {
        "game": "igloo",
        "sides": {"A": list(names[:2]), "B": list(names[2:])},
        "seats": list(setting.seats),
        "to_act": list(to_act(state)),
        "phase": state.phase,
        "over": None if state.over is None else state.over.to_json(),
        "pieces": pieces,
        "links": sorted([a, b] for a, row in state.links.items() for b in row if a < b),
        "open": sorted(state.open),
        "stash": {
            names[colour]: dict(zip(SIZES, row, strict=True)) for colour, row in enumerate(state.stash)
        },
        "prisoners": {
            side: [{"colour": names[colour], "size": SIZES[size]} for colour, size in row]
            for side, row in zip(SIDES, state.prisoners, strict=True)
        },
        "real": real,
        "passes": state.passes,
        "turn": setting.seats[state.turn],
        "double_threat": state.threat,
        "options": write_options(setting.options),
    }
