"""Acts over HTTP, the same as on the page: moves, answers, what people agree on, and what the host may do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from rules.core.refusal import PositionError
from table import api_shapes as shapes
from table.access import NotAllowed, Who
from table.api_asking import Asking, Host
from table.api_seats import check_seat
from table.api_shapes import BadRequest, NotThere, answers
from table.desk.said import Said
from table.games import GAMES
from table.page.page import panels

if TYPE_CHECKING:
    from table.table_room import TableRoom

_NAME_IT = 'send it with "seat": "{seat}"'
_TAKE_BACK = 'take moves back until it is the last one, and make it anew with "seat": "{seat}"'


def add_acts(api: APIRouter, room: TableRoom) -> None:
    """The routes of one table's acts."""

    def told(
        found: Who,
        act: Callable[[], bool],
        otherwise: str = "",
        seat: str | None = None,
        way: str = "who sits there is told",
    ) -> JSONResponse:
        """The last sentence of `act`, if whoever asked (for `seat`) may hear it; nothing that is another seat's.

        `otherwise`: what is said, to him alone, where there was nothing to act on. `way`: how to hear why it was
        refused, for who acts for a seat that hides its hand and did not name it.
        """
        desk, before = room.desk, room.desk.said[-1:]
        ok = act()
        last = [s for s in desk.said[-1:] if not before or s is not before[0]]
        if not (ok or last):
            last = [Said(desk.now, "refused", "nothing-to-do", otherwise)]
        if not ok and (last[0].tone, last[0].event) == ("fault", "journal"):
            return JSONResponse({"error": dict(last[0].data)}, 503)
        heard = [s for s in last if s.for_seat(found.seat) or s.for_seat(seat) or _unreadable(s)]
        if not (ok or heard):
            heard = [Said(desk.now, "refused", "refused", _kept_back(last[0], way))]
        body = {"ok": ok, "said": [s.to_json() for s in heard], "over": desk.view(found.seat)["over"]}
        return JSONResponse(body, 200 if ok else 409)

    @api.post("/api/play", responses=answers(shapes.Told, 404, told=True))
    async def play(body: shapes.Move, found: Asking) -> JSONResponse:
        """Make a move. 409 with the referee's sentence where a rule forbids it; of a seat whose hand is hidden only
        with `seat`."""
        seat = found.seat if found.role == "player" and body.seat is None else body.seat
        if found.role == "spectator" or (found.role == "player" and not found.may_act_for(seat)):
            raise NotAllowed(
                "a spectator only looks on; a player acts for his own seat", "take that seat first"
            )
        if seat is not None:
            check_seat(room, seat)
        return told(found, lambda: room.desk.play(body.move, seat), seat=seat, way=_NAME_IT)

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

    @api.post("/api/new", responses=answers(shapes.Begun, 404, 503))
    async def new(body: shapes.NewGame, found: Host) -> JSONResponse:
        """Another game instead of the one on the table (the host)."""
        known = [name for name in GAMES if name in panels()]  # one without a panel would take the page down
        if body.game not in known:
            raise NotThere(f"there is no game {body.game!r}", f"there are {', '.join(known)}")
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
        return told(found, lambda: room.desk.correct(body.at, body.move), way=_TAKE_BACK)


def _unreadable(said: Said) -> bool:
    """Whether what was typed is no move in any position: that is no secret to whoever typed it."""
    return said.data.get("kind") == "unreadable"


def _kept_back(refused: Said, way: str) -> str:
    """What is said of a refusal to somebody who may not hear its reason: that it is one, and whose reason it is."""
    seats = " and ".join(refused.to or ())
    return f"that was refused, and only {seats} may hear why: {way.format(seat=seats)}"


def _voter(found: Who) -> str:
    """Whose word it is."""
    if found.role == "spectator":
        raise NotAllowed("a spectator only looks on", "take a seat first")
    return found.seat if found.seat is not None else "host"
