"""Applies Ice Cult's moves: each function takes a state and a move, and returns the next state and the events."""

from __future__ import annotations

from rules.core.game import Event, Over
from rules.core.refusal import Forbidden

from .cubeset import ARC, CIRCLE, COLOURS, SLOTS, SYMBOLS, UNKNOWN
from .notation import PAIR_NAMES, PAIRS, SIDE_NAMES, UNDOING, Step, Tilt, Turn
from .state import LETTERS, MOVE, OVER, PAWNS, TILT_1, TILT_2, State, mover, owed, playable
from .turns import AFTER

Done = tuple[State, tuple[Event, ...]]


def tilt(state: State, move: Tilt) -> Done:
    """IC-4, IC-5."""
    if state.phase == MOVE:
        raise Forbidden("IC-4", "both tilts of this turn are made; now pawns are moved")
    if UNKNOWN in state.cubes:
        unknown = ", ".join(slot for slot, cube in zip(SLOTS, state.cubes, strict=True) if cube == UNKNOWN)
        raise Forbidden(
            "IC-3",
            f"how the cubes lie in {unknown} is not known: say it with correct, as in correct NW A U N",
        )
    pair, side = move.how[0], move.how[2]
    if (pair in "ns") != (side in "NS"):
        can = "north or south" if pair in "ns" else "east or west"
        raise Forbidden(
            "IC-4", f"the {PAIR_NAMES[pair]} pair tilts to the {can}, about the line through both cubes"
        )
    if state.phase == TILT_2 and state.first is not None and move.how == UNDOING[state.first]:
        raise Forbidden("IC-5", f"tilt {move.how} would undo the first tilt, {state.first}")
    cubes, tops = list(state.cubes), list(state.tops)
    after, set_tops = AFTER[side], state.setting.cubes.tops
    for slot in PAIRS[pair]:
        cube, lie = divmod(cubes[slot], 24)
        cubes[slot] = code = 24 * cube + after[lie]
        tops[slot] = set_tops[code]
    a, b = PAIRS[pair]
    text = (
        f"{mover(state)} tilts the {PAIR_NAMES[pair]} pair to the {SIDE_NAMES[side]}: "
        f"{SLOTS[a]} shows {SYMBOLS[tops[a]]}, {SLOTS[b]} {SYMBOLS[tops[b]]}"
    )
    second = state.phase == TILT_2
    new = State(
        state.setting,
        state.turn,
        MOVE if second else TILT_2,
        tuple(cubes),
        tuple(tops),
        None if second else move.how,
        0,
        state.pool,
        state.paths,
        state.home,
        None,
        state.chance,
    )
    return new, (Event("tilted", "IC-4", text, None, {"tilt": move.how}),)


def step(state: State, move: Step) -> Done:
    """IC-7, IC-8: one step by an arrow, or by a circle that copies it; then checks for the end (IC-14)."""
    top = _arrow(state, move)
    colour, side = divmod(top, 4)
    letter, name, length = LETTERS[colour], COLOURS[colour], state.setting.length
    at = side * length + move.space - 1
    pool, paths, home = state.pool, list(state.paths), state.home
    if not move.space:
        if not pool[colour]:
            raise Forbidden("IC-7", f"no {name} pawn waits in the pool")
        pool = (*pool[:colour], pool[colour] - 1, *pool[colour + 1 :])
        moved, source = letter, "the pool"
    else:
        moved = _lifted(state, move, letter, name, side)
        paths[at] = paths[at][: -len(moved)]
        source = f"{'NESW'[side]}{move.space}"
    if move.space == length:
        home = tuple(n + moved.count(LETTERS[c]) for c, n in enumerate(home))
        target, goes = "", "home"
    else:
        target = paths[at + 1]
        paths[at + 1] = target + moved
        goes = f"to {'NESW'[side]}{move.space + 1}"
    riders = len(moved) - 1
    text = f"{mover(state)} moves {name} from {source} {goes}" + (
        f", with {riders} on its back" if riders else ""
    )
    if move.copies:
        text += f" (the circle on {SLOTS[move.slot]} copies {SLOTS[move.arrow]})"
    event = Event(
        "moved",
        "IC-7" if riders == 0 else "IC-8",
        text,
        None,
        {"pawns": [COLOURS[LETTERS.index(p)] for p in moved]},
    )
    over = (
        _ended(state, moved, target, home)
        if move.space == length or len(target) + len(moved) >= PAWNS
        else None
    )
    new = State(
        state.setting,
        state.turn,
        OVER if over else MOVE,
        state.cubes,
        state.tops,
        state.first,
        state.spent | 1 << move.slot,
        pool,
        tuple(paths),
        home,
        over,
        state.chance,
    )
    return new, (event, Event("over", over.rule, over.text)) if over else (event,)


