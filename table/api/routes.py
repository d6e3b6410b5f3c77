"""The table over HTTP: its view for each caller, server-sent events, `/health`; seats and acts are separate modules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, StreamingResponse

from rules.core.game import MOST_MOVES
from table.api import shapes
from table.api.acts import add_acts
from table.api.events import stream
from table.api.host import add_host
from table.api.seats import add_seats
from table.api.shapes import answers
from table.desk.hiding import hides_nothing
from table.door.asking import Asking, Token, caller_of

if TYPE_CHECKING:
    from table.room.table_room import TableRoom


def add_table(api: APIRouter, room: TableRoom) -> None:
    """Add all routes of one table. The application keeps its `Access` in `state.access`, its end in `state.leaving`."""

    @api.get("/health", responses={200: {"model": shapes.Health}, 503: {"model": shapes.Health}})
    async def health() -> JSONResponse:
        """200 while every sense is awake and the journal can be written; 503 with the reasons otherwise."""
        state = room.health()
        return JSONResponse(state, 200 if state["healthy"] else 503)

    add_seats(api, room)

    @api.get("/api/table", responses=answers(shapes.Table))
    async def table(found: Asking) -> dict[str, Any]:
        """What the caller may see: the position, who is to act, the open question, the last sentences."""
        desk, question = room.desk, room.desk.question
        return {
            "name": desk.name,
            "role": found.role,
            "seat": found.seat,
            "view": desk.view(found.seat),
            "question": question.to_json() if question and question.is_for(found.seat) else None,
            "said": [s.to_json() for s in desk.said[-20:] if s.for_seat(found.seat)],
            "sources": room.health()["sources"],
            "ear": room.ear.to_json(),
            "proposal": _proposal(room),
        }

    @api.get("/api/moves", responses=answers(shapes.Moves))
    async def moves(found: Asking) -> dict[str, Any]:
        """The caller's legal moves (for the host: everybody's, if no hand is hidden); at most the first 2,000.

        `complete` is false if there are more, or if they are a seat's secret.
        """
        sitting, out = room.desk.sitting, list[str]()
        game = sitting.game
        if found.role == "spectator" or (
            found.seat is None and not hides_nothing(game.name, room.desk.view(None))
        ):
            # a spectator has no moves; the host has some, but not for a screen that all can see
            return {"moves": [], "complete": found.role == "spectator"}
        for move in game.moves(sitting.state, found.seat):
            if len(out) == MOST_MOVES:
                return {"moves": out, "complete": False}
            out.append(move)
        return {"moves": out, "complete": True}

    add_acts(api, room)
    add_host(api, room)

    @api.get("/api/events", responses=answers(shapes.Done) | {200: {"content": {"text/event-stream": {}}}})
    async def events(request: Request, token: Token, found: Asking) -> StreamingResponse:
        """Every sentence that the caller may hear, as server-sent events."""
        sentences = stream(room, token, caller_of(request), request.app.state.leaving)
        return StreamingResponse(
            sentences, media_type="text/event-stream", headers={"cache-control": "no-store"}
        )


def _proposal(room: TableRoom) -> dict[str, Any] | None:
    accord = room.accord(room.desk.sitting.game.name)
    asked = None if accord is None else accord.proposal
    return None if accord is None or asked is None else asked.to_json(accord.waiting())
