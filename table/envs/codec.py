"""Converts a game's notation to numbers: each legal move is one action, each view one row of integers."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules.core.game import Game

View = Mapping[str, Any]


class Codec(ABC):
    """Actions and observations of one game; the four games derive from it.

    `texts` are the moves in the order of their actions, with `{me}` in place of the seat's own colour. `width` is the
    length of an observation, `highest` the largest number in it (the smallest is -`highest`). `reported`: in physical
    play people report random events, for which there is no action.
    """

    texts: tuple[str, ...] = ()
    width: int = 0
    highest: int = 1000
    reported: bool = False

    def __init__(self, players: Sequence[str], options: Mapping[str, Any]) -> None:
        self.players = tuple(players)
        self.options = dict(options)

    def index(self, texts: Iterable[str]) -> None:
        """A game's own codec calls this once with all its actions."""
        self.texts = tuple(texts)
        self._action = {text: number for number, text in enumerate(self.texts)}

    def actions(self, game: Game[Any], state: Any, seat: str) -> list[int]:
        """The legal actions of the seat, ascending."""
        me = f" {seat}"
        return sorted(
            self._action[move if move in self._action else move.replace(me, " {me}", 1)]
            for move in game.moves(state, seat)
        )

    def move(self, game: Game[Any], state: Any, seat: str, action: int, rng: random.Random) -> str | None:
        """The move that an action stands for; None if it means to let others go first."""
        return self.texts[action].replace("{me}", seat)

    @abstractmethod
    def observe(self, view: View, seat: str) -> list[int]:
        """What the seat sees, as `width` integers; unknown things are -1."""


def code(value: Any, known: Sequence[Any]) -> int:
    """The index of a value among the known ones; -1 for an unknown value."""
    return known.index(value) if value in known else -1


def padded(values: Sequence[int], length: int, fill: int = 0) -> list[int]:
    """The values, truncated or padded to that length."""
    return [*values[:length], *[fill] * (length - len(values))]
