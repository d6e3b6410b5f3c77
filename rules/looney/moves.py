"""Legal moves: few in a window, tens of thousands when a piece is placed (IG-9 … IG-14, D-78, D-84)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, zip_longest
from math import gcd

from .declaring import declarations
from .draw import random_placement
from .notation import Move
from .options import SIZES
from .room import Room, room
from .state import AFTER, BEFORE, COMMIT, PLACE, REVEAL, State, capturable, to_act

NAMED = 5  # legal placements given as examples
SAMPLE = 2000  # of the declarations of D-84, which are too many to count


def legal_moves(state: State, seat: str | None) -> Iterator[str]:
    """All legal moves, or only those of `seat`.

    Placements come in a stride over all of them, so that any prefix is a fair sample.
    """
    if seat is not None and seat not in to_act(state):
        return
    if state.phase in (BEFORE, AFTER):
        for number in capturable(state, state.side):
            yield f"capture #{number}"
        yield "capture all"
        if state.setting.captures_optional:
            yield "done"
    elif state.phase in (COMMIT, REVEAL):
        yield from _secrets(state, seat)
    elif state.phase == PLACE:
        yield from _placements(state)


def _secrets(state: State, seat: str | None) -> Iterator[str]:
    setting = state.setting
    for name, side in zip(setting.seats, setting.side_of, strict=True):
        if state.real[side] is None and seat in (None, name):
            for colour in setting.colours[2 * side : 2 * side + 2]:
                yield f"commit {name} {colour}"
    if state.phase == REVEAL and None not in state.real:
        yield "reveal"


def _placements(state: State) -> Iterator[str]:
    if not state.measured:
        yield "pass"
        yield from declarations(state, state.kinds_left())
        return
    rows: list[tuple[str, int, int, int]] = []  # the beginning of its moves, its south-west corner, its width
    totals: list[int] = []
    total = 0
    rooms = _rooms(state)
    for colour, size in state.kinds_left():
        start = f"place {state.setting.colours[colour]} {SIZES[size]} @ "
        for west, south, east, north in rooms[size].rectangles:
            total += (east - west) * (north - south)
            totals.append(total)
            rows.append((start, west, south, east - west))
    if not total:
        yield "pass"
    for index in strides(total):
        row = bisect_right(totals, index)
        start, west, south, wide = rows[row]
        up, along = divmod(totals[row] - 1 - index, wide)
        yield f"{start}{west + along},{south + up}"


def _rooms(state: State) -> dict[int, Room]:
    return {size: room(state, size) for size in sorted({size for _, size in state.kinds_left()})}


def strides(total: int) -> Iterator[int]:
    """Every number below `total` once, in steps near the golden section: any prefix is spread evenly."""
    step = max(1, total * 618 // 1000)
    while total and gcd(step, total) != 1:
        step += 1
    at = 0
    for _ in range(total):
        yield at
        at = (at + step) % total


def count_moves(state: State) -> int:
    """The number of legal moves, without listing placements.

    Raises ValueError with declared connections (D-84): there are as many declarations as sets of pieces.
    """
    if state.phase == PLACE and not state.measured:
        raise ValueError("pieces without coordinates: declarations are not counted")
    if state.phase != PLACE:
        return sum(1 for _ in legal_moves(state, None))
    rooms = _rooms(state)
    return sum(rooms[size].size() for _, size in state.kinds_left()) or 1


def random_move(state: State, below: Callable[[int], int]) -> str | None:
    """A uniformly random legal move; None when the game is over. `below(n)`: a random integer from 0 to n - 1.

    With declared connections (D-84) it is one of the first 2,000.
    """
    if state.phase == PLACE and state.measured:
        found = random_placement(state, below)
        if found is None:
            return "pass"
        colour, size, x, y = found
        return f"place {state.setting.colours[colour]} {SIZES[size]} @ {x},{y}"
    legal = list(islice(legal_moves(state, None), SAMPLE))
    return legal[below(len(legal))] if legal else None


def nearest_placements(state: State, move: Move) -> tuple[str, ...]:
    """Legal placements most similar to this one: the same piece close by, else another size or colour there."""
    x, y = move.at or (0, 0)

    def unlike(kind: tuple[int, int]) -> tuple[int, bool]:
        return abs(kind[1] - move.size), state.setting.colours[kind[0]] != move.colour

    out: list[str] = []
    for colour, size in sorted(state.kinds_left(), key=unlike):
        for at in islice(room(state, size).nearest(x, y), NAMED - len(out)):
            out.append(f"place {state.setting.colours[colour]} {SIZES[size]} @ {at[0]},{at[1]}")
        if len(out) == NAMED:
            break
    return tuple(out)


def somewhere(state: State, kinds: Sequence[tuple[int, int]]) -> tuple[int | None, tuple[str, ...]]:
    """The number of legal placements of these pieces (colour and size), and examples near the origin.

    With declared connections (D-84) the number is unknown (None); the examples are all of them if they are fewer than
    NAMED.
    """
    if not state.measured:
        return None, tuple(islice(declarations(state, kinds), NAMED))
    colours, rooms = state.setting.colours, _rooms(state)
    rows = [
        [
            f"place {colours[colour]} {SIZES[size]} @ {x},{y}"
            for x, y in islice(rooms[size].nearest(0, 0), NAMED)
        ]
        for colour, size in kinds
    ]
    some = [move for turn in zip_longest(*rows) for move in turn if move]
    return sum(rooms[size].size() for _, size in kinds), tuple(some[:NAMED])
