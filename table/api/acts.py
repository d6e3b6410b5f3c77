"""Acts over HTTP, the same as on the page: moves, answers, and proposals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from table.api import shapes
from table.api.seats import check_seat
from table.api.shapes import answers
from table.api.told import told
from table.door.access import NotAllowed, Who
from table.door.asking import Asking

if TYPE_CHECKING:
    from table.room.table_room import TableRoom

_NAME_IT = 'send it with "seat": "{seat}"'


def add_acts(api: APIRouter, room: TableRoom) -> None:
    """The routes of one table's acts."""

    @api.post("/api/play", responses=answers(shapes.Told, 404, told=True))
    async def play(body: shapes.Move, found: Asking) -> JSONResponse:
        """Make a move. 409 with the referee's sentence if a rule forbids it; for a hidden hand only with `seat`."""
        seat = found.seat if found.role == "player" and body.seat is None else body.seat
        if found.role == "spectator" or (found.role == "player" and not found.may_act_for(seat)):
            raise NotAllowed(
                "a spectator only looks on; a player acts for his own seat", "take that seat first"
            )
        if seat is not None:
            check_seat(room, seat)
        return told(room, found, lambda: room.desk.play(body.move, seat), seat=seat, way=_NAME_IT)

    @api.post("/api/answer", responses=answers(shapes.Told, told=True))
    async def answer(body: shapes.Answer, found: Asking) -> JSONResponse:
        """Answer the open question. 409 if it is not open, has no such choice, or its move is refused."""
        if found.role == "spectator":
            raise NotAllowed("a spectator only looks on", "take a seat first")
        question = room.desk.question
        open_now = question is not None and question.key == body.key and question.is_for(found.seat)
        why = "that question has no such choice" if open_now else "that question is no longer open"
        return told(
            room,
            found,
            lambda: room.desk.answer(body.key, body.index, found.seat),
            f"{why}; see: GET /api/table",
        )

    @api.post("/api/propose", responses=answers(shapes.Told, told=True))
    async def propose(body: shapes.Wish, found: Asking) -> JSONResponse:
        """Propose to everybody: take back the last move, abandon the game, or reveal what was hidden after its end."""
        accord = room.accord(room.desk.sitting.game.name)
        voter = _voter(found)
        return told(
            room,
            found,
            lambda: accord is not None and accord.propose(body.what, voter),
            "that cannot be asked for now, or something else is being asked; see: GET /api/table",
        )

    @api.post("/api/consent", responses=answers(shapes.Told, told=True))
    async def consent(body: shapes.Word, found: Asking) -> JSONResponse:
        """Agree to a proposal or decline it; one no is enough, and takes effect even if it cannot be written down."""
        accord, voter = room.accord(room.desk.sitting.game.name), _voter(found)

        def say() -> bool:
            if accord is None:
                return False
            return accord.agree(body.key, voter) if body.yes else accord.decline(body.key, voter)

        return told(
            room, found, say, "nothing of that key is asked of you now (any more); see: GET /api/table"
        )


def _voter(found: Who) -> str:
    """The seat, or `host`, whose consent this is."""
    if found.role == "spectator":
        raise NotAllowed("a spectator only looks on", "take a seat first")
    return found.seat if found.seat is not None else "host"
