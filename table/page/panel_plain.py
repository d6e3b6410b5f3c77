"""The page's panel for the two games without sensors: a board to tap, and a line for typing any move."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from html import escape

from table.page import igloo_igloo_board, sea_words, tokens_asked
from table.page.buttons import STRONG, Offer
from table.page.colours import PAINTS, chip
from table.page.panel import Panel
from table.page.picture import Picture

_BUTTONS = 40


class PlainPanel(Panel):
    """A picture, its description in words, buttons for what is not on the board, and a line to type in."""

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
        """The moves that are made by tapping the picture."""


class IglooIglooPanel(PlainPanel):
    def body(self) -> None:
        self._told: tokens_asked.Values = ()
        self._turn = Picture(classes="owed turn")
        super().body()

    def name(self) -> str:
        return "Igloo Igloo"

    def draw(self) -> None:
        view, sitting = self.view(), self.desk.sitting
        begun = view["phase"] not in ("place", "over")  # after the end the result shows the points
        scores = sitting.game.score(sitting.state, self.seat)[0] if begun else None
        self._turn.show(igloo_igloo_board.turn(view, self.texts))
        legal = self.legal()
        self._board.show(igloo_igloo_board.board(view, self.texts, legal, self._asked(legal)))
        self._beside.show(igloo_igloo_board.players(view, self.seat, self.texts, scores))

    def words(self, move: str) -> str:
        return sea_words.words(move, self.texts)

    def on_board(self, legal: list[str]) -> set[str]:
        return {move for moves in igloo_igloo_board.taps(legal).values() for move in moves}

    def offers(self, legal: list[str]) -> list[Offer]:
        return self._draws(legal) if self._asked(legal) else super().offers(legal)

    def _asked(self, legal: list[str]) -> str:
        """The square of the token that this browser is asked for now; empty if none is asked for."""
        squares = tokens_asked.squares(self.view()) if legal else ()
        if len(self._told) >= len(squares) or not tokens_asked.next_values(legal, self._told):
            self._told = ()
        return squares[len(self._told)] if squares else ""

    def _draws(self, legal: list[str]) -> list[Offer]:
        """Buttons for the values of tokens drawn at a real table, each with the square on which the token lies."""
        squares, told = tokens_asked.squares(self.view()), self._told
        out = [Offer(f"draws {len(told)} hint", self._which_token(squares, told))]
        for value in tokens_asked.next_values(legal, told):
            now = (*told, value)
            move, key = tokens_asked.whole(legal, now), " ".join(("draws", *now))
            if move is None:
                out.append(Offer(key, value, partial(self._know, now), STRONG, kind=key))
            else:
                out.append(Offer(key, value, partial(self.act, move), STRONG, move, bound=True))
        if told:
            again = partial(self._know, ())
            out.append(Offer(f"draws {len(told)} again", self.texts["sea.tokens_again"], again))
        return out

    def _which_token(self, squares: Sequence[str], told: tokens_asked.Values) -> str:
        square = squares[len(told)]
        animal = "fish" if igloo_igloo_board.ground(square, self.view()) == "sea" else "fox"
        text = self.texts(
            "sea.which_token",
            animal=self.texts[f"island.{animal}"],
            square=square,
            number=len(told) + 1,
            count=len(squares),
            values=", ".join(told) or "–",
        )
        return text[:1].upper() + text[1:]

    def _know(self, told: tokens_asked.Values) -> None:
        self._told = told
        self.draw_again()
