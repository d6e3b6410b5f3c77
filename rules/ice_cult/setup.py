"""Reads an Ice Cult position that somebody wrote, and reports all its defects at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.game import Over
from rules.core.position import read_chance, read_over
from rules.core.reading import Reader, shown

from .cubeset import COLOURS, CUBES, SIDES, SLOTS, SYMBOLS, UNKNOWN
from .notation import TILTS
from .position import KEYS, PHASES, read_setting
from .state import LETTERS, OVER, PAWNS, TILT_1, TILT_2, Setting, State
from .turns import NUMBER


def read_state(position: Mapping[str, Any], seed: int) -> State:
    """The position as a state. Raises PositionError with all its defects."""
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
    elif over is not None and not read.defects:
        _ended(read, setting, paths, home, over)
    chance = read_chance(read, position.get("chance"), seed)
    read.finish()
    bits = sum(1 << SLOTS.index(slot) for slot in spent)
    return State(
        setting=setting,
        turn=turn,
        phase=phase,
        cubes=cubes,
        tops=tops,
        first=first,
        spent=bits,
        pool=pool,
        paths=paths,
        home=home,
        over=over,
        chance=chance,
    )


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
    """The tops follow from the cubes; where these are unknown, they may be given."""
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
    """In an unfinished game no player has won."""
    there, stacked = _complete(setting, paths, home)
    for player in there:
        read.say(f"all five pawns of {player} are home: the game is over (IC-15)")
    for player in stacked if setting.five_stack_by_anyone else ():
        read.say(f"all five pawns of {player} stand in one stack: the game is over (IC-17)")


def _ended(read: Reader, setting: Setting, paths: tuple[str, ...], home: tuple[int, ...], over: Over) -> None:
    """Checks that the winners agree with the pawns; where no rule is given, any by which the game can end is
    accepted."""
    there, stacked = _complete(setting, paths, home)
    anyone, winners = setting.five_stack_by_anyone, over.winners
    agrees = {
        "IC-15": _can_win(setting, there, winners),
        "IC-17": _can_win(setting, stacked, winners) and (anyone or len(winners) == 1),
        "D-29": not winners and not there and not (stacked and anyone),
    }
    if not agrees.get(over.rule, any(agrees.values())):
        five = [" and ".join(players) or "nobody" for players in (there, stacked)]
        read.say(f"over does not agree with the pawns (all five home: {five[0]}; in one stack: {five[1]})")


def _can_win(setting: Setting, complete: tuple[str, ...], winners: tuple[str, ...]) -> bool:
    """The mover alone, if he is complete; else all who are, and then somebody else moved (IC-15, IC-17)."""
    if len(winners) == 1:
        return winners[0] in complete
    return bool(winners) and set(winners) == set(complete) and len(complete) < len(setting.players)


def _complete(
    setting: Setting, paths: tuple[str, ...], home: tuple[int, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The players whose five pawns are home, and those whose five pawns are in one stack."""
    colours = [(player, COLOURS.index(player)) for player in setting.players]
    there = (player for player, k in colours if home[k] == PAWNS)
    stacked = (player for player, k in colours if any(row.count(LETTERS[k]) == PAWNS for row in paths))
    return tuple(there), tuple(stacked)
