"""The moves made so far, for the host: undo, redo, and correct a misread move with one tap."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Literal

from table.desk.choices import choices_at
from table.desk.desk import Desk
from table.desk.hiding import OPEN_GAMES, hides_nothing
from table.journal.fold import Sitting
from table.page.dialog import dialog_called
from table.page.fold import fold
from table.page.gone_on import gone_on
from table.page.texts import Texts

if TYPE_CHECKING:
    from nicegui import ui

_ROWS = 10  # the latest moves; older ones are in the journal
_OFFERED = 16  # alternatives to a misread move


def stands(desk: Desk, at: int, move: str) -> bool:
    """Whether `move` is still step `at`: others play on, and undo, while somebody looks at a list."""
    steps = desk.sitting.steps
    return at < len(steps) and steps[at].move == move


def may_be_listed(desk: Desk, at: int) -> bool:
    """Whether neither step `at` nor its alternatives reveal what only its seat may know."""
    sitting = desk.sitting
    if sitting.game.name in OPEN_GAMES:
        return True
    before = sitting.steps[at - 1].state if at else sitting.start
    return hides_nothing(sitting.game.name, sitting.game.view(before, None))


def ways_back(desk: Desk) -> list[Literal["undo", "redo"]]:
    """The directions in which the host may step now.

    The end of a game is undone like a move, even before its first move; until then no move can be redone.
    """
    sitting = desk.sitting
    if sitting.closed is not None:
        return ["undo"]
    back: list[Literal["undo", "redo"]] = ["undo"] if sitting.steps else []
    return [*back, "redo"] if sitting.undone else back


class History:
    """A list that opens. While it is open, rows of moves that stay are left alone.

    A move made in the meantime must not swallow a tap on a row, or close the question that the row opened.
    """

    def __init__(self, desk: Callable[[], Desk], texts: Texts, words: Callable[[str], str]) -> None:
        from nicegui import ui

        self._desk, self._texts, self._words = desk, texts, words
        self._shown: object = None
        self._expansion = fold(texts["history.title"], "history")
        with self._expansion:
            self._top = ui.element("div").classes("hands")
            self._list = ui.element("div").classes("history")
            self._asked = ui.element("div")
        self._rows: dict[tuple[str, int, str], ui.element] = {}

    def refresh(self) -> None:
        desk = self._desk()
        now = (desk.name, desk.version, self._expansion.value)
        if now == self._shown:
            return
        self._shown = now
        if self._expansion.value:
            self._build(desk)

    def _build(self, desk: Desk) -> None:
        from nicegui import ui

        texts, steps = self._texts, desk.sitting.steps
        self._top.clear()
        with self._top:
            for way in ways_back(desk):
                step = partial(self._step, desk, desk.sitting, way)
                ui.button(texts[f"history.{way}"], on_click=step).props("no-caps outline")
            if not steps:
                ui.label(texts["history.none"])
        latest = range(len(steps) - 1, max(-1, len(steps) - 1 - _ROWS), -1)
        shown = [at for at in latest if may_be_listed(desk, at)]
        if steps and not shown:
            with self._top:
                ui.label(texts["history.secret"])
        wanted = [(desk.name, at, steps[at].move) for at in shown]
        for key in self._rows.keys() - set(wanted):
            self._rows.pop(key).delete()
        for place, key in enumerate(wanted):
            if key not in self._rows:
                self._rows[key] = self._row(desk, *key[1:])
                self._rows[key].move(target_index=place)

    def _step(self, desk: Desk, shown: Sitting, way: Literal["undo", "redo"]) -> None:
        """Undo or redo once: if two hosts undo at the same moment, the second must not undo the move before."""
        if desk.sitting is not shown:
            gone_on(self._texts)
        elif way == "undo":
            desk.undo("host")
        else:
            desk.redo("host")

    def _row(self, desk: Desk, at: int, move: str) -> ui.element:
        from nicegui import ui

        words, correct = self._words(move), self._texts["history.correct"]
        with self._list, ui.element("div").classes("step") as row:
            ui.label(f"{at + 1}. {words}")
            wrong = partial(self._instead, desk, at, move)
            label = f'aria-label="{correct}: {words}"'
            ui.button(correct, on_click=wrong).props(f"no-caps flat dense {label}")
        return row

    def _instead(self, desk: Desk, at: int, move: str) -> None:
        """Offer the alternatives, the likeliest first: one tap corrects the move."""
        from nicegui import ui

        if not self._stands(desk, at, move):
            return
        self._asked.clear()
        instead = self._texts("history.instead", move=self._words(move))
        with self._asked, dialog_called(instead) as dialog, ui.card():
            ui.label(instead)
            with ui.element("div").classes("hands"):
                for choice in choices_at(desk.sitting, at)[:_OFFERED]:
                    odds = "" if choice.odds is None else f" ({self._texts.share(choice.odds)})"
                    put_right = partial(self._put_right, dialog, desk, at, move, choice.moves[0])
                    ui.button(self._words(choice.moves[0]) + odds, on_click=put_right).props(
                        "no-caps unelevated"
                    )
            line = ui.input(self._texts["hand.typed"]).props("outlined dense").classes("w-full")
            line.on("keydown.enter", partial(self._typed, line, dialog, desk, at, move))
        dialog.open()

    def _typed(self, line: ui.input, dialog: ui.dialog, desk: Desk, at: int, was: str) -> None:
        """Correct to a typed move that was not offered: some moves have thousands of alternatives."""
        move = str(line.value or "").strip()
        if move:
            self._put_right(dialog, desk, at, was, move)

    def _put_right(self, dialog: ui.dialog, desk: Desk, at: int, was: str, move: str) -> None:
        dialog.close()
        if self._stands(desk, at, was):
            desk.correct(at, move)

    def _stands(self, desk: Desk, at: int, move: str) -> bool:
        """As `stands`; if it does not stand any more, tells whoever tapped."""
        from nicegui import ui

        if self._desk() is not desk:  # another game was begun
            gone_on(self._texts)
            return False
        if stands(desk, at, move):
            return True
        ui.notify(self._texts("history.gone", move=self._words(move)))
        return False
