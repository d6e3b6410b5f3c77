"""Who is open to capture, on the graph of connections alone (IG-10 … IG-15, D-70, D-75)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .state import Links, Piece


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


def open_pieces(pieces: Iterable[Piece], links: Links) -> frozenset[int]:
    """All pieces that are open."""
    by_id = {piece.id: piece for piece in pieces}
    return frozenset(
        piece.id
        for piece in by_id.values()
        if is_open(piece.side, piece.size, (by_id[other] for other in links[piece.id]))
    )


def reopened(
    old: frozenset[int], touched: Iterable[int], by_id: Mapping[int, Piece], links: Links
) -> frozenset[int]:
    """`open` again, after only the pieces in `touched` got or lost a connection."""
    gone = set(touched)
    new = {
        number
        for number in gone
        if number in by_id
        and is_open(by_id[number].side, by_id[number].size, [by_id[other] for other in links[number]])
    }
    return frozenset(old - gone | new)


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
