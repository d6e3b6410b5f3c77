"""What the panels of all games share: the referee's sentence, seats played by hand, questions, the history."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import partial
from html import escape
from typing import Any

from table.desk.hiding import hides_nothing
from table.desk.said import Said
from table.page.agreement import Agreement
from table.page.buttons import PLAIN, QUIET, STRONG, Buttons, Offer
from table.page.chairs import Chairs
from table.page.colours import PAINTS
from table.page.fold import fold
from table.page.history import History
from table.page.moves_told import in_words
from table.page.picture import Picture
from table.page.result import result
from table.page.room import Room
from table.page.says import foremost, said_list, sentence
from table.page.sentences import sentences
from table.page.taps import Taps
from table.page.texts import Texts

_SHOWN = 40  # sentences in the list


class Panel(Taps, ABC):
    """One game on one browser's page."""

    hidden = "hand.hidden"  # key of the reason why only a seat may move, if so
    narrow = False  # the browser's window is so narrow that the buttons are far below the question

    def __init__(self, room: Room, game: str, texts: Texts, chairs: Chairs) -> None:
        super().__init__(room, game, texts, chairs)
        self._sentences = sentences(texts.language)
        self._drawn: Any = None

    def say(self, text: str) -> str:
        """A sentence of the referee in the page's language, with its moves as on the buttons."""
        return self._sentences(in_words(text, self._named))

    def _named(self, move: str) -> str:
        return self.texts["accord.end"] if move == "abandon" else self.words(move)

    # building and refreshing

    def build(self) -> None:
        """Build the panel at NiceGUI's current position."""
        from nicegui import ui

        with (
            ui.element("section")
            .classes("tablecard")
            .props(f'aria-label="{self.name()}" data-game={self.game}') as self._card
        ):
            with ui.element("div").classes("headline"):
                ui.html(f"<h2>{escape(self.name())}</h2>", sanitize=False)
                self._whose = Picture(classes="whose")
            self._says = Picture()
            self._says.element.props("aria-live=polite role=status data-part=says").style("width:100%")
            self._answers = Buttons()
            self._answers.element.props("data-part=answers")
            self._result = Picture(classes="w-full")
            self._agree = Agreement(self.room, self.game, self.texts, self.chairs, self._positions)
            self.body()
            with fold(self.texts["page.said"], opened=True):
                self._list = Picture(classes="w-full")
            self._agree.build_wishes()
            self._history = History(lambda: self.desk, self.texts, self.words) if self.host else None

    @abstractmethod
    def name(self) -> str:
        """The game's name on the page."""

    def build_hands(self) -> None:
        """Build the place of the buttons: what can be done now, and which seats can be taken."""
        self._hands, self._seats = Buttons(), Buttons()
        self.hands = self._hands.element.props("data-part=hands")

    @abstractmethod
    def body(self) -> None:
        """The game's own part of the panel."""

    @abstractmethod
    def draw(self) -> None:
        """Redraw the game's own part after a change."""

    def refresh(self) -> None:
        """Redraw what has changed since the last call."""
        desk = self.desk
        self._agree.refresh(self._seat_name)
        if self._history is not None:
            self._history.refresh()
        now = (id(desk), desk.version, self.seat, self.room.paused, self.narrow)
        if now == self._drawn:
            return
        self._drawn = now
        self._card.props(f"data-at={self._positions.number(desk.sitting)}")
        seat = self.seat
        heard = [s for s in desk.said[-_SHOWN:] if s.for_seat(seat)]  # nothing that is said only to others
        large, language = foremost(heard, desk.question, seat), self.texts.language
        parts = [
            sentence(said, self.say, self._instead(said), "" if at == 0 else " below", language)
            for at, said in enumerate(large)
        ]
        self._says.show("".join(parts))
        self._list.show(said_list(reversed(heard), self.say, language))
        self._whose.show(self.whose())
        ended = result(desk.view(seat)["over"], self._seat_name, self.texts)
        self._result.show(ended)
        self._result.element.set_visibility(bool(ended))
        self.draw()
        self._offer()

    def _instead(self, said: Said) -> str:
        """After a refusal: what is possible instead, or which moves were meant perhaps."""
        moves = said.data.get("candidates") or said.data.get("nearest", ())
        offered = "; ".join([self.words(move) for move in moves[:3]])
        return self.texts("page.instead", moves=offered) if offered else ""

    def draw_again(self) -> None:
        """Redraw after a choice on this page that the table does not know of."""
        self._drawn = None
        self.refresh()

    def whose(self) -> str:
        """Who is to act; shown beside the title."""
        return ""

    def _offer(self) -> None:
        """The buttons: the open question, the legal moves of this browser's seat, and free seats."""
        answers = self._to_question()
        offered = self.offers(self.legal()) or self._secret() if answers is None else answers
        above = answers is not None and self.narrow
        for row, is_here in ((self._answers, above), (self._hands, not above)):
            row.show(offered if is_here else [])
            # an empty row would keep its last button's focus, and the next tab stop would be below the answers
            row.element.set_visibility(is_here)
        self._seats.show(self._seat_offers())

    def _to_question(self) -> list[Offer] | None:
        """The answers to the open question; None if this browser is asked nothing."""
        question = self.desk.question
        if question is None or not question.is_for(self.seat) or not self._may_act():
            return None
        offers = []
        for index, choice in enumerate(question.choices):
            odds = "" if choice.odds is None else f" ({self.texts.share(choice.odds)})"
            answer = partial(self.room.answer, self.game, question.key, index, self.seat)
            move = choice.moves[0] if len(choice.moves) == 1 else ""
            offers.append(
                Offer(f"{question.key} {index}", self.say(choice.text) + odds, answer, STRONG, move)
            )
        return offers

    def _secret(self) -> list[Offer]:
        """Why the host, who moves for everybody else, has no buttons: only a seat may make a secret move."""
        view = self.view()
        if self.seat is not None or not self.host or self.room.simulated or hides_nothing(self.game, view):
            return []
        free = set(self.chairs.free(self.game))
        return [Offer("secret", self.texts[self.hidden])] if free & set(view["to_act"]) else []

    def _may_act(self) -> bool:
        return self.seat is not None or (self.host and not self.room.simulated)

    @abstractmethod
    def offers(self, legal: list[str]) -> list[Offer]:
        """Buttons for what cannot be tapped on the board."""

    def button(self, move: str, look: str = PLAIN) -> Offer:
        """A button that makes a move for this browser's seat."""
        return Offer(f"{self.seat} {move}", self.words(move), partial(self.act, move), look, move, bound=True)

    def _seat_offers(self) -> list[Offer]:
        taken = self.seat
        if taken is not None:
            key = "hand.leave" if self.room.simulated else "hand.stand_up"
            words = self.texts(key, colour=self._seat_name(taken))
            return [Offer(f"leave {taken}", words, partial(self.chairs.stand_up, self.game, taken), QUIET)]
        return [
            Offer(
                f"take {seat}",
                self.texts("hand.take", colour=self._seat_name(seat)),
                partial(self.chairs.sit, self.game, seat),
            )
            for seat in self.chairs.free(self.game)
        ]

    def _seat_name(self, seat: str) -> str:
        return self.texts[f"colour.{seat}"] if seat in PAINTS else seat
