"""House rules of a game that is about to begin: those options of the rules that can be chosen from a few.

What pieces somebody has (a deck, a mix of tiles, the faces of cubes) is no matter of choice, and stays as it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rules.core.game import Option
from table.games import GAMES
from table.page.fold import fold
from table.page.texts import Texts

if TYPE_CHECKING:
    from nicegui.elements.mixins.value_element import ValueElement

APART = ("mode",)  # asked for by itself
OF_PIECES = ("deck", "cubes", "tiles", "widths", "table")  # of what people own
BOTH = {"hardcore": ("hardcore_entry", "hardcore_scores")}  # one that sets others as well (II-23)


class HouseRules:
    """A fold, where NiceGUI stands now."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._chosen: dict[str, ValueElement[Any]] = {}
        self._game = ""
        self._kept: dict[str, Any] = {}
        # whose colours are whose, where sides play and not colours
        self._sides: Mapping[str, Any] | None = None
        self._fold = fold(texts["house.rules"], "house")

    def offer(self, game: str, before: Mapping[str, Any]) -> None:
        """The rules of `game`, as they were `before`."""
        self._game = game
        self._kept = {name: value for name, value in before.items() if name in OF_PIECES}
        self._sides = before.get("sides")
        self._chosen = {}
        set_by = {other for name, others in BOTH.items() if before.get(name) for other in others}
        before = {name: value for name, value in before.items() if name not in set_by}
        self._fold.clear()
        with self._fold:
            for option in offered(game):
                self._chosen[option.name] = self._field(option, before.get(option.name, option.default))
        for name, others in BOTH.items():
            if name in self._chosen:
                self._tie(name, others)
        self._fold.set_value(self.options(()) != self._kept)  # open where something is not as it is printed

    def options(self, players: Sequence[str]) -> dict[str, Any]:
        """What differs from the rules as they are printed, for these players."""
        own = {option.name: self._chosen[option.name].value for option in offered(self._game)}
        printed = {option.name: option.default for option in offered(self._game)}
        for name, others in BOTH.items():
            if own.get(name):
                own |= {other: printed[other] for other in others}  # set by that one
        changed = {name: value for name, value in own.items() if value != printed[name]}
        sides = self._sides if players and self._sides and set(players) == set(self._sides) else None
        return self._kept | ({"sides": sides} if sides else {}) | changed

    def _field(self, option: Option, value: Any) -> ValueElement[Any]:
        from nicegui import ui

        label = self._texts[f"rule.{option.name}"]
        if option.choices == (True, False):
            return ui.checkbox(label, value=bool(value))
        values = option.choices or range(option.least or 0, (option.most or 0) + 1)
        said = {one: self._said(one) for one in values}
        return ui.select(said, value=value if value in said else option.default, label=label).classes(
            "w-full"
        )

    def _said(self, value: Any) -> str:
        return str(value) if isinstance(value, int) else self._texts[f"option.{_key(value)}"]

    def _tie(self, name: str, others: tuple[str, ...]) -> None:
        for other in others:
            self._chosen[other].bind_visibility_from(self._chosen[name], "value", backward=lambda on: not on)


def offered(game: str) -> tuple[Option, ...]:
    """The options of a game that can be chosen from a few values."""
    return tuple(o for o in GAMES[game].options if o.name not in APART and (o.choices or o.most is not None))


def _key(value: str) -> str:
    return value.partition("[")[0]  # players[0]
