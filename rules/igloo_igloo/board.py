"""The 8 × 8 board as bits: a1 is bit 0, b1 bit 1, a2 bit 8, h8 bit 63 (II-1, II-2)."""

from __future__ import annotations

FILES = "abcdefgh"
SQUARES: tuple[str, ...] = tuple(f"{file}{rank}" for rank in range(1, 9) for file in FILES)
INDEX: dict[str, int] = {name: index for index, name in enumerate(SQUARES)}
COLOURS: tuple[str, ...] = ("red", "blue", "yellow", "green")

ALL = (1 << 64) - 1
FILE_A = 0x0101010101010101
FILE_H = FILE_A << 7
_WEST, _EAST = ALL & ~FILE_H, ALL & ~FILE_A
_RANKS = tuple(
    tuple(tuple(8 * rank + file for file in range(8) if byte >> file & 1) for byte in range(256))
    for rank in range(8)
)
"""For each rank and each set of its eight squares, as a byte: their numbers."""


def mask(*names: str) -> int:
    """The set of the named squares, as bits."""
    return sum(1 << INDEX[name] for name in set(names))


CORNER_NAMES: tuple[str, ...] = ("a1", "a8", "h1", "h8")
CORNERS: tuple[int, ...] = tuple(INDEX[name] for name in CORNER_NAMES)
LAND = mask(*CORNER_NAMES)
WATER = ALL & ~LAND
CENTRE_SQUARES: tuple[int, ...] = (INDEX["d4"], INDEX["e4"], INDEX["d5"], INDEX["e5"])
CENTRE = mask("d4", "e4", "d5", "e5")
RING = (FILE_A | FILE_H | 0xFF | 0xFF << 56) & WATER
STEPS: dict[str, int] = {"N": 8, "E": 1, "S": -8, "W": -1}
OPPOSITE: dict[str, str] = {"N": "S", "E": "W", "S": "N", "W": "E"}


def spread(squares: int) -> int:
    """All squares orthogonally adjacent to one of `squares` (squares of the set too, if they touch another one)."""
    return (squares << 8 | squares >> 8 | (squares & _WEST) << 1 | (squares & _EAST) >> 1) & ALL


def flood(start: int, within: int) -> int:
    """The connected parts of `within` that contain a square of `start` (orthogonally, II-2)."""
    found = start & within
    while True:
        grown = (found | found << 8 | found >> 8 | (found & _WEST) << 1 | (found & _EAST) >> 1) & within
        if grown == found:
            return found
        found = grown


def squares_of(squares: int) -> list[int]:
    """The members of a set in ascending order."""
    out: list[int] = []
    for rank, byte in zip(_RANKS, squares.to_bytes(8, "little"), strict=True):
        if byte:
            out += rank[byte]
    return out


def names_of(squares: int) -> list[str]:
    """The names of the members of a set, in ascending order of their numbers."""
    return [SQUARES[index] for index in squares_of(squares)]


def _ray(square: int, direction: str) -> tuple[int, ...]:
    file, rank = square % 8, square // 8
    room = {"N": 7 - rank, "E": 7 - file, "S": rank, "W": file}[direction]
    return tuple(square + STEPS[direction] * step for step in range(1, room + 1))


NEAR: tuple[int, ...] = tuple(spread(1 << index) for index in range(64))
NEAR_SQUARES: tuple[tuple[int, ...], ...] = tuple(tuple(squares_of(near)) for near in NEAR)
RAYS: dict[str, tuple[tuple[int, ...], ...]] = {
    direction: tuple(_ray(index, direction) for index in range(64)) for direction in STEPS
}
"""RAYS["N"][e3]: the squares north of e3, nearest first, up to the border."""
