"""Draws a uniformly random legal placement without listing them all.

Every legal corner is within reach of some piece: in one of four strips beside it, `gap` deep. A corner is drawn
uniformly from all strips of all pieces and accepted if it is legal, but only with probability 1/k if it is in k strips,
so that all corners are equally likely (rejection sampling). Where that fails for long there is little room left, and
the corners are counted exactly.
"""

from __future__ import annotations

from collections.abc import Callable

from .capture import is_double_threat, is_open
from .geometry import neighbours
from .room import room
from .state import Piece, State

TRIES = 300


def random_placement(state: State, below: Callable[[int], int]) -> tuple[int, int, int, int] | None:
    """Colour, size, x, y of a random legal placement; None if there is none.

    `below(n)` returns an integer from 0 to n - 1, such as `random.Random(…).randrange`. All pieces must have
    coordinates, and the phase must be `place`.
    """
    kinds = state.kinds_left()
    if not kinds:
        return None
    if state.pieces:
        found = _tried(state, kinds, below)
        if found is not None:
            return found
    rooms = {size: room(state, size) for size in {size for _, size in kinds}}
    total = sum(rooms[size].size() for _, size in kinds)
    if not total:
        return None
    index = below(total)
    for colour, size in kinds:
        if index < rooms[size].size():
            return colour, size, *rooms[size].at(index)
        index -= rooms[size].size()
    raise AssertionError("the index is below the total")


def _tried(
    state: State, kinds: list[tuple[int, int]], below: Callable[[int], int]
) -> tuple[int, int, int, int] | None:
    setting, pieces, side = state.setting, tuple(state.pieces.values()), state.side
    gap, widths, table = setting.gap, setting.widths, setting.table
    longest = 2 * widths[2] - 1
    many = len(kinds) * len(pieces) * 4 * gap * longest
    for _ in range(TRIES):
        drawn, slide = divmod(below(many), longest)
        drawn, away = divmod(drawn, gap)
        drawn, strip = divmod(drawn, 4)
        at, kind = divmod(drawn, len(kinds))
        colour, size = kinds[kind]
        width = widths[size]
        _, _, _, west, south, east, north = pieces[at]
        if slide >= east - west + width - 1:
            continue
        if strip == 0:
            x, y = east + away, south - width + 1 + slide
        elif strip == 1:
            x, y = west - width - away, south - width + 1 + slide
        elif strip == 2:
            x, y = west - width + 1 + slide, north + away
        else:
            x, y = west - width + 1 + slide, south - width - away
        if table is not None and not (
            table[0] <= x <= table[2] - width and table[1] <= y <= table[3] - width
        ):
            continue
        around = neighbours(pieces, x, y, width, gap)
        if isinstance(around, Piece):
            continue
        if len(around) > 1 and below(len(around)):
            continue
        if is_open(side, size, around) and not is_double_threat(state, size, around):
            continue
        return colour, size, x, y
    return None
