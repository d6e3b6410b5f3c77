"""Commands that are no moves of the game: correcting a cube's pose, and abandoning the game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from rules.core.game import Event, Over
from rules.core.notation import fits
from rules.core.refusal import Illegal, NotNow, Refusal

from .cubeset import CUBES, SLOTS, SYMBOLS, UNKNOWN
from .notation import Correct
from .play import Done
from .state import MOVE, OVER, State
from .turns import NUMBER, parity


def correct(state: State, move: Correct) -> Done:
    """Sets what really lies in a slot (physical play, or a position without cubes); checks the parity (IC-4)."""
    slot = SLOTS[move.slot]
    if not state.setting.physical and UNKNOWN not in state.cubes:
        raise NotNow("IC-3", "in digital play the cubes cannot lie in another way than the referee says")
    if (move.up, move.north) not in NUMBER:
        raise Illegal("IC-3", f"a cube with {move.up} up cannot have {move.north} to the north")
    code = 24 * move.cube + NUMBER[(move.up, move.north)]
    top = state.setting.cubes.tops[code]
    # the symbols of the present turn stay (IC-7); before the next tilt, the real cube replaces the rule book's picture
    unknown = state.cubes[move.slot] == UNKNOWN
    if unknown and state.phase == MOVE and state.tops[move.slot] not in (UNKNOWN, top):
        raise Illegal(
            "IC-3",
            f"{slot} shows {SYMBOLS[state.tops[move.slot]]}, "
            f"and cube {CUBES[move.cube]} lying so would show {SYMBOLS[top]}",
        )
    cubes, tops = list(state.cubes), list(state.tops)
    before = cubes[move.slot]
    text = f"{slot} holds cube {CUBES[move.cube]}, {move.up} up and {move.north} to the north: it shows {SYMBOLS[top]}"
    for other, lies in enumerate(cubes):
        if other != move.slot and lies != UNKNOWN and lies // 24 == move.cube:
            if before == UNKNOWN:
                raise Illegal(
                    "IC-1", f"cube {CUBES[move.cube]} lies in {SLOTS[other]}: correct that slot first"
                )
            cubes[other] = before  # the two cubes change places, and the other one keeps its pose
            tops[other] = state.setting.cubes.tops[before]
            text += f"; cube {CUBES[before // 24]} is taken to lie in {SLOTS[other]}"
    cubes[move.slot], tops[move.slot] = code, top
    odd = _odd(state.cubes, cubes)
    if odd:
        # After a missed tilt, correcting the second cube looks just like the first: whether another one is wrong is
        # unknown.
        text += (
            "; an odd number of quarter turns lies between: "
            "two cubes lie so if a tilt was missed, one if an arc was missed"
        )
    new = state._replace(cubes=tuple(cubes), tops=tuple(tops))
    return new, (Event("corrected", "IC-3", text, None, {"odd": odd}),)


def completions(state: State, part: Sequence[str]) -> list[str]:
    """The corrections that these words may stand for. Raises the first one's refusal if none of them can be made."""
    possible: list[str] = []
    first: Refusal | None = None
    for slot, cube, (up, north) in product(range(len(SLOTS)), range(len(CUBES)), NUMBER):
        move = Correct(slot, cube, up, north)
        if fits(part, str(move)):
            try:
                correct(state, move)
            except Refusal as why:
                first = first or why
            else:
                possible.append(str(move))
    if first and not possible:
        raise first
    return possible


def _odd(before: Sequence[int], now: Sequence[int]) -> bool:
    """Whether an odd number of quarter turns lies between; undecidable if other cubes are known than before."""
    old, new = ({code // 24: parity(code % 24) for code in row if code != UNKNOWN} for row in (before, now))
    return old.keys() == new.keys() and sum(old.values()) % 2 != sum(new.values()) % 2


def abandon(state: State) -> Done:
    """D-29: the players stop; nobody wins."""
    over = Over((), "D-29", "the game is abandoned; nobody wins")
    return state._replace(phase=OVER, over=over), (Event("over", over.rule, over.text),)
