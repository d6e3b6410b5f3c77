"""The response to an act over HTTP: the last sentence that the caller may hear."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from fastapi.responses import JSONResponse

from table.desk.said import Said
from table.door.access import Who

if TYPE_CHECKING:
    from table.room.table_room import TableRoom


def told(
    room: TableRoom,
    found: Who,
    act: Callable[[], bool],
    otherwise: str = "",
    seat: str | None = None,
    way: str = "who sits there is told",
) -> JSONResponse:
    """The last sentence of `act`, if the caller (for `seat`) may hear it; nothing that is another seat's.

    `otherwise`: what only the caller is told if there was nothing to act on. `way`: how to hear why it was refused, for
    a caller who acts for a seat with a hidden hand and did not name it.
    """
    desk, before = room.desk, room.desk.said[-1:]
    ok = act()
    last = [s for s in desk.said[-1:] if not before or s is not before[0]]
    if not (ok or last):
        last = [Said(desk.now, "refused", "nothing-to-do", otherwise)]
    if not ok and desk.unwritten and desk.said[-1] is last[0]:
        return JSONResponse({"error": dict(last[0].data)}, 503)
    heard = [s for s in last if s.for_seat(found.seat) or s.for_seat(seat) or _unreadable(s)]
    if not (ok or heard):
        heard = [Said(desk.now, "refused", "refused", _kept_back(last[0], way))]
    body = {"ok": ok, "said": [s.to_json() for s in heard], "over": desk.view(found.seat)["over"]}
    return JSONResponse(body, 200 if ok else 409)


def _unreadable(said: Said) -> bool:
    """Whether the input is no move in any position: that is no secret to whoever typed it."""
    return said.data.get("kind") == "unreadable"


def _kept_back(refused: Said, way: str) -> str:
    """What is said of a refusal to a caller who may not hear its reason: that it is one, and whose reason it is."""
    seats = " and ".join(refused.to or ())
    return f"that was refused, and only {seats} may hear why: {way.format(seat=seats)}"
