"""Squares on the plane: what touches what (IG-4, IG-5, D-67 … D-69). Integers only."""

from __future__ import annotations

from collections.abc import Iterable

from .state import Piece

Box = tuple[int, int, int, int]
"""West, south, east, north edge."""


def are_connected(a: Box, b: Box, gap: int) -> bool:
    """Facing parallel sides overlap in length, and are nearer than `gap`; not to be called for overlapping squares
    (IG-5)."""
    shared_x = min(a[2], b[2]) - max(a[0], b[0])
    shared_y = min(a[3], b[3]) - max(a[1], b[1])
    return (shared_x > 0 and 0 <= -shared_y < gap) or (shared_y > 0 and 0 <= -shared_x < gap)


def overlap(a: Box, b: Box) -> bool:
    """Whether the interiors of two squares intersect; touching is allowed (D-69)."""
    return min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])


def neighbours(pieces: Iterable[Piece], x: int, y: int, width: int, gap: int) -> list[Piece] | Piece:
    """The pieces that a new square at x, y would be connected to; or the one piece that it would overlap."""
    east, north = x + width, y + width
    far_west, far_south, far_east, far_north = x - gap, y - gap, east + gap, north + gap
    found = []
    # indices instead of names: this is the inner loop of drawing a move, and names take twice as long
    for piece in pieces:
        if piece[3] < far_east and piece[5] > far_west and piece[4] < far_north and piece[6] > far_south:
            beside_x = piece[5] > x and piece[3] < east
            beside_y = piece[6] > y and piece[4] < north
            if beside_x and beside_y:
                return piece
            if beside_x or beside_y:
                found.append(piece)
    return found
