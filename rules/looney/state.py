"""The state of IGLOO: one immutable value. Connections are kept as a graph, so captures need no geometry (D-84)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules.core.chance import Chance
from rules.core.game import Over

from .options import Setting

COMMIT, BEFORE, PLACE, AFTER, REVEAL, OVER = "commit", "before", "place", "after", "reveal", "over"
PHASES = (COMMIT, BEFORE, PLACE, AFTER, REVEAL, OVER)
NOWHERE = -(10**9)  # the edges of a piece with declared connections (D-84)
STASH = 5  # pieces of one size and colour (D-82)


class Piece(NamedTuple):
    """A pyramid on the table. `colour` 0 … 3, `size` 0 … 2; its square by its edges, NOWHERE without coordinates."""

    id: int
    colour: int
    size: int
    west: int = NOWHERE
    south: int = NOWHERE
    east: int = NOWHERE
    north: int = NOWHERE

    @property
    def side(self) -> int:
        return self.colour >> 1

    @property
    def points(self) -> int:
        return self.size + 1


Pieces = Mapping[int, Piece]
Links = Mapping[int, tuple[int, ...]]


def all_measured(pieces: Pieces) -> bool:
    return all(piece.west != NOWHERE for piece in pieces.values())


class State(NamedTuple):
    """One position. `pieces` by id, ascending · `measured`: whether all have coordinates; else connections are declared
    (D-84) · `links`: the pieces connected to each one · `open`: ids that could be captured, of both sides · `stash`:
    number of S, M, L of each colour · `prisoners`: of each side, as (colour, size) · `real`: the secret colour of each
    side · `threat`: whether the last placement was a Double Threat (IG-14, D-72).
    """

    setting: Setting
    turn: int
    phase: str
    pieces: Pieces
    measured: bool
    links: Links
    open: frozenset[int]
    stash: tuple[tuple[int, int, int], ...]
    prisoners: tuple[tuple[tuple[int, int], ...], ...]
    real: tuple[int | None, int | None]
    passes: int
    threat: bool
    over: Over | None
    chance: Chance

    @property
    def side(self) -> int:
        """The side whose turn it is."""
        return self.setting.side_of[self.turn]

    def next_id(self) -> int:
        """The number of the next piece: one more than the pieces placed so far, or than the highest number in play."""
        placed = len(self.pieces) + sum(map(len, self.prisoners))
        return 1 + max(placed, next(reversed(tuple(self.pieces)), 0))

    def any_left(self) -> bool:
        return any(map(any, self.stash))

    def kinds_left(self) -> list[tuple[int, int]]:
        """Colour and size of the pieces that the seat in turn can still place."""
        own = self.setting.own[self.turn]
        return [(colour, size) for colour in own for size in range(3) if self.stash[colour][size]]


def to_act(state: State) -> tuple[str, ...]:
    """Who may act now: in `commit` all whose side has not chosen, in `reveal` all."""
    seats, side_of = state.setting.seats, state.setting.side_of
    if state.phase == OVER:
        return ()
    if state.phase in (COMMIT, REVEAL):
        waiting = tuple(seat for seat, side in zip(seats, side_of, strict=True) if state.real[side] is None)
        return waiting or seats
    return (seats[state.turn],)


def capturable(state: State, side: int) -> list[int]:
    """Open pieces that this side may take: the other side's (IG-13)."""
    if not state.open:
        return []
    return sorted(number for number in state.open if state.pieces[number].side != side)
