"""Which pieces are open to capture, from the graph of connections alone (IG-10 … IG-15, D-70, D-75)."""

from __future__ import annotations

from collections.abc import Iterable

from .state import Links, Piece, Pieces, State


def is_open(side: int, size: int, around: Iterable[Piece]) -> bool:
    """Whether a piece of this side and size could be captured, given the pieces connected to it (IG-10)."""
    enemies = value = supported = 0
    for piece in around:
        if piece.colour >> 1 == side:
            supported = 1
        else:
            enemies += 1
            value += piece.size + 1
    return enemies > size + supported and value > size + 1


def is_double_threat(state: State, size: int, around: Iterable[Piece]) -> bool:
    """Whether an enemy piece is also open, once the side in turn has placed a piece of this size there (D-74).

    An open enemy piece stays open when the other side places a piece; a connection may open one that is not.
    """
    side, pieces, reading = state.side, state.pieces, state.setting.double_threat
    if reading == "any" and any(pieces[number].side != side for number in state.open):
        return True
    new = Piece(0, 2 * side, size)
    for piece in around:
        if piece.side == side:
            continue
        if piece.id in state.open:
            if reading == "threatening":
                return True
        elif is_open(1 - side, piece.size, (*(pieces[other] for other in state.links[piece.id]), new)):
            return True
    return False


def open_pieces(pieces: Pieces, links: Links) -> frozenset[int]:
    """The ids of all open pieces."""
    return reopened(frozenset(), pieces, pieces, links)


def reopened(old: frozenset[int], touched: Iterable[int], pieces: Pieces, links: Links) -> frozenset[int]:
    """`open`, updated after only the pieces in `touched` got or lost a connection."""
    new = set(old)
    for number in touched:
        piece = pieces.get(number)
        if piece and is_open(piece.colour >> 1, piece.size, [pieces[other] for other in links[number]]):
            new.add(number)
        else:
            new.discard(number)
    return frozenset(new)


def connected(links: Links, new: int, around: tuple[int, ...]) -> Links:
    """The graph with one more piece."""
    out = dict(links)
    out[new] = around
    for number in around:
        out[number] = (*out[number], new)
    return out


def disconnected(links: Links, gone: int) -> Links:
    """The graph without a piece."""
    out = dict(links)
    for number in out.pop(gone):
        out[number] = tuple(other for other in out[number] if other != gone)
    return out
