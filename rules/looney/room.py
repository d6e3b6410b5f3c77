"""All places where a piece may lie, exactly: disjoint rectangles of south-west corners (IG-5, IG-9, IG-12, IG-14).

The plane is cut into vertical slabs in which no piece's reach begins or ends. Within a slab all columns are equal, and
a column is one integer whose bits are the y coordinates: one bit set for blocked places, one for own connections, one
each for at least 1, 2, 3, 4 enemy connections … Every rule then takes a few bit operations for each slab.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from operator import attrgetter
from typing import NamedTuple

from .capture import is_open
from .state import Piece, State

Rectangle = tuple[int, int, int, int]
"""West, south, east, north of south-west corners; east and north not included."""


class Room(NamedTuple):
    """Legal south-west corners of one size as disjoint rectangles, with cumulative numbers of corners."""

    rectangles: tuple[Rectangle, ...]
    totals: tuple[int, ...]

    def size(self) -> int:
        return self.totals[-1] if self.totals else 0

    def at(self, index: int) -> tuple[int, int]:
        """The corner with this index, 0 … size - 1."""
        row = bisect_right(self.totals, index)
        west, south, east, _ = self.rectangles[row]
        up, along = divmod(index - (self.totals[row - 1] if row else 0), east - west)
        return west + along, south + up

    def nearest(self, x: int, y: int) -> Iterator[tuple[int, int]]:
        """The nearest corner of each rectangle, the closest first."""
        corners = (
            (min(max(x, west), east - 1), min(max(y, south), north - 1))
            for west, south, east, north in self.rectangles
        )
        return iter(sorted(corners, key=lambda at: ((at[0] - x) ** 2 + (at[1] - y) ** 2, at)))


def room(state: State, size: int) -> Room:
    """Where the side in turn may place a piece of this size; all pieces must have coordinates."""
    setting = state.setting
    width = setting.widths[size]
    if not state.pieces:
        rectangles: list[Rectangle] = [(0, 0, 1, 1)]  # D-76
    else:
        rectangles = _rectangles(state, size, width)
    if setting.table is not None:
        west, south, east, north = setting.table
        edges = (west, south, east - width + 1, north - width + 1)
        clipped = (_clip(one, edges) for one in rectangles)
        rectangles = [one for one in clipped if one[0] < one[2] and one[1] < one[3]]
    totals = accumulate((east - west) * (north - south) for west, south, east, north in rectangles)
    return Room(tuple(rectangles), tuple(totals))


def _clip(one: Rectangle, edges: Rectangle) -> Rectangle:
    return max(one[0], edges[0]), max(one[1], edges[1]), min(one[2], edges[2]), min(one[3], edges[3])


def threats(state: State, size: int) -> tuple[bool, frozenset[int]]:
    """Which placements in harm's way are a Double Threat (D-74): whether all are, else those connected to these
    pieces."""
    side = state.side
    pieces = state.pieces
    before = {number for number in state.open if pieces[number].side != side}
    if before and state.setting.double_threat == "any":
        return True, frozenset()
    new = Piece(0, 2 * side, size)
    fresh = {
        piece.id
        for piece in pieces.values()
        if piece.side != side
        and piece.id not in before
        and is_open(piece.side, piece.size, (*(pieces[other] for other in state.links[piece.id]), new))
    }
    return False, frozenset(fresh | before if state.setting.double_threat == "threatening" else fresh)


def _rectangles(state: State, size: int, width: int) -> list[Rectangle]:
    gap, pieces = state.setting.gap, state.pieces.values()
    anything, threatening = threats(state, size)
    cuts = sorted(
        {
            cut
            for piece in pieces
            for cut in (piece.west - width - gap + 1, piece.west - width + 1, piece.east, piece.east + gap)
        }
    )
    base = min(piece.south for piece in pieces) - width - gap
    # For each piece: the columns beside it and level with it, and their masks; the westernmost last.
    zones = sorted(
        (_zone(piece, width, gap, base) for piece in pieces), key=attrgetter("reach_west"), reverse=True
    )
    near: list[_Zone] = []
    out: list[Rectangle] = []
    for west, east in pairwise(cuts):
        while zones and zones[-1].reach_west <= west:
            near.append(zones.pop())
        near = [zone for zone in near if west < zone.reach_east]
        legal = _column(state, size, west, near, anything, threatening)
        while legal:
            low = (legal & -legal).bit_length() - 1
            run = legal >> low
            length = (~run & (run + 1)).bit_length() - 1
            out.append((west, base + low, east, base + low + length))
            legal = legal >> (low + length) << (low + length)
    return out


class _Zone(NamedTuple):
    """Columns [reach_west, reach_east) touch the piece's reach, [west, east) are level with it; masks of y."""

    piece: Piece
    reach_west: int
    west: int
    east: int
    reach_east: int
    level: int
    beyond: int


def _zone(piece: Piece, width: int, gap: int, base: int) -> _Zone:
    low, high = piece.south - width + 1 - base, piece.north - base
    level = (1 << high) - (1 << low)  # the y at which the new piece would be level with this one
    strip = (1 << gap) - 1
    return _Zone(
        piece,
        piece.west - width - gap + 1,
        piece.west - width + 1,
        piece.east,
        piece.east + gap,
        level,
        strip << high | strip << (low - gap),
    )


def _column(
    state: State, size: int, x: int, zones: Sequence[_Zone], anything: bool, threatening: frozenset[int]
) -> int:
    """The legal y of one column, as bits; `zones`: those of the pieces whose reach it touches."""
    side = state.side
    blocked = own = big = rescue = 0
    least = [0, 0, 0, 0, 0]  # least[k]: at least k enemy connections
    for piece, _, west, east, _, level, beyond in zones:
        if west <= x < east:
            blocked |= level
            reach = beyond
        else:
            reach = level
        if piece.colour >> 1 == side:
            own |= reach
            continue
        for k in (4, 3, 2):
            least[k] |= least[k - 1] & reach
        least[1] |= reach
        if piece.size:
            big |= reach
        if piece.id in threatening:
            rescue |= reach
    legal = (own | least[1]) & ~blocked
    if anything:
        return legal
    # need is size + 1, or one more if supported; exactly `need` unsupported enemies outweigh the piece when one of them
    # is no small (IG-10, IG-11).
    harm = least[size + 2] | (least[size + 1] & big & ~own)
    return legal & (~harm | rescue)
