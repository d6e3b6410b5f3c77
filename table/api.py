"""The table over HTTP: the same acts as on the page, events as they happen, and `/health`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Cookie, Header, HTTPException, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from firmware_bridge.errors import PolartableError
from rules.core.refusal import PositionError
from table.access import NotAllowed, TooManyTries, Who
from table.desk.desk import OPEN_GAMES
from table.desk.said import Said
from table.games import GAMES

if TYPE_CHECKING:
    from table.table_room import TableRoom

COOKIE = "polartable"
KEEP_ALIVE_S = 15.0
_MOVES = 2000

Token = Annotated[str | None, Cookie(alias=COOKIE)]
Bearer = Annotated[str | None, Header()]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Code(_Body):
    code: str = Field(max_length=32)


class Seat(_Body):
    seat: str = Field(max_length=32)


class Move(_Body):
    move: str = Field(max_length=200)
    seat: str | None = Field(default=None, max_length=32)


class NewGame(_Body):
    game: str = Field(max_length=32)
    players: list[str] = Field(max_length=12)
    options: dict[str, Any] = Field(default_factory=dict)


class Answer(_Body):
    key: str = Field(max_length=64)
    index: int = Field(ge=0, le=1000)


class Correction(_Body):
    at: int = Field(ge=0, le=1_000_000)
    move: str = Field(max_length=200)


def error_of(error: PolartableError, status: int) -> JSONResponse:
    value = {"number": error.number, "text": error.cause, "mend": error.mend}
    return JSONResponse({"error": value}, status)


def router(room: TableRoom) -> APIRouter:
    """All routes of one table."""
    api = APIRouter()

    def who(request: Request, token: str | None, bearer: str | None) -> Who:
        given = bearer.removeprefix("Bearer ").strip() if bearer else token
        found = room.access.who(given, request.client.host if request.client else "")
        if found is None:
            raise HTTPException(401, "pair with this table first: POST /api/pair")
        return found

    def host(found: Who) -> None:
        if found.role != "host":
            raise NotAllowed("only the host may do that", "ask the host")

    def told(found: Who, ok: bool, seat: str | None = None) -> JSONResponse:
        """The last sentence, if whoever asked (for `seat`) may hear it; nothing that is another seat's."""
        desk = room.desk
        said = [s.to_json() for s in desk.said[-1:] if s.for_seat(found.seat) or s.for_seat(seat)]
        body = {"ok": ok, "said": said, "over": desk.view(found.seat)["over"]}
        return JSONResponse(body, 200 if ok else 409)

    @api.get("/health")
    async def health() -> JSONResponse:
        """200 while every sense is awake and the journal can be written; 503 with the reasons otherwise."""
        state = room.health()
        return JSONResponse(state, 200 if state["healthy"] else 503)

    @api.post("/api/pair")
    async def pair(body: Code, request: Request) -> Response:
        """A code from the host's screen for a token; the token comes as a cookie too."""
        try:
            token = room.access.pair(body.code, request.client.host if request.client else "")
        except TooManyTries as error:
            return error_of(error, 429)
        except PolartableError as error:
            return error_of(error, 403)
        answer = JSONResponse({"ok": True, "token": token})
        answer.set_cookie(COOKIE, token, max_age=30 * 24 * 3600, httponly=True, samesite="strict")
        return answer

    @api.post("/api/sit")
    async def sit(
        body: Seat, request: Request, token: Token = None, authorization: Bearer = None
    ) -> JSONResponse:
        """Take a seat; whoever sat there looks on from then on (a seat handed to another phone)."""
        found = who(request, token, authorization)
        if body.seat not in room.desk.sitting.game.seats(room.desk.sitting.state):
            raise HTTPException(404, f"there is no seat {body.seat}")
        if found.role != "host":
            given = authorization.removeprefix("Bearer ").strip() if authorization else token
            room.access.sit(given or "", body.seat)
        return JSONResponse({"ok": True, "seat": body.seat})

    @api.get("/api/table")
    async def table(request: Request, token: Token = None, authorization: Bearer = None) -> dict[str, Any]:
        """What whoever asks may see: the position, who is to act, the open question, the last sentences."""
        found = who(request, token, authorization)
        desk = room.desk
        return {
            "name": desk.name,
            "role": found.role,
            "seat": found.seat,
            "view": desk.view(found.seat),
            "question": desk.question.to_json()
            if desk.question and desk.question.is_for(found.seat)
            else None,
            "said": [s.to_json() for s in desk.said[-20:] if s.for_seat(found.seat)],
            "sources": room.health()["sources"],
        }

    @api.get("/api/moves")
    async def moves(request: Request, token: Token = None, authorization: Bearer = None) -> dict[str, Any]:
        """Legal moves of whoever asks (the host: of everybody, where no hand is hidden); the first 2,000 of them."""
        found = who(request, token, authorization)
        if found.role == "spectator" or (
            found.seat is None and room.desk.sitting.game.name not in OPEN_GAMES
        ):
            return {"moves": [], "complete": True}
        sitting, out = room.desk.sitting, list[str]()
        for move in sitting.game.moves(sitting.state, found.seat):
            if len(out) == _MOVES:
                return {"moves": out, "complete": False}
            out.append(move)
        return {"moves": out, "complete": True}

    @api.post("/api/play")
    async def play(
        body: Move, request: Request, token: Token = None, authorization: Bearer = None
    ) -> JSONResponse:
        """Make a move. 409 with the referee's sentence where a rule forbids it."""
        found = who(request, token, authorization)
        seat = found.seat if found.role == "player" and body.seat is None else body.seat
        if found.role == "spectator" or (found.role == "player" and not found.may_act_for(seat)):
            raise NotAllowed(
                "a spectator only looks on; a player acts for his own seat", "take that seat first"
            )
        return told(found, room.desk.play(body.move, seat), seat)

    @api.post("/api/answer")
    async def answer(
        body: Answer, request: Request, token: Token = None, authorization: Bearer = None
    ) -> JSONResponse:
        """Answer the open question."""
        found = who(request, token, authorization)
        if found.role == "spectator":
            raise NotAllowed("a spectator only looks on", "take a seat first")
        return told(found, room.desk.answer(body.key, body.index, found.seat))

    @api.post("/api/new")
    async def new(
        body: NewGame, request: Request, token: Token = None, authorization: Bearer = None
    ) -> JSONResponse:
        """Another game instead of the one on the table (the host)."""
        host(who(request, token, authorization))
        if body.game not in GAMES:
            raise HTTPException(404, f"there is no game {body.game}; there are {', '.join(GAMES)}")
        try:
            desk = room.new_game(body.game, body.players, body.options)
        except PositionError as error:
            return JSONResponse(
                {"error": {"number": 714, "text": str(error), "mend": "see: polartable referee"}}, 400
            )
        return JSONResponse({"ok": True, "name": desk.name})

    @api.post("/api/undo")
    async def undo(request: Request, token: Token = None, authorization: Bearer = None) -> JSONResponse:
        """Take the last move back (the host)."""
        found = who(request, token, authorization)
        host(found)
        return told(found, room.desk.undo())

    @api.post("/api/redo")
    async def redo(request: Request, token: Token = None, authorization: Bearer = None) -> JSONResponse:
        """Make a move again that was taken back (the host)."""
        found = who(request, token, authorization)
        host(found)
        return told(found, room.desk.redo())

    @api.post("/api/correct")
    async def correct(
        body: Correction, request: Request, token: Token = None, authorization: Bearer = None
    ) -> JSONResponse:
        """Put another move in place of step `at` (the host)."""
        found = who(request, token, authorization)
        host(found)
        if body.at >= len(room.desk.sitting.steps):
            raise HTTPException(404, f"there is no step {body.at}")
        return told(found, room.desk.correct(body.at, body.move))

    @api.get("/api/events")
    async def events(
        request: Request, token: Token = None, authorization: Bearer = None
    ) -> StreamingResponse:
        """Every sentence that whoever asks may hear, as server-sent events."""
        found = who(request, token, authorization)
        return StreamingResponse(
            _stream(room, found), media_type="text/event-stream", headers={"cache-control": "no-store"}
        )

    return api


async def _stream(room: TableRoom, found: Who) -> AsyncIterator[str]:
    queue: asyncio.Queue[Said] = asyncio.Queue(maxsize=1000)

    def hear(said: Said) -> None:
        if said.for_seat(found.seat) and not queue.full():
            queue.put_nowait(said)

    leave = room.listen(hear)
    try:
        yield ": hello\n\n"
        while True:
            try:
                async with asyncio.timeout(KEEP_ALIVE_S):
                    said = await queue.get()
                yield f"event: {said.event}\ndata: {json.dumps(said.to_json(), ensure_ascii=False)}\n\n"
            except TimeoutError:
                yield ": still here\n\n"
    finally:
        leave()
