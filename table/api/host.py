"""The host's own acts over HTTP, the same as on the page: another game, undo, redo and correct."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from rules.core.refusal import PositionError
from table.api import shapes
from table.api.shapes import BadRequest, NotThere, answers
from table.api.told import told
from table.door.asking import Host
from table.games import GAMES
from table.page.page import panels

if TYPE_CHECKING:
    from table.room.table_room import TableRoom

_TAKE_BACK = 'take moves back until it is the last one, and make it anew with "seat": "{seat}"'


def add_host(api: APIRouter, room: TableRoom) -> None:
    """The routes of the host's acts at one table."""

    @api.post("/api/new", responses=answers(shapes.Begun, 404, 503))
    async def new(body: shapes.NewGame, found: Host) -> JSONResponse:
        """Begin another game instead of the one on the table (the host)."""
        known = [name for name in GAMES if name in panels()]  # a game without a panel would break the page
        if body.game not in known:
            raise NotThere(f"there is no game {body.game!r}", f"there are {', '.join(known)}")
        try:
            desk = room.new_game(body.game, body.players, body.options)
        except PositionError as error:
            text = str(error).encode("ascii", "backslashreplace").decode()
            raise BadRequest(text, "see: polartable referee") from error
        return JSONResponse({"ok": True, "name": desk.name})

    @api.post("/api/undo", responses=answers(shapes.Told, told=True))
    async def undo(found: Host) -> JSONResponse:
        """Take the last move back (the host)."""
        return told(room, found, room.desk.undo, "there is no move that could be taken back")

    @api.post("/api/redo", responses=answers(shapes.Told, told=True))
    async def redo(found: Host) -> JSONResponse:
        """Redo a move that was taken back (the host)."""
        return told(room, found, room.desk.redo, "no move was taken back that could be made again")

    @api.post("/api/correct", responses=answers(shapes.Told, 404, told=True))
    async def correct(body: shapes.Correction, found: Host) -> JSONResponse:
        """Put another move in place of step `at`: an index into the moves that stand, from 0 (the host)."""
        steps = len(room.desk.sitting.steps)
        if not steps:
            raise NotThere("no move stands in this game yet, so none can be put right", "make one first")
        if body.at >= steps:
            raise NotThere(
                f"`at` is {body.at}, but counted from 0 this game's last move is {steps - 1}",
                "step 1 of the page and of `polartable journal show` is `at` 0",
            )
        return told(room, found, lambda: room.desk.correct(body.at, body.move), way=_TAKE_BACK)
