"""The four games by name. A game's module is imported when it is first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any, cast

from .core.game import Game

_MODULES = {
    "igloo-pop": "rules.igloo_pop.game",
    "ice-cult": "rules.ice_cult.game",
    "igloo-igloo": "rules.igloo_igloo.game",
    "igloo": "rules.looney.game",
}
NAMES = tuple(_MODULES)


def game(name: str) -> Game[Any]:
    """The referee of that name. Raises KeyError if there is none."""
    return cast("Game[Any]", import_module(_MODULES[name]).GAME)
