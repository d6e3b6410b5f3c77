"""Lets the host seat ice giants, and send them away."""

from __future__ import annotations

from functools import partial

from table.giant.giant import SKILLS
from table.page.buttons import QUIET, Buttons, Offer
from table.page.chairs import Chairs
from table.page.dialog import dialog_called
from table.page.room import Room
from table.page.texts import Texts

_GAME = "igloo-pop"


class GiantSeats:
    """A button that asks for seat and skill, and one for each giant who is seated."""

    def __init__(self, texts: Texts, room: Room, chairs: Chairs) -> None:
        from nicegui import ui

        self._texts, self._room, self._chairs = texts, room, chairs
        self._buttons = Buttons()
        self._buttons.element.props("data-part=giants")
        with dialog_called(texts["giant.which"]) as self._dialog, ui.card():
            ui.label(texts["giant.which"])
            self._seat = ui.select([], label=texts["giant.seat"]).classes("w-full")
            skills = {key: texts[f"giant.{key}"] for key in SKILLS}
            self._skill = ui.select(skills, value="awake", label=texts["giant.skill"]).classes("w-full")
            with ui.element("div").classes("hands"):
                ui.button(texts["giant.sits"], on_click=self._sit).props("no-caps unelevated")
                ui.button(texts["giant.stay"], on_click=self._dialog.close).props("no-caps flat")

    def show(self) -> None:
        """Show the buttons for the seats as they are taken now."""
        texts, giants = self._texts, self._room.giants(_GAME)
        offers = [Offer("seat", texts["giant.seat_one"], self._ask, QUIET)] if self._free() else []
        offers += [
            Offer(
                f"away {seat}",
                texts("giant.away", colour=texts[f"colour.{seat}"]),
                partial(self._room.seat_giant, seat, None),
                QUIET,
            )
            for seat in giants
        ]
        self._buttons.show(offers)

    def _free(self) -> list[str]:
        return self._chairs.free(_GAME)

    def _ask(self) -> None:
        free = {seat: self._texts[f"colour.{seat}"] for seat in self._free()}
        self._seat.set_options(free, value=next(iter(free), None))
        self._dialog.open()

    def _sit(self) -> None:
        self._dialog.close()
        if self._seat.value in self._free():
            self._room.seat_giant(str(self._seat.value), str(self._skill.value))
