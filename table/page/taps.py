"""What one browser may do, and what becomes of a tap: it is made only while its position still stands."""

from __future__ import annotations

import asyncio
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from table.desk.desk import Desk
from table.desk.hiding import hides_nothing
from table.page.chairs import Chairs
from table.page.dialog import dialog_called
from table.page.gone_on import gone_on
from table.page.positions import Positions
from table.page.room import Room
from table.page.texts import Texts

if TYPE_CHECKING:
    from nicegui import ui

# legal moves that a page considers: a tile melted on a real table may be any of ten kinds, on 56 squares
_MOST = 4000


class Taps:
    """One browser's input in one game: its seat, its moves, its taps. A `Panel` draws the game around it."""

    hands: ui.element  # the place of its buttons

    def __init__(self, room: Room, game: str, texts: Texts, chairs: Chairs) -> None:
        self.room, self.game, self.texts, self.chairs = room, game, texts, chairs
        who = chairs.who()
        self.role = "spectator" if who is None else who.role
        self.host = self.role == "host"
        self._positions = Positions()
        self._background: set[asyncio.Task[None]] = set()

    @property
    def desk(self) -> Desk:
        return self.room.desks[self.game]

    @property
    def seat(self) -> str | None:
        """The seat that this browser plays, if any."""
        return self.chairs.seat(self.game)

    def view(self) -> dict[str, Any]:
        return self.desk.view(self.seat)

    def legal(self) -> list[str]:
        """What this browser may do now: for its seat; a host at a real table for everybody."""
        seat, sitting = self.seat, self.desk.sitting
        if seat is None and self.keeps():
            return list(islice(sitting.game.moves(sitting.state), _MOST))
        if seat is None or seat not in sitting.game.to_act(sitting.state):
            return []
        return list(islice(sitting.game.moves(sitting.state, seat), _MOST))

    def keeps(self) -> bool:
        """Whether this browser may move for everybody: the host's, at a real table, while no move is secret."""
        return self.host and not self.room.simulated and hides_nothing(self.game, self.view())

    def act(self, move: str, at: int | None = None) -> None:
        """Make a move from the page; the referee announces the result.

        `at`: the number of the position in which it was tapped; None: the present one. The role is checked again: the
        seat may be given away at the moment of the tap.
        """
        who, seat = self.chairs.who(), self.seat
        if seat is None and (who is None or who.role != "host"):
            return
        at = self._positions.number(self.desk.sitting) if at is None else at
        task = asyncio.create_task(self._make(move, seat, at))
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def _make(self, move: str, seat: str | None, at: int) -> None:
        """Atomic: nothing runs between this check and the move, so simultaneous taps are handled one after the
        other."""
        sitting = self.desk.sitting
        fate = self._positions.fate(at, move, sitting)
        if fate == "gone":
            self.tell_gone_on()
        if fate != "stands":
            return
        begun = self._positions.begin(move, sitting)
        try:
            await self.room.act(self.game, seat, move)
        finally:
            self._positions.end(begun, self.desk.sitting)

    def tapped(self, moves: list[str], at: int) -> None:
        """A place on the board was tapped: make its one move, or ask which of several.

        If several were shown and other people's moves have left only one, the person has not chosen that one.
        """
        legal, shown = [m for m in moves if m in self.legal()], self._positions.shows(at, self.desk.sitting)
        if len(legal) == 1 and (shown or len(moves) == 1):
            self.act(legal[0], at)
        elif legal:
            self._which(legal, at)
        elif not shown:
            self.tell_gone_on()

    def tell_gone_on(self) -> None:
        """Tell the person that the tapped position is gone."""
        if not self.hands.is_deleted:
            with self.hands:
                gone_on(self.texts)

    def _which(self, moves: list[str], at: int) -> None:
        from nicegui import ui

        with self.hands, dialog_called(self.texts["hand.which"]) as dialog, ui.card():
            ui.label(self.texts["hand.which"])
            for move in moves:
                ui.button(self.words_there(move), on_click=partial(self._chosen, dialog, move, at)).props(
                    f'no-caps unelevated data-moves="{move}"'
                )
        dialog.open()

    def _chosen(self, dialog: ui.dialog, move: str, at: int) -> None:
        dialog.close()
        self.act(move, at)

    def words(self, move: str) -> str:
        """A move in words, for its button, for lists of moves and for refusals: unique among the legal moves."""
        return move

    def words_there(self, move: str) -> str:
        """The same after a tap on the board, where the place need not be named again."""
        return self.words(move)
