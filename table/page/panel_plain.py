"""The two games without sensors, kept on the page: a board to tap, and a line in which any move can be typed."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial
from html import escape

from table.page import igloo_igloo_board, sea_words
from table.page.buttons import STRONG, Offer
from table.page.colours import PAINTS, chip
from table.page.panel import Panel
from table.page.picture import Picture

_BUTTONS = 40


class PlainPanel(Panel):
    """A picture, what belongs to it in words, buttons for what is no tap on the board, and a line to type in."""

    def body(self) -> None:
        from nicegui import ui

        self._board = Picture(self.tapped, "w-full plainboard")
        self._beside = Picture(classes="w-full")
        self.build_hands()
        if self.role != "spectator":
            self._line = ui.input(self.texts["hand.typed"]).props("outlined dense").classes("w-full")
            self._line.on("keydown.enter", self._typed)

    def _typed(self) -> None:
        move = str(self._line.value or "").strip()
        if move:
            self._line.set_value("")
            self.act(move)

    def whose(self) -> str:
        acting = [seat for seat in self.view()["to_act"] if isinstance(seat, str)]
        pictures = " ".join(chip(s, 24) for s in acting if s in PAINTS)
        names = ", ".join(self._seat_name(s) for s in acting)
        key = "cult.turn" if len(acting) == 1 else "cult.turn_several"
        return f"{pictures} {escape(self.texts(key, colour=names))}" if acting else ""

    def offers(self, legal: list[str]) -> list[Offer]:
        on_board = self.on_board(legal)
        return [self.button(move) for move in legal if move not in on_board][:_BUTTONS]

    @abstractmethod
    def on_board(self, legal: list[str]) -> set[str]:
        """The moves that are made by a tap on the picture."""


class IglooIglooPanel(PlainPanel):
    def body(self) -> None:
        self._drawn_so_far = "draws"
        self._turn = Picture(classes="owed turn")
        super().body()

    def name(self) -> str:
        return "Igloo Igloo"

    def draw(self) -> None:
        view, sitting = self.view(), self.desk.sitting
        begun = view["phase"] not in ("place", "over")  # after the end the result tells the points
        scores = sitting.game.score(sitting.state, self.seat)[0] if begun else None
        self._turn.show(igloo_igloo_board.turn(view, self.texts))
        self._board.show(igloo_igloo_board.board(view, self.texts, self.legal()))
        self._beside.show(igloo_igloo_board.players(view, self.seat, self.texts, scores))

    def words(self, move: str) -> str:
        return sea_words.words(move, self.texts)

    def on_board(self, legal: list[str]) -> set[str]:
        return {move for moves in igloo_igloo_board.taps(legal).values() for move in moves}

    def offers(self, legal: list[str]) -> list[Offer]:
        if not any(move.startswith("draws") for move in legal):
            self._drawn_so_far = "draws"
            return super().offers(legal)
        return self._draws(legal)

    def _draws(self, legal: list[str]) -> list[Offer]:
        """The values of tokens that were drawn at a real table, asked one by one: four of them have 81 orders."""
        so_far = self._drawn_so_far
        fitting = [move for move in legal if f"{move} ".startswith(f"{so_far} ")]
        if not fitting or so_far in legal:
            so_far, fitting = "draws", legal
        known = len(so_far.split())
        out = [Offer(f"{so_far} hint", self.texts("sea.which_token", number=known, values=so_far[6:] or "–"))]
        for value in sorted({move.split()[known] for move in fitting}):
            said = f"{so_far} {value}"
            if said in legal:
                out.append(Offer(said, value, partial(self.act, said), STRONG, said))
            else:
                out.append(Offer(said, value, partial(self._know, said), STRONG, kind=said))
        if known > 1:
            out.append(Offer(f"{so_far} again", self.texts["sea.tokens_again"], partial(self._know, "draws")))
        return out

    def _know(self, so_far: str) -> None:
        self._drawn_so_far = so_far
        self.draw_again()
