"""House rules of the next game: those options of the rules that have a few choices.

The pieces that people own (a deck, a mix of tiles, the faces of cubes) cannot be chosen here, and stay as they were.
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

APART = ("mode",)  # asked for separately
OF_PIECES = ("deck", "cubes", "tiles", "widths", "table")  # options that describe people's own pieces
BOTH = {"hardcore": ("hardcore_entry", "hardcore_scores")}  # an option that sets others as well (II-23)


class HouseRules:
    """A fold at NiceGUI's current position."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._chosen: dict[str, ValueElement[Any]] = {}
        self._game = ""
        self._kept: dict[str, Any] = {}
        # side → its colours, in a game played by sides
        self._sides: Mapping[str, Any] | None = None
        self._fold = fold(texts["house.rules"], "house")

    def offer(self, game: str, before: Mapping[str, Any]) -> None:
        """Offer the rules of `game`, with the values of `before`."""
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
        # open if something differs from the printed rules
        self._fold.set_value(self.options(()) != self._kept)

    def options(self, players: Sequence[str]) -> dict[str, Any]:
        """What differs from the printed rules, for these players."""
        own = {option.name: self._chosen[option.name].value for option in offered(self._game)}
        printed = {option.name: option.default for option in offered(self._game)}
        for name, others in BOTH.items():
            if own.get(name):
                own |= {other: printed[other] for other in others}  # set by the other option
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
