"""The table over HTTP: the same acts as on the page, events as they happen, and `/health`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse

from rules.core.refusal import PositionError
from table import api_shapes as shapes
from table.access import NotAllowed, SeatTaken, Who
from table.api_asking import COOKIE, Asking, Host, Token, caller_of
from table.api_events import stream
from table.api_shapes import BadRequest, NotThere, answers
from table.desk.hiding import hides_nothing
from table.desk.said import Said
from table.games import GAMES

if TYPE_CHECKING:
    from table.table_room import TableRoom

_MOVES = 2000


def router(room: TableRoom) -> APIRouter:
    """All routes of one table. The application keeps its `Access` in `state.access`, and its end in `state.leaving`."""
    api = APIRouter()

    def told(
        found: Who, act: Callable[[], bool], otherwise: str = "", seat: str | None = None
    ) -> JSONResponse:
        """The last sentence of `act`, if whoever asked (for `seat`) may hear it; nothing that is another seat's.

        `otherwise`: what is said, to him alone, where there was nothing to act on.
        """
        desk, before = room.desk, room.desk.said[-1:]
        ok = act()
        last = [s for s in desk.said[-1:] if not before or s is not before[0]]
        if not (ok or last):
            last = [Said(desk.now, "refused", "nothing-to-do", otherwise)]
        said = [s.to_json() for s in last if s.for_seat(found.seat) or s.for_seat(seat)]
        body = {"ok": ok, "said": said, "over": desk.view(found.seat)["over"]}
        return JSONResponse(body, 200 if ok else 409)

    @api.get("/health", responses={200: {"model": shapes.Health}, 503: {"model": shapes.Health}})
    async def health() -> JSONResponse:
        """200 while every sense is awake and the journal can be written; 503 with the reasons otherwise."""
        state = room.health()
        return JSONResponse(state, 200 if state["healthy"] else 503)

    @api.post("/api/pair", responses=answers(shapes.Paired, 429))
    async def pair(body: shapes.Code, request: Request) -> Response:
        """A code from the host's screen for a token; the token comes as a cookie too."""
        token = room.access.pair(body.code, caller_of(request))
        seat = room.access.seat_of(token)
        if seat is not None:  # with a code under which it was handed on
            room.desk.seat(seat, "handed")
        answer = JSONResponse({"ok": True, "token": token})
        answer.set_cookie(COOKIE, token, max_age=30 * 24 * 3600, httponly=True, samesite="strict")
        return answer

    @api.post("/api/sit", responses=answers(shapes.Seated, 404, 409))
    async def sit(body: shapes.Seat, token: Token, found: Asking) -> JSONResponse:
        """Take a free seat. One that somebody plays is free after `stand`: by whoever sits there, or by the host."""
        _seat(room, body.seat)
        if found.role != "host":
            if body.seat != found.seat and body.seat in room.played():
                raise SeatTaken(
                    f"somebody plays {body.seat}", "who sits there, or the host, gives it back first"
                )
            room.access.sit(token or "", body.seat)
            room.desk.seat(body.seat, "taken")
        return JSONResponse({"ok": True, "seat": body.seat})

    @api.post("/api/stand", responses=answers(shapes.Seated, 404))
    async def stand(body: shapes.Seat, found: Asking) -> JSONResponse:
        """Give a seat back: one's own; the host any (a phone that is gone, a seat handed to another one)."""
        _seat(room, body.seat)
        if not found.may_act_for(body.seat):
            raise NotAllowed("that is somebody else's seat", "ask whoever sits there, or the host")
        room.free(body.seat)
        room.desk.seat(body.seat, "left" if found.seat == body.seat else "freed")
        return JSONResponse({"ok": True, "seat": body.seat})

    @api.get("/api/table", responses=answers(shapes.Table))
    async def table(found: Asking) -> dict[str, Any]:
        """What whoever asks may see: the position, who is to act, the open question, the last sentences."""
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
        """Legal moves of whoever asks (the host: of everybody, where no hand is hidden); the first 2,000 of them.

        `complete` is false where there are more, and where they are a seat's secret.
        """
        sitting, out = room.desk.sitting, list[str]()
        game = sitting.game
        if found.role == "spectator" or (
            found.seat is None and not hides_nothing(game.name, room.desk.view(None))
        ):
            # a spectator has no moves; the host has some, but they are not for the screen of all
            return {"moves": [], "complete": found.role == "spectator"}
        for move in game.moves(sitting.state, found.seat):
            if len(out) == _MOVES:
                return {"moves": out, "complete": False}
            out.append(move)
        return {"moves": out, "complete": True}

    @api.post("/api/play", responses=answers(shapes.Told, told=True))
    async def play(body: shapes.Move, found: Asking) -> JSONResponse:
        """Make a move. 409 with the referee's sentence where a rule forbids it."""
        seat = found.seat if found.role == "player" and body.seat is None else body.seat
        if found.role == "spectator" or (found.role == "player" and not found.may_act_for(seat)):
            raise NotAllowed(
                "a spectator only looks on; a player acts for his own seat", "take that seat first"
            )
        return told(found, lambda: room.desk.play(body.move, seat), seat=seat)

    @api.post("/api/answer", responses=answers(shapes.Told, told=True))
    async def answer(body: shapes.Answer, found: Asking) -> JSONResponse:
        """Answer the open question. 409 where it is no longer open, or has no such choice."""
        if found.role == "spectator":
            raise NotAllowed("a spectator only looks on", "take a seat first")
        question = room.desk.question
        open_now = question is not None and question.key == body.key and question.is_for(found.seat)
        why = "that question has no such choice" if open_now else "that question is no longer open"
        return told(
            found,
            lambda: room.desk.answer(body.key, body.index, found.seat),
            f"{why}; see: GET /api/table",
        )

    @api.post("/api/new", responses=answers(shapes.Begun, 404))
    async def new(body: shapes.NewGame, found: Host) -> JSONResponse:
        """Another game instead of the one on the table (the host)."""
        if body.game not in GAMES:
            raise NotThere(f"there is no game {body.game!r}", f"there are {', '.join(GAMES)}")
        try:
            desk = room.new_game(body.game, body.players, body.options)
        except PositionError as error:
            text = str(error).encode("ascii", "backslashreplace").decode()
            raise BadRequest(text, "see: polartable referee") from error
        return JSONResponse({"ok": True, "name": desk.name})

    @api.post("/api/propose", responses=answers(shapes.Told, told=True))
    async def propose(body: shapes.Wish, found: Asking) -> JSONResponse:
        """Ask everybody: to take the last move back, to abandon the game, to open what was hidden when it is over."""
        accord = room.accord(room.desk.sitting.game.name)
        voter = _voter(found)
        return told(
            found,
            lambda: accord is not None and accord.propose(body.what, voter),
            "that cannot be asked for now, or something else is being asked; see: GET /api/table",
        )

    @api.post("/api/consent", responses=answers(shapes.Told, told=True))
    async def consent(body: shapes.Word, found: Asking) -> JSONResponse:
        """Say yes or no to what somebody asks; one no is enough."""
        accord, voter = room.accord(room.desk.sitting.game.name), _voter(found)

        def say() -> bool:
            if accord is None:
                return False
            return accord.agree(body.key, voter) if body.yes else accord.decline(body.key, voter)

        return told(found, say, "nothing of that key is asked of you now (any more); see: GET /api/table")

    @api.post("/api/undo", responses=answers(shapes.Told, told=True))
    async def undo(found: Host) -> JSONResponse:
        """Take the last move back (the host)."""
        return told(found, room.desk.undo, "there is no move that could be taken back")

    @api.post("/api/redo", responses=answers(shapes.Told, told=True))
    async def redo(found: Host) -> JSONResponse:
        """Make a move again that was taken back (the host)."""
        return told(found, room.desk.redo, "no move was taken back that could be made again")

    @api.post("/api/correct", responses=answers(shapes.Told, 404, told=True))
    async def correct(body: shapes.Correction, found: Host) -> JSONResponse:
        """Put another move in place of step `at`: the moves that stand, counted from 0 (the host)."""
        steps = len(room.desk.sitting.steps)
        if not steps:
            raise NotThere("no move stands in this game yet, so none can be put right", "make one first")
        if body.at >= steps:
            raise NotThere(
                f"`at` is {body.at}, but counted from 0 this game's last move is {steps - 1}",
                "step 1 of the page and of `polartable journal show` is `at` 0",
            )
        return told(found, lambda: room.desk.correct(body.at, body.move))

    @api.get("/api/events", responses=answers(shapes.Done) | {200: {"content": {"text/event-stream": {}}}})
    async def events(request: Request, token: Token, found: Asking) -> StreamingResponse:
        """Every sentence that whoever asks may hear, as server-sent events."""
        sentences = stream(room, token, caller_of(request), request.app.state.leaving)
        return StreamingResponse(
            sentences, media_type="text/event-stream", headers={"cache-control": "no-store"}
        )

    return api


def _seat(room: TableRoom, seat: str) -> None:
    seats = room.desk.sitting.game.seats(room.desk.sitting.state)
    if seat not in seats:
        raise NotThere(f"there is no seat {seat!r}", f"there are {', '.join(seats)}")


def _voter(found: Who) -> str:
    """Whose word it is."""
    if found.role == "spectator":
        raise NotAllowed("a spectator only looks on", "take a seat first")
    return found.seat if found.seat is not None else "host"


def _proposal(room: TableRoom) -> dict[str, Any] | None:
    accord = room.accord(room.desk.sitting.game.name)
    asked = None if accord is None else accord.proposal
    return None if accord is None or asked is None else asked.to_json(accord.waiting())
