"""Joining the table over HTTP: exchange a code for a token, take a free seat, and give it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from table.api import shapes
from table.api.shapes import NotThere, answers
from table.door.access import NotAllowed, SeatTaken
from table.door.asking import COOKIE, Asking, Token, caller_of

if TYPE_CHECKING:
    from table.room.table_room import TableRoom


def add_seats(api: APIRouter, room: TableRoom) -> None:
    """The routes of one table's seats."""

    @api.post("/api/pair", responses=answers(shapes.Paired, 429))
    async def pair(body: shapes.Code, request: Request) -> Response:
        """Exchange a code from the host's screen for a token; the token comes as a cookie, too."""
        had = request.cookies.get(COOKIE)
        before = None if had is None else room.access.seat_of(had)
        token = room.access.pair(body.code, caller_of(request), had)
        seat = room.access.seat_of(token)
        if before is not None and before != seat:
            room.desk.seat(before, "left")
        if seat is not None and token != had:  # with a code that handed a seat on
            room.desk.seat(seat, "handed")
        answer = JSONResponse({"ok": True, "token": token})
        answer.set_cookie(COOKIE, token, max_age=30 * 24 * 3600, httponly=True, samesite="strict")
        return answer

    @api.post("/api/sit", responses=answers(shapes.Seated, 404, 409))
    async def sit(body: shapes.Seat, token: Token, found: Asking) -> JSONResponse:
        """Take a free seat. A seat that somebody plays becomes free by `stand`: by its player or by the host.

        The host may act for every seat and takes none: `seat` is null.
        """
        check_seat(room, body.seat)
        if body.seat != found.seat and body.seat in room.played():
            raise SeatTaken(f"somebody plays {body.seat}", "who sits there, or the host, gives it back first")
        if found.role == "host":
            return JSONResponse({"ok": True, "seat": None})
        room.access.sit(token or "", body.seat)
        if found.seat != body.seat:
            if found.seat is not None:
                room.desk.seat(found.seat, "left")
            room.desk.seat(body.seat, "taken")
        return JSONResponse({"ok": True, "seat": body.seat})

    @api.post("/api/stand", responses=answers(shapes.Seated, 404))
    async def stand(body: shapes.Seat, found: Asking) -> JSONResponse:
        """Give a seat back: one's own; the host any (a phone that is gone, a seat handed to another one)."""
        check_seat(room, body.seat)
        if not found.may_act_for(body.seat):
            raise NotAllowed("that is somebody else's seat", "ask whoever sits there, or the host")
        room.free(body.seat)
        room.desk.seat(body.seat, "left" if found.seat == body.seat else "freed")
        return JSONResponse({"ok": True, "seat": body.seat})


def check_seat(room: TableRoom, seat: str) -> None:
    """Raises NotThere for anything that is no seat of the game on the table."""
    seats = room.desk.sitting.game.seats(room.desk.sitting.state)
    if seat not in seats:
        raise NotThere(f"there is no seat {seat!r}", f"there are {', '.join(seats)}")
