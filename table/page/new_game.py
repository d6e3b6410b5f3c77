"""Another game: which one, and for how many. Only the host, only at a real table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from table.page.texts import Texts

# game → its name on the page, and the seats in the order in which they are filled, for each number of players
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


class NewGame:
    """The dialog. `begin` is called with the game and its players."""

    def __init__(self, texts: Texts, begin: Callable[[str, Sequence[str]], None]) -> None:
        from nicegui import ui

        self._begin = begin
        with ui.dialog() as self._dialog, ui.card():
            ui.label(texts["new.which"])
            self._game = ui.select(
                {key: name for key, (name, _) in GAMES.items()}, value="ice-cult", label=texts["new.game"]
            ).classes("w-full")
            self._players = ui.select([], label=texts["new.players"]).classes("w-full")
            self._game.on_value_change(self._offer)
            with ui.element("div").classes("hands"):
                ui.button(texts["new.begin"], on_click=self._chosen).props("no-caps unelevated")
                ui.button(texts["new.stay"], on_click=self._dialog.close).props("no-caps flat")
        self._offer()

    def open(self) -> None:
        self._dialog.open()

    def _offer(self) -> None:
        sizes = [len(players) for players in GAMES[str(self._game.value)][1]]
        self._players.set_options(sizes, value=sizes[0])

    def _chosen(self) -> None:
        self._dialog.close()
        game = str(self._game.value)
        players = next(p for p in GAMES[game][1] if len(p) == self._players.value)
        self._begin(game, players)
