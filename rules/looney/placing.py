"""Placing a piece: its position, its connections, and harm's way (IG-9, IG-12, IG-14, D-73 … D-78, D-84)."""

from __future__ import annotations

from rules.core.game import Event
from rules.core.refusal import Illegal

from .capture import connected, is_double_threat, is_open, reopened
from .geometry import neighbours
from .notation import Move
from .options import SIZES
from .room import room
from .state import Piece, State

Events = list[Event]
# what a piece in harm's way would need, for each reading of a Double Threat (D-74)
HARMED = {
    "any": "it would be open to capture at once, and none of the other side's pieces is",
    "threatening": "it would be open to capture at once, and no piece of the other side that it is connected to is "
    "(option double_threat)",
    "fresh": "it would be open to capture at once, and it opens none of the other side's pieces (option double_threat)",
}


def located(state: State, move: Move) -> Move:
    """Converts `E of #7 gap 8 off 5` to coordinates, where piece 7 has some; other placements are unchanged."""
    if move.beside is None:
        return move
    direction, number, gap, off = move.beside
    piece = state.pieces.get(number)
    if piece is None or not state.measured:
        return move
    width = state.setting.widths[move.size]
    at = {
        "E": (piece.east + gap, piece.south + off),
        "W": (piece.west - gap - width, piece.south + off),
        "N": (piece.west + off, piece.north + gap),
        "S": (piece.west + off, piece.south - gap - width),
    }[direction]
    return move._replace(at=at, beside=None)


def check_stash(state: State, move: Move) -> int:
    """The colour's number; refused when it is not the player's, or no such piece is left (T-IG-15)."""
    setting = state.setting
    seat = setting.seats[state.turn]
    own = setting.own[state.turn]
    if move.colour not in setting.colours or setting.colours.index(move.colour) not in own:
        colours = " and ".join(setting.colours[colour] for colour in own)
        raise Illegal("IG-9", f"{seat} places {colours}, not {move.colour}")
    colour = setting.colours.index(move.colour)
    if not state.stash[colour][move.size]:
        raise Illegal("IG-9", f"no {move.colour} {SIZES[move.size]} is left in the stash")
    return colour


def surroundings(state: State, move: Move) -> list[Piece]:
    """The pieces that the new one is connected to; refused where it cannot lie (IG-9)."""
    if move.told is not None:
        return _told(state, move.told)
    if move.beside is not None or not state.measured:
        if move.beside is not None and state.pieces.get(move.beside[1]) is None:
            raise Illegal("IG-9", f"there is no piece #{move.beside[1]} in play")
        raise Illegal("D-84", "some pieces have no coordinates: say with ~ what the new one is connected to")
    assert move.at is not None
    x, y = move.at
    width, table = state.setting.widths[move.size], state.setting.table
    if table is not None and not (table[0] <= x <= table[2] - width and table[1] <= y <= table[3] - width):
        raise Illegal("D-77", f"at {x},{y} the piece would hang over the edge of the table")
    if not state.pieces:
        if move.at != (0, 0):
            raise Illegal("D-76", "the first piece lies at the origin, 0,0")
        return []
    around = neighbours(state.pieces.values(), x, y, width, state.setting.gap)
    if isinstance(around, Piece):
        raise Illegal("IG-9", f"at {x},{y} it would overlap piece #{around.id}")
    if not around:
        raise Illegal("IG-9", f"at {x},{y} it is connected to no piece in play")
    return around


def _told(state: State, numbers: tuple[int, ...]) -> list[Piece]:
    if len(set(numbers)) < len(numbers):
        raise Illegal("D-84", "a piece is named twice")
    found = []
    for number in numbers:
        piece = state.pieces.get(number)
        if piece is None:
            raise Illegal("D-84", f"there is no piece #{number} in play")
        found.append(piece)
    if state.pieces and not found:
        raise Illegal("IG-9", "it must be connected to at least one piece in play")
    return sorted(found)


def in_harms_way(state: State, size: int, around: list[Piece]) -> tuple[bool, bool]:
    """Whether the new piece would be open, and whether that is a Double Threat (IG-12, D-73, D-74)."""
    if not is_open(state.side, size, around):
        return False, False
    return True, is_double_threat(state, size, around)


def place(state: State, move: Move, events: Events) -> State:
    """Adds the piece, and updates connections and openness; the caller handles the windows."""
    colour = check_stash(state, move)
    around = surroundings(state, move)
    harmed, threat = in_harms_way(state, move.size, around)
    if harmed and not threat:
        raise Illegal("IG-12", HARMED[state.setting.double_threat])
    number = state.next_id()
    piece = Piece(number, colour, move.size)
    if move.at is not None:
        (x, y), width = move.at, state.setting.widths[move.size]
        piece = piece._replace(west=x, south=y, east=x + width, north=y + width)
    pieces = {**state.pieces, number: piece}
    links = connected(state.links, number, tuple(other.id for other in around))
    touched = [number, *(other.id for other in around)]
    stash = list(state.stash)
    row = list(stash[colour])
    row[move.size] -= 1
    stash[colour] = (row[0], row[1], row[2])
    text = f"{move.colour} {SIZES[move.size]} #{number}"
    data: dict[str, object] = {"id": number, "colour": move.colour, "size": SIZES[move.size]}
    if move.at is not None:
        text += f" at {move.at[0]},{move.at[1]}"
        data |= {"x": move.at[0], "y": move.at[1]}
    data["links"] = [other.id for other in around]
    events.append(Event("placed", "IG-9", text, None, data))
    if threat:
        events.append(
            Event("double-threat", "IG-14", f"#{number} makes a Double Threat", None, {"id": number})
        )
    return state._replace(
        pieces=pieces,
        measured=state.measured and move.at is not None,
        links=links,
        open=reopened(state.open, touched, pieces, links),
        stash=tuple(stash),
        passes=0,
        threat=threat,
    )


def can_place(state: State) -> bool:
    """Whether the seat in turn has any legal placement (D-78)."""
    sizes = {size for _, size in state.kinds_left()}
    if not sizes:
        return False
    return not state.measured or any(room(state, size).size() for size in sizes)
