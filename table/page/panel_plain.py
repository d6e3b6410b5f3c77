"""A game without a picture of its own yet: what the referee says, whose turn it is, and moves typed or tapped."""

from __future__ import annotations

from functools import partial
from html import escape

from table.page.colours import PAINTS, chip
from table.page.panel import Panel

_BUTTONS = 30


class PlainPanel(Panel):
    """Shows the public facts of any game as words, and offers its legal moves as buttons and a line to type in."""

    def body(self) -> None:
        from nicegui import ui

        self.build_hands()
        if self.host or self.seat is not None:
            self._line = ui.input(self.texts["hand.typed"]).props("outlined dense").classes("w-full")
            self._line.on("keydown.enter", self._typed)

    def _typed(self) -> None:
        move = str(self._line.value or "").strip()
        if move:
            self._line.set_value("")
            self.act(move)

    def draw(self) -> None:
        """Everything that this panel shows is redrawn by `Panel.refresh`."""

    def name(self) -> str:
        return {"igloo-igloo": "Igloo Igloo", "igloo": "IGLOO"}.get(self.game, self.game)

    def whose(self) -> str:
        acting = [seat for seat in self.view()["to_act"] if isinstance(seat, str)]
        named = [self.texts[f"colour.{s}"] if s in PAINTS else s for s in acting]
        pictures = " ".join(chip(s, 24) for s in acting if s in PAINTS)
        return f"{pictures} {escape(self.texts('cult.turn', colour=', '.join(named)))}" if acting else ""

    def offer(self, legal: list[str]) -> None:
        from nicegui import ui

        for move in legal[:_BUTTONS]:
            ui.button(move, on_click=partial(self.act, move)).props("no-caps outline")
