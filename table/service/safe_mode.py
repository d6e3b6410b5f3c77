"""Safe mode: the table after unfinished starts. It opens no real device; page, game and journal work.

Four simulated cubes replace the real ones: simulated hands do a tilt or turn from the page, and the same reader and
tracker feel it. Igloos and buttons are played by hand on the page.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from firmware_bridge.clock import Clock
from firmware_bridge.errors import PolartableError
from table.api.shapes import Done, NotThere, answers, error_of
from table.config import Cubes, Ear, Lights, Settings, Taps
from table.desk.desk import Desk
from table.desk.said import Said
from table.door.access import Access, NotAllowed
from table.door.asking import Token, caller_of
from table.journal.store import Journal
from table.room.table_room import TableRoom

if TYPE_CHECKING:
    from table.demo.ice_cult import IceCultTable


def without_devices(settings: Settings) -> Settings:
    """The same settings without any device."""
    none = {"cubes": Cubes(), "ear": Ear(), "taps": Taps(), "lights": Lights(), "buttons": {}}
    return settings.model_copy(update=none)


class SafeRoom(TableRoom):
    """A table on simulated hardware. `why`: the sentence that the page and `/health` show."""

    def __init__(self, settings: Settings, clock: Clock, journal: Journal, access: Access, why: str) -> None:
        self.safe_mode = why
        self._started = False
        self._cult: IceCultTable | None = None
        super().__init__(without_devices(settings), clock, journal, access)

    def start(self) -> None:
        super().start()
        self._started = True
        self._lay_cubes()

    async def stop(self) -> None:
        await super().stop()
        self._take_cubes()

    async def act(self, game: str, seat: str | None, move: str) -> None:
        """Simulated hands do tilts and turns; everything else is entered."""
        by_hands = self._cult is not None and move.split()[:1] in (["tilt"], ["turn"])
        if by_hands and move in self.desk.sitting.game.moves(self.desk.sitting.state, seat):
            assert self._cult is not None
            await self._cult.act(move, seat)
            return
        await super().act(game, seat, move)

    def _sit_down(self, desk: Desk) -> None:
        super()._sit_down(desk)
        self._steps = desk.sitting.steps
        if self._started:
            self._lay_cubes()

    def _said(self, said: Said) -> None:
        super()._said(said)
        steps, before = self.desk.sitting.steps, self._steps
        self._steps = steps
        felt = len(steps) == len(before) + 1 and steps[-1].by == "cubes"
        if self._cult is not None and steps is not before and not felt and self._cult.ready:
            # somebody entered, undid or corrected a move: assume that the cubes were laid accordingly
            self._cult.watch.register()

    def _lay_cubes(self) -> None:
        from table.demo.ice_cult import IceCultTable

        self._take_cubes()
        if self.desk.sitting.game.name != "ice-cult":
            return
        try:
            cult = IceCultTable(self.desk, self.clock, 1, self.cubes, temper="calm")
            cult.open()
        # without the cubes everything can still be entered by hand
        except (OSError, PolartableError) as error:
            logging.getLogger("polartable").warning("no simulated cubes: %s", error)
            return
        self._cult, self.watch = cult, cult.watch
        self._begin(cult.pump())

    def _take_cubes(self) -> None:
        if self._cult is not None:
            self._cult.close()
            self._cult = None


def add_way_out(api: APIRouter, room: TableRoom) -> None:
    """Add the route that leaves safe mode, for the host."""

    @api.post("/api/safe-mode/leave", responses=answers(Done, 409))
    async def out(request: Request, token: Token) -> JSONResponse:
        """Restart with the real hardware (the host). 409 if the table is not in safe mode."""
        found = room.access.who(token, caller_of(request))
        if found is None or found.role != "host":
            raise NotAllowed("only the host may do that", "ask the host")
        if room.safe_mode is None:
            return error_of(
                NotThere("the table is not in safe mode", "there is nothing to leave: play on"), 409
            )
        room.leave_safe_mode()
        return JSONResponse({"ok": True})
