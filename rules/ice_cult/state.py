"""An Ice Cult position as a value (IC-3): small, immutable, comparable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rules.core.chance import Chance
from rules.core.game import Over

from .cubeset import CIRCLE, CubeSet

LETTERS = "RYGB"  # a pawn in a stack, in the order of COLOURS
PAWNS = 5
TILT_1, TILT_2, MOVE, OVER = "tilt-1", "tilt-2", "move", "over"


@dataclass(frozen=True, slots=True)
class Setting:
    """The constants of a game, shared by all its positions."""

    players: tuple[str, ...]
    options: Mapping[str, Any] = field(hash=False)
    length: int
    cubes: CubeSet
    physical: bool
    circles_compulsory: bool
    five_stack_by_anyone: bool


class State(NamedTuple):
    """`paths`: 4 · length stacks, N1 N2 … E1 …, each a string of LETTERS, bottom first; the rest as in `to_json`.

    `cubes`: for each slot 24 · cube + lie, or UNKNOWN; `tops`: for each slot the symbol (cubeset.SYMBOLS).
    `spent`: a bit for each slot whose ticket was used this turn.
    """

    setting: Setting
    turn: int
    phase: str
    cubes: tuple[int, ...]
    tops: tuple[int, ...]
    first: str | None
    spent: int
    pool: tuple[int, ...]
    paths: tuple[str, ...]
    home: tuple[int, ...]
    over: Over | None
    chance: Chance


def mover(state: State) -> str:
    return state.setting.players[state.turn]


def playable(state: State, top: int) -> bool:
    """IC-10: a pawn of the arrow's colour is in the pool, or on the arrow's path."""
    if not 0 <= top < CIRCLE:
        return False
    colour, side = divmod(top, 4)
    if state.pool[colour]:
        return True
    length = state.setting.length
    letter = LETTERS[colour]
    return any(letter in stack for stack in state.paths[side * length : side * length + length])


def owed(state: State) -> tuple[int, ...]:
    """IC-11: slots whose unused arrow is playable, and those of unused circles while any arrow on top is."""
    tops, spent = state.tops, state.spent
    can = [playable(state, top) for top in tops]
    out = [slot for slot in range(4) if can[slot] and not spent >> slot & 1]
    if state.setting.circles_compulsory and any(can):
        out += [slot for slot in range(4) if tops[slot] == CIRCLE and not spent >> slot & 1]
    return tuple(out)
