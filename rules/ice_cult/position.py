"""An Ice Cult position as JSON, both ways; reading one names every defect."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from rules.core.game import Option
from rules.core.position import read_chance, read_over
from rules.core.reading import Reader, shown
from rules.core.refusal import PositionError

from .cubeset import COLOURS, CUBES, SIDES, SLOTS, SYMBOLS, UNKNOWN, CubeSet, cube_set
from .notation import TILTS
from .state import LETTERS, MOVE, OVER, PAWNS, TILT_1, TILT_2, Setting, State
from .turns import LIES, NUMBER

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


def read_setting(read: Reader, players: Any, options: Any, length: Any = None) -> Setting:
    """Players and options, with a defect for everything that is wrong with them."""
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
    """The position as in docs/contracts.md; everything in it is public but `chance`."""
    setting, length = state.setting, state.setting.length
    cubes = {
        slot: None
        if code == UNKNOWN
        else {"cube": CUBES[code // 24], "up": LIES[code % 24][0], "north": LIES[code % 24][1]}
        for slot, code in zip(SLOTS, state.cubes, strict=True)
    }
    names = dict(zip(LETTERS, COLOURS, strict=True))
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
        "paths": {
            side: [[names[pawn] for pawn in stack] for stack in state.paths[k * length : k * length + length]]
            for k, side in enumerate(SIDES)
        },
        "home": dict(zip(COLOURS, state.home, strict=True)),
        "options": copy.deepcopy(dict(setting.options)),
    }
    if chance:
        out["chance"] = str(state.chance)
    return out


def read_state(position: Mapping[str, Any], seed: int) -> State:
    """A position that somebody wrote. Raises PositionError with all its defects."""
    read = Reader()
    read.keys(position, KEYS, "the position")
    setting = read_setting(read, position.get("players"), position.get("options"), position.get("length"))
    over = read_over(read, position.get("over"), setting.players)
    phase = read.one_of(position.get("phase"), PHASES, "phase", OVER if over else TILT_1) or TILT_1
    if (phase == OVER) != (over is not None):
        read.say(
            "phase is over, and over is null" if phase == OVER else f"over is given, and phase is {phase}"
        )
    cubes = _cubes(read, position.get("cubes"))
    tops = _tops(read, position.get("tops"), cubes, setting)
    pool = _counts(read, position.get("pool"), "pool")
    home = _counts(read, position.get("home"), "home")
    paths = _paths(read, position.get("paths"), setting.length)
    for k, colour in enumerate(COLOURS):
        there = pool[k] + home[k] + sum(stack.count(LETTERS[k]) for stack in paths)
        if there > PAWNS:
            read.say(f"there are {there} {colour} pawns, and a colour has {PAWNS}")
    spent = read.several_of(position.get("spent"), SLOTS, "spent")
    if spent and phase in (TILT_1, TILT_2):
        read.say(f"spent is {list(spent)}, and in phase {phase} no symbol was used yet")
    first = read.one_of(position.get("first_tilt"), TILTS, "first_tilt")
    if phase == TILT_2 and first is None:
        read.say("phase is tilt-2, and first_tilt is not given")
    if phase == TILT_1 and first is not None:
        read.say(f"first_tilt is {first}, and phase is tilt-1")
    turn = _turn(read, position.get("to_act"), setting.players, phase)
    if phase != OVER:
        _unfinished(read, setting, paths, home)
    chance = read_chance(read, position.get("chance"), seed)
    read.finish()
    bits = sum(1 << SLOTS.index(slot) for slot in spent)
    return State(setting, turn, phase, cubes, tops, first, bits, pool, paths, home, over, chance)


def _cubes(read: Reader, value: Any) -> tuple[int, ...]:
    given = read.mapping(value, "cubes")
    read.keys(given, SLOTS, "cubes")
    out = []
    for slot in SLOTS:
        where = f"cubes.{slot}"
        if given.get(slot) is None:
            out.append(UNKNOWN)
            continue
        one = read.mapping(given[slot], where)
        read.keys(one, ("cube", "up", "north"), where)
        lie = (one.get("up"), one.get("north"))
        cube = read.one_of(one.get("cube"), CUBES, f"{where}.cube")
        if cube is None:
            if one.get("cube") is None:
                read.say(f"{where}.cube is missing")
            out.append(UNKNOWN)
        elif not all(isinstance(face, str) for face in lie) or lie not in NUMBER:
            read.say(f"{where}: a cube cannot lie with {shown(lie[0])} up and {shown(lie[1])} to the north")
            out.append(UNKNOWN)
        else:
            code = 24 * CUBES.index(cube) + NUMBER[lie]
            if any(other != UNKNOWN and other // 24 == code // 24 for other in out):
                read.say(f"cube {cube} lies in two slots")
            out.append(code)
    return tuple(out)


def _tops(read: Reader, value: Any, cubes: tuple[int, ...], setting: Setting) -> tuple[int, ...]:
    """What lies on top follows from the cubes; where these are not known it may be given."""
    given = read.mapping(value, "tops")
    read.keys(given, SLOTS, "tops")
    out = []
    for slot, code in zip(SLOTS, cubes, strict=True):
        named = read.one_of(given.get(slot), SYMBOLS, f"tops.{slot}")
        top = UNKNOWN if named is None else SYMBOLS.index(named)
        if code != UNKNOWN and setting.cubes.tops:
            follows = setting.cubes.tops[code]
            if top not in (UNKNOWN, follows):
                read.say(f"tops.{slot} is {named}, and the cube there shows {SYMBOLS[follows]}")
            top = follows
        out.append(top)
    return tuple(out)


def _counts(read: Reader, value: Any, where: str) -> tuple[int, ...]:
    given = read.mapping(value, where)
    read.keys(given, COLOURS, where)
    return tuple(read.whole(given.get(colour), f"{where}.{colour}", 0, PAWNS) for colour in COLOURS)


def _paths(read: Reader, value: Any, length: int) -> tuple[str, ...]:
    given = read.mapping(value, "paths")
    read.keys(given, SIDES, "paths")
    out = []
    for side in SIDES:
        stacks = read.items(given.get(side), f"paths.{side}")
        if stacks and len(stacks) != length:
            read.say(f"paths.{side} has {len(stacks)} spaces, and a path has {length}")
        for k in range(length):
            where = f"paths.{side}[{k + 1}]"
            stack = read.items(stacks[k], where) if k < len(stacks) else ()
            pawns = [read.one_of(pawn, COLOURS, f"a pawn of {where}") for pawn in stack]
            if None in stack:
                read.say(f"a pawn of {where} is null")
            out.append("".join(LETTERS[COLOURS.index(pawn)] for pawn in pawns if pawn))
    return tuple(out)


def _turn(read: Reader, value: Any, players: tuple[str, ...], phase: str) -> int:
    if value is None:
        if phase != OVER:
            read.say("to_act is missing: whose turn it is does not follow from the rest")
        return 0
    named = read.several_of(value, players, "to_act")
    if phase == OVER:
        if named:
            read.say("to_act names a player, and the game is over")
        return 0
    if len(named) != 1:
        read.say("to_act must name the one player whose turn it is")
        return 0
    return players.index(named[0])


def _unfinished(read: Reader, setting: Setting, paths: tuple[str, ...], home: tuple[int, ...]) -> None:
    """A position of a game that goes on has no player who has won."""
    for player in setting.players:
        k = COLOURS.index(player)
        if home[k] == PAWNS:
            read.say(f"all five pawns of {player} are home: the game is over (IC-15)")
        if setting.five_stack_by_anyone and any(stack.count(LETTERS[k]) == PAWNS for stack in paths):
            read.say(f"all five pawns of {player} stand in one stack: the game is over (IC-17)")
