"""What is no move of the game: telling how a cube really lies, and leaving off."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.game import Event, Over
from rules.core.refusal import Illegal, NotNow

from .cubeset import CUBES, SLOTS, SYMBOLS, UNKNOWN
from .notation import Correct
from .play import Done
from .state import MOVE, OVER, State
from .turns import NUMBER, parity


def correct(state: State, move: Correct) -> Done:
    """What really lies in a slot (physical play, or a position without cubes); the parity is looked at (IC-4)."""
    slot = SLOTS[move.slot]
    if not state.setting.physical and UNKNOWN not in state.cubes:
        raise NotNow("IC-3", "in digital play the cubes cannot lie in another way than the referee says")
    if (move.up, move.north) not in NUMBER:
        raise Illegal("IC-3", f"a cube with {move.up} up cannot have {move.north} to the north")
    code = 24 * move.cube + NUMBER[(move.up, move.north)]
    top = state.setting.cubes.tops[code]
    # the symbols a turn is played with stay (IC-7); before the next tilt, what lies there replaces a book's picture
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
            cubes[other] = before  # the two change places, and the other one lies as it lay
            tops[other] = state.setting.cubes.tops[before]
            text += f"; cube {CUBES[before // 24]} is taken to lie in {SLOTS[other]}"
    cubes[move.slot], tops[move.slot] = code, top
    odd = _odd(state.cubes, cubes)
    if odd:
        # said of the second cube of a missed tilt as of the first: whether another one is wrong nobody knows
        text += (
            "; an odd number of quarter turns lies between: "
            "two cubes lie so if a tilt was missed, one if an arc was missed"
        )
    new = state._replace(cubes=tuple(cubes), tops=tuple(tops))
    return new, (Event("corrected", "IC-3", text, None, {"odd": odd}),)


def _odd(before: Sequence[int], now: Sequence[int]) -> bool:
    """Whether an odd number of quarter turns lies between; with other cubes known than before nobody can say."""
    old, new = ({code // 24: parity(code % 24) for code in row if code != UNKNOWN} for row in (before, now))
    return old.keys() == new.keys() and sum(old.values()) % 2 != sum(new.values()) % 2


def abandon(state: State) -> Done:
    """D-29: the players stop; nobody wins."""
    over = Over((), "D-29", "the game is abandoned; nobody wins")
    return state._replace(phase=OVER, over=over), (Event("over", over.rule, over.text),)
