"""All legal moves of an Ice Cult position, in canonical notation."""

from __future__ import annotations

from collections.abc import Iterator

from .cubeset import ARC, CIRCLE, SLOTS, UNKNOWN
from .notation import TILTS, UNDOING
from .state import LETTERS, MOVE, OVER, TILT_2, State, owed

_TILT_MOVES = tuple(f"tilt {how}" for how in TILTS)
_SECOND: dict[str | None, tuple[str, ...]] = {None: _TILT_MOVES}
for _first in TILTS:
    _SECOND[_first] = tuple(f"tilt {how}" for how in TILTS if how != UNDOING[_first])
_TURNS = tuple(tuple(f"turn {a} {b} {sense}" for b in SLOTS for sense in ("cw", "ccw")) for a in SLOTS)
_USE = tuple(f"use {a}" for a in SLOTS)
_COPY = tuple(tuple(f"copy {a} {b}" for b in SLOTS) for a in SLOTS)


def legal(state: State) -> list[str]:
    """All legal moves except `correct` and `abandon` (which are no choice in the game), in a fixed order."""
    if state.phase == MOVE:
        return _in_move(state)
    if state.phase == OVER or UNKNOWN in state.cubes:
        return []
    return list(_SECOND[state.first] if state.phase == TILT_2 else _TILT_MOVES)


def _in_move(state: State) -> list[str]:
    tops, spent = state.tops, state.spent
    steps = [
        sources(state, top) if top < CIRCLE and top != UNKNOWN and _needed(state, slot) else ()
        for slot, top in enumerate(tops)
    ]
    out: list[str] = []
    for slot, top in enumerate(tops):
        if spent >> slot & 1:
            continue
        if top == CIRCLE:
            for arrow in range(4):
                verb = _COPY[slot][arrow]
                out += [verb + source for source in steps[arrow]]
        elif top == ARC:
            out += _TURNS[slot]
        elif steps[slot]:
            verb = _USE[slot]
            out += [verb + source for source in steps[slot]]
    if not owed(state):
        out.append("end")
    return out


def _needed(state: State, slot: int) -> bool:
    """Whether this arrow's steps may still be used: it is unused, or an unused circle can copy it."""
    return not state.spent >> slot & 1 or any(
        top == CIRCLE and not state.spent >> other & 1 for other, top in enumerate(state.tops)
    )


def sources(state: State, top: int) -> list[str]:
    """Where an arrow can move a pawn from: ` pool`, ` 3` (the topmost of its colour there), ` 3#2` (one below it)."""
    colour, side = divmod(top, 4)
    letter = LETTERS[colour]
    length = state.setting.length
    out = [" pool"] if state.pool[colour] else []
    first = side * length
    for space in range(length):
        stack = state.paths[first + space]
        if letter in stack:
            out.append(f" {space + 1}")
            last = stack.rfind(letter)
            k = stack.find(letter)
            while k < last:
                out.append(f" {space + 1}#{k + 1}")
                k = stack.find(letter, k + 1)
    return out


def iterate(state: State, seat: str | None) -> Iterator[str]:
    """The legal moves of one seat (None: of whoever has to act)."""
    if seat is None or (state.phase != OVER and seat == state.setting.players[state.turn]):
        yield from legal(state)
