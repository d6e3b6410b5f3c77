"""An Ice Cult position as JSON. `setup` reads it."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from rules.core.game import Option
from rules.core.position import write_options
from rules.core.reading import Reader
from rules.core.refusal import PositionError

from .cubeset import COLOURS, CUBES, SIDES, SLOTS, SYMBOLS, UNKNOWN, CubeSet, cube_set
from .state import LETTERS, MOVE, OVER, TILT_1, TILT_2, Setting, State
from .turns import LIES

PHASES = (TILT_1, TILT_2, MOVE, OVER)
OPTIONS = (
    Option(
        "mode",
        "digital",
        "digital or physical",
        "physical: real cubes, which may be corrected",
        ("digital", "physical"),
    ),
    Option("first", "players[0]", "players[0] or random", "who begins (D-16)", ("players[0]", "random")),
    Option("length", 5, "4 to 9", "spaces of a path (D-14)", least=4, most=9),
    Option(
        "cubes",
        "assumed-v1",
        "the name of a set of cubes, or a set as an object",
        "which symbol lies on which face (D-15)",
    ),
    Option(
        "circles_compulsory",
        True,
        "true or false",
        "an unused circle must be used while some arrow on top is playable (D-21)",
        (True, False),
    ),
    Option(
        "five_stack_by_anyone",
        True,
        "true or false",
        "five pawns in one stack win early whoever made the step; false: only if their owner made it (D-27)",
        (True, False),
    ),
)
KEYS = (
    "game", "players", "to_act", "phase", "over", "length", "cubes", "tops", "first_tilt", "spent", "pool", "paths",
    "home", "options", "chance",
)  # fmt: skip
_NAMES = dict(zip(LETTERS, COLOURS, strict=True))


def read_setting(read: Reader, players: Any, options: Any, length: Any = None) -> Setting:
    """Players and options; reports every defect."""
    seated = read.seated(players, COLOURS, 2, 4)
    chosen = read.options(options, OPTIONS)
    cubes = CubeSet("", (), (0, 0, 0, 0))
    try:
        cubes = cube_set(chosen["cubes"])
    except PositionError as wrong:
        for defect in wrong.defects:
            read.say(defect)
    if length is not None:
        given = isinstance(options, Mapping) and options.get("length") is not None
        length = read.whole(length, "length", 4, 9, chosen["length"])
        if given and length != chosen["length"]:
            read.say(f"length is {length}, and the option length {chosen['length']}")
        chosen["length"] = length
    return Setting(
        seated,
        copy.deepcopy(chosen),
        chosen["length"],
        cubes,
        chosen["mode"] == "physical",
        chosen["circles_compulsory"],
        chosen["five_stack_by_anyone"],
    )


def write(state: State, *, chance: bool) -> dict[str, Any]:
    """The position as in docs/contracts.md; everything in it is public except `chance`."""
    setting, length = state.setting, state.setting.length
    cubes = {
        slot: None
        if code == UNKNOWN
        else {"cube": CUBES[code // 24], "up": LIES[code % 24][0], "north": LIES[code % 24][1]}
        for slot, code in zip(SLOTS, state.cubes, strict=True)
    }
    # most spaces are empty
    paths = [[_NAMES[pawn] for pawn in stack] if stack else [] for stack in state.paths]
    out: dict[str, Any] = {
        "game": "ice-cult",
        "players": list(setting.players),
        "to_act": [] if state.phase == OVER else [setting.players[state.turn]],
        "phase": state.phase,
        "over": state.over.to_json() if state.over else None,
        "length": length,
        "cubes": cubes,
        "tops": {
            slot: None if top == UNKNOWN else SYMBOLS[top]
            for slot, top in zip(SLOTS, state.tops, strict=True)
        },
        "first_tilt": state.first,
        "spent": [slot for k, slot in enumerate(SLOTS) if state.spent >> k & 1],
        "pool": dict(zip(COLOURS, state.pool, strict=True)),
        "paths": {side: paths[k * length : k * length + length] for k, side in enumerate(SIDES)},
        "home": dict(zip(COLOURS, state.home, strict=True)),
        "options": write_options(setting.options),
    }
    if chance:
        out["chance"] = str(state.chance)
    return out
