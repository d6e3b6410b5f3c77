"""Placements with declared connections (D-84): there are as many as sets of pieces, so they are never all listed.

A set is started only if it can be completed so that the new piece may lie there. So the next legal one is found
quickly, even where only a few of millions are legal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .capture import is_double_threat, is_open
from .options import SIZES
from .state import Piece, State


def declarations(state: State, kinds: Sequence[tuple[int, int]]) -> Iterator[str]:
    """The legal ones for these pieces (colour and size), small sets first."""
    sizes = [_Size(state, size) for size in sorted({size for _, size in kinds})]
    pieces = list(state.pieces.values())
    for size_of_set in range(1, len(pieces) + 1):
        for chosen, fitting in _sets([], pieces, size_of_set, sizes):
            ids = ",".join(f"#{piece.id}" for piece in chosen)
            for colour, size in kinds:
                if size in fitting:
                    yield f"place {state.setting.colours[colour]} {SIZES[size]} ~ {ids}"


class _Size:
    """A new piece of one size."""

    def __init__(self, state: State, size: int) -> None:
        self.size = size
        self._side = state.side
        # It opens a piece of the other side if it is connected to one of these (or to any piece, where one is open
        # already).
        self._threats = {
            piece.id for piece in state.pieces.values() if is_double_threat(state, size, [piece])
        }

    def fits(self, chosen: list[Piece], rest: list[Piece], more: int) -> bool:
        """Whether a piece of this size may be connected to the chosen pieces and to some `more` of the rest.

        It is least open with as many pieces of its own side as possible, and with the smallest ones of the other side.
        """
        if any(piece.id in self._threats for piece in (chosen + rest if more else chosen)):
            return True
        kindest = sorted(rest, key=lambda piece: (piece.side != self._side, piece.size))[:more]
        return not is_open(self._side, self.size, chosen + kindest)


def _sets(
    chosen: list[Piece], rest: list[Piece], more: int, sizes: list[_Size]
) -> Iterator[tuple[list[Piece], set[int]]]:
    """Yields the chosen pieces with each choice of `more` of the rest to which a piece of some size may be connected,
    and those sizes."""
    sizes = [size for size in sizes if size.fits(chosen, rest, more)]
    if not more:
        if sizes:
            yield chosen, {size.size for size in sizes}
        return
    for at in range(len(rest) - more + 1 if sizes else 0):
        yield from _sets([*chosen, rest[at]], rest[at + 1 :], more - 1, sizes)
