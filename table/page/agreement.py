"""Proposals that need everybody's consent, on one browser's page; also handing on and freeing a seat."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape

from table.desk.accord import Wish
from table.desk.ending import abandon
from table.page.buttons import QUIET, STRONG, Buttons, Offer
from table.page.chairs import Chairs
from table.page.dialog import dialog_called
from table.page.fold import fold
from table.page.gone_on import gone_on
from table.page.invite import qr
from table.page.picture import Picture
from table.page.positions import Positions
from table.page.room import Room
from table.page.texts import Texts


class Agreement:
    """The open proposal, if any, and a fold with what can be proposed (`build_wishes`)."""

    def __init__(self, room: Room, game: str, texts: Texts, chairs: Chairs, positions: Positions) -> None:
        self._room, self._game, self._texts, self._chairs = room, game, texts, chairs
        self._positions = positions
        self._shown: object = None
        self._question, self._answers = Picture(classes="w-full"), Buttons()
        self._question.element.props("role=status")
        self._answers.element.props("data-part=accord")

    def build_wishes(self) -> None:
        """Build the fold at NiceGUI's current position."""
        self._fold = fold(self._texts["accord.title"], "together")
        with self._fold:
            self._wishes = Buttons()

    def refresh(self, seat_name: Callable[[str], str]) -> None:
        """Redraw what has changed."""
        accord, voter = self._room.accord(self._game), self._voter()
        desk = self._room.desks[self._game]
        asked = None if accord is None else accord.proposal
        now = (id(desk), desk.version, voter, asked)
        if now == self._shown:
            return
        self._shown = now
        self._fold.set_visibility(voter is not None and accord is not None)
        for element in (self._question.element, self._answers.element):
            element.set_visibility(asked is not None)
        if accord is None:
            return
        texts, answers = self._texts, list[Offer]()
        if asked is None:
            self._question.show("")
        else:
            who = texts["accord.host"] if asked.by == "host" else seat_name(asked.by)
            words = texts(f"accord.asks_{asked.what}", who=who)
            missing = [
                texts["accord.host"] if v == "host" else seat_name(v) for v in sorted(accord.waiting())
            ]
            more = texts("accord.waiting", who=", ".join(missing))
            self._question.show(f'<p class="accord">{escape(words)} <span>{escape(more)}</span></p>')
            if self._voices() & accord.waiting():
                answers.append(
                    Offer(f"yes {asked.key}", texts["accord.yes"], partial(self._agree, asked.key), STRONG)
                )
            if voter is not None:
                key = "accord.withdraw" if voter == asked.by else "accord.no"
                answers.append(
                    Offer(f"no {asked.key}", texts[key], partial(accord.decline, asked.key, voter))
                )
        self._answers.show(answers)
        self._wishes.show([] if voter is None else self._offers(voter, seat_name))

    def _offers(self, voter: str, seat_name: Callable[[str], str]) -> list[Offer]:
        accord, texts = self._room.accord(self._game), self._texts
        assert accord is not None
        offers = []
        if accord.proposal is None:
            offers = [
                Offer(what, texts[f"accord.{what}"], partial(self._propose, what, voter), QUIET, bound=True)
                for what in accord.possible()
            ]
        if self._is_host():
            if "abandon" in accord.possible():
                offers.append(Offer("end", texts["accord.end"], self._end, QUIET))
            offers += [
                Offer(
                    f"free {seat}",
                    texts("accord.free", colour=seat_name(seat)),
                    partial(self._chairs.free_seat, self._game, seat),
                    QUIET,
                )
                for seat in self._chairs.occupied(self._game)
            ]
        elif self._chairs.seat(self._game) is not None:
            offers.append(Offer("hand", texts["accord.hand_on"], self._hand_on, QUIET))
        return offers

    def _propose(self, what: Wish, voter: str, at: int) -> None:
        if not self._positions.only_mine(at, self._room.desks[self._game].sitting):
            gone_on(self._texts)
            return
        accord = self._room.accord(self._game)
        if accord is not None and accord.propose(what, voter):
            asked = accord.proposal
            if asked is not None:  # a host who plays also speaks for people without a phone
                self._agree(asked.key)

    def _agree(self, key: str) -> None:
        """Agree to the proposal of that key; another one may be open by now."""
        accord = self._room.accord(self._game)
        if accord is not None:
            for voice in self._voices() & accord.waiting():
                accord.agree(key, voice)

    def _voices(self) -> set[str]:
        """The voters for whom this browser speaks."""
        seat = self._chairs.seat(self._game)
        return ({seat} if seat is not None else set()) | ({"host"} if self._is_host() else set())

    def _voter(self) -> str | None:
        seat = self._chairs.seat(self._game)
        return seat if seat is not None else "host" if self._is_host() else None

    def _is_host(self) -> bool:
        who = self._chairs.who()
        return who is not None and who.role == "host"

    def _end(self) -> None:
        """The host ends the game on his own: confirm it once more, for the game that is on the table now."""
        from nicegui import ui

        desk = self._room.desks[self._game]

        def end() -> None:
            dialog.close()
            if self._room.desks.get(self._game) is desk:
                abandon(desk, "host")
            else:
                gone_on(self._texts)

        with self._answers.element, dialog_called(self._texts["accord.end"]) as dialog, ui.card():
            ui.label(self._texts["accord.sure"])
            with ui.element("div").classes("hands"):
                ui.button(self._texts["accord.end"], on_click=end).props("no-caps unelevated")
                ui.button(self._texts["accord.go_on"], on_click=dialog.close).props("no-caps flat")
        dialog.open()

    def _hand_on(self) -> None:
        """Show a code for the other phone, also as a QR code."""
        from nicegui import ui

        code = self._chairs.hand_on(self._game)
        if code is None:
            return
        words = self._texts("accord.hand_code", code=code)
        with self._answers.element, dialog_called(words) as dialog, ui.card().classes("invite"):
            invitation = self._room.invitation()
            if invitation is not None:
                ui.html(qr(f"{invitation.partition('#')[0]}#{code}", words), sanitize=False).classes("w-full")
            ui.label(words)
            ui.button(self._texts["door.done"], on_click=dialog.close).props("no-caps unelevated")
        dialog.open()