def _arrow(state: State, move: Step) -> int:
    """The arrow that a step uses, or why there is none."""
    slot, top = SLOTS[move.slot], state.tops[move.slot]
    if state.phase != MOVE:
        raise Forbidden("IC-6", "no pawn is moved before both tilts are made")
    if state.spent >> move.slot & 1:
        raise Forbidden("IC-7", f"{slot} was used in this turn already")
    if top == UNKNOWN:
        raise Forbidden("IC-3", f"what lies on top of {slot} is not known: say it with correct")
    if move.copies:
        if top != CIRCLE:
            raise Forbidden("IC-7", f"{slot} shows {SYMBOLS[top]}, and only a circle copies")
        top = state.tops[move.arrow]
    if top in (CIRCLE, ARC, UNKNOWN):
        shows = "nothing that is known" if top == UNKNOWN else SYMBOLS[top]
        raise Forbidden("IC-7", f"{SLOTS[move.arrow]} shows {shows}, not an arrow")
    if not playable(state, top):
        colour, side = divmod(top, 4)
        raise Forbidden(
            "IC-10",
            f"{SYMBOLS[top]} on {SLOTS[move.arrow]} lapses: "
            f"no {COLOURS[colour]} pawn is in the pool or on path {'NESW'[side]}",
        )
    return top


def _lifted(state: State, move: Step, letter: str, name: str, side: int) -> str:
    """The pawn moved by a step, with its riders (IC-8), from a space on the arrow's path."""
    length, where = state.setting.length, f"{'NESW'[side]}{move.space}"
    if move.space > length:
        raise Forbidden("IC-1", f"a path has {length} spaces: there is no {where}")
    stack = state.paths[side * length + move.space - 1]
    if not move.nth:
        k = stack.rfind(letter)
        if k < 0:
            raise Forbidden("IC-7", f"no {name} pawn stands on {where}")
        return stack[k:]
    if move.nth > len(stack):
        raise Forbidden("IC-7", f"there is no #{move.nth} on {where} (pawns there: {len(stack)})")
    if stack[move.nth - 1] != letter:
        other = COLOURS[LETTERS.index(stack[move.nth - 1])]
        raise Forbidden("IC-7", f"{where}#{move.nth} is {other}, and the arrow is {name}")
    return stack[move.nth - 1 :]


def _ended(state: State, moved: str, target: str, home: tuple[int, ...]) -> Over | None:
    """IC-15 to IC-18: players that this step completed, at home or in one stack; the mover takes precedence."""
    setting, me = state.setting, mover(state)
    if not target and home != state.home:
        rule, early = "IC-15", ""
        done = [p for p in setting.players if home[COLOURS.index(p)] == PAWNS]
    else:
        rule, early = "IC-17", " in one stack"
        stack = target + moved
        done = [p for p in setting.players if stack.count(LETTERS[COLOURS.index(p)]) == PAWNS]
        done = [p for p in done if 0 < moved.count(LETTERS[COLOURS.index(p)]) < PAWNS]
        if not setting.five_stack_by_anyone:
            done = [p for p in done if p == me]
    if not done:
        return None
    winners = (me,) if me in done else tuple(done)
    what = (
        f"has all five pawns{early or ' home'}"
        if len(winners) == 1
        else f"have all five pawns{early or ' home'}"
    )
    end = f"{' and '.join(winners)} {what} and {'wins' if len(winners) == 1 else 'share the victory'}"
    return Over(winners, rule, end)


def turn(state: State, move: Turn) -> Done:
    """IC-7: an arc turns any cube by a quarter about the vertical; the symbol on top stays, an arrow changes its
    direction."""
    slot, top = SLOTS[move.slot], state.tops[move.slot]
    if state.phase != MOVE:
        raise Forbidden("IC-6", "arcs are used after both tilts are made")
    if state.spent >> move.slot & 1:
        raise Forbidden("IC-7", f"{slot} was used in this turn already")
    if top != ARC:
        shows = "nothing that is known" if top == UNKNOWN else SYMBOLS[top]
        raise Forbidden("IC-7", f"{slot} shows {shows}, and only an arc turns")
    cubes, tops = list(state.cubes), list(state.tops)
    if cubes[move.target] != UNKNOWN:
        cube, lie = divmod(cubes[move.target], 24)
        cubes[move.target] = 24 * cube + AFTER[move.sense][lie]
    turned = tops[move.target]
    if 0 <= turned < CIRCLE:
        tops[move.target] = turned // 4 * 4 + (turned + (1 if move.sense == "cw" else 3)) % 4
    shows = "" if turned == UNKNOWN else f": it shows {SYMBOLS[tops[move.target]]}"
    sense = "clockwise" if move.sense == "cw" else "counter-clockwise"
    text = f"{mover(state)} turns {SLOTS[move.target]} {sense}{shows}"
    new = state._replace(cubes=tuple(cubes), tops=tuple(tops), spent=state.spent | 1 << move.slot)
    return new, (Event("turned", "IC-7", text),)


def end(state: State) -> Done:
    """IC-13: the turn ends when nothing compulsory is left."""
    if state.phase != MOVE:
        raise Forbidden("IC-4", "both tilts of a turn are compulsory")
    left = owed(state)
    if left:
        what = " and ".join(f"{SYMBOLS[state.tops[slot]]} on {SLOTS[slot]}" for slot in left)
        raise Forbidden("IC-11", f"{what} can still be used, and may not be left")
    following = (state.turn + 1) % len(state.setting.players)
    text = f"{mover(state)} ends the turn; {state.setting.players[following]} tilts next"
    new = state._replace(turn=following, phase=TILT_1, first=None, spent=0)
    return new, (Event("ended", "IC-13", text),)
