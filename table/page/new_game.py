"""Another game: which, for how many, with whose pieces, by which house rules. Only for the host, at a real table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from table.games import has_own_pieces
from table.page.dialog import dialog_called
from table.page.house_rules import HouseRules
from table.page.texts import Texts

Begin = Callable[[str, Sequence[str], Mapping[str, Any]], None]

# game → its name on the page, and for each number of players the seats in the order in which they are filled
GAMES: dict[str, tuple[str, tuple[tuple[str, ...], ...]]] = {
    "ice-cult": (
        "Ice Cult",
        (("yellow", "red"), ("yellow", "red", "green"), ("yellow", "red", "green", "blue")),
    ),
    "igloo-pop": (
        "Igloo Pop",
        tuple(("red", "yellow", "green", "blue", "white", "black")[:n] for n in range(2, 7)),
    ),
    "igloo-igloo": (
        "Igloo Igloo",
        (("red", "blue"), ("red", "blue", "yellow"), ("red", "blue", "yellow", "green")),
    ),
    "igloo": ("IGLOO", (("A", "B"), ("red", "blue", "yellow", "green"))),
}


ALIKE = ("igloo",)  # games in which it does not matter whose pieces they are
OWN = ("igloo-pop",)  # games in which nothing can be heard without real pieces


class NewGame:
    """The dialog. `begin` is called with the game, its players and its options.

    When it opens, `last` gives the game on the table and its number of players, and `physical` whether it is played
    with people's own pieces: most people keep both. `before` gives the options of a game when it was last played here.
    """

    def __init__(
        self,
        texts: Texts,
        begin: Begin,
        last: Callable[[], tuple[str, int]],
        physical: Callable[[], bool],
        before: Callable[[str], Mapping[str, Any]],
    ) -> None:
        from nicegui import ui

        self._begin, self._last, self._physical, self._before = begin, last, physical, before
        self._modes = {mode: texts[f"new.{mode}"] for mode in ("physical", "digital")}
        self._wish = "physical"  # the wished one, as far as the selected game allows it
        with dialog_called(texts["new.another"]) as self._dialog, ui.card():
            ui.label(texts["new.which"])
            self._game = ui.select(
                {key: name for key, (name, _) in GAMES.items()}, value="ice-cult", label=texts["new.game"]
            ).classes("w-full")
            self._players = ui.select([], label=texts["new.players"]).classes("w-full")
            self._mode = ui.select(self._modes, value=self._wish, label=texts["new.pieces"]).classes("w-full")
            self._house = HouseRules(texts)
            self._game.on_value_change(self._offer)
            self._mode.on_value_change(self._wished)
            with ui.element("div").classes("hands"):
                ui.button(texts["new.begin"], on_click=self._chosen).props("no-caps unelevated")
                ui.button(texts["new.stay"], on_click=self._dialog.close).props("no-caps flat")
        self._offer()

    def open(self) -> None:
        self._wish = "physical" if self._physical() else "digital"
        game, number = self._last()
        if game in GAMES:
            self._game.set_value(game)
        self._offer()
        if number in self._players.options:
            self._players.set_value(number)
        self._dialog.open()

    def _offer(self) -> None:
        sizes = [len(players) for players in GAMES[str(self._game.value)][1]]
        self._players.set_options(sizes, value=sizes[0])
        self._offer_pieces()
        self._offer_rules()

    def _offer_pieces(self) -> None:
        if self._game.value in OWN:
            self._mode.set_options({"physical": self._modes["physical"]}, value="physical")
        else:
            self._mode.set_options(self._modes, value=self._wish)
        game = str(self._game.value)
        self._mode.set_visibility(game not in ALIKE and has_own_pieces(game))

    def _offer_rules(self) -> None:
        game = str(self._game.value)
        self._house.offer(game, self._before(game))

    def _wished(self) -> None:
        if self._game.value not in OWN:
            self._wish = str(self._mode.value)

    def _chosen(self) -> None:
        self._dialog.close()
        game = str(self._game.value)
        players = next(p for p in GAMES[game][1] if len(p) == self._players.value)
        self._begin(game, players, self._house.options(players) | whose_pieces(game, self._wish))


def whose_pieces(game: str, wish: str) -> dict[str, str]:
    """The option that begins the game with those pieces, as far as possible; empty if the game has no such option."""
    return {"mode": "physical" if game in OWN else wish} if has_own_pieces(game) else {}
