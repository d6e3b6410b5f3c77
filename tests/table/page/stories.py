"""Whole games of each of the four, as scripted players or chance play them."""

from __future__ import annotations

import random
import re
from typing import Any

from hw_mock.players import ice_cult
from table.games import GAMES

# game → seats with their names on the page, options, the seed of whoever plays
TABLES: dict[str, tuple[dict[str, str], dict[str, Any], int]] = {
    "ice-cult": ({"yellow": "Yellow", "red": "Red"}, {"length": 4}, 3),
    "igloo-pop": ({"red": "Red", "blue": "Blue"}, {}, 1),
    "igloo-igloo": ({"red": "Red", "blue": "Blue"}, {}, 3),
    "igloo": ({"A": "A", "B": "B"}, {}, 2),
}


class Story:
    """Whoever plays, for all seats: a scripted player or chance; the same for the same seed."""

    def __init__(self, game: str) -> None:
        seats, options, seed = TABLES[game]
        self.game, self.rules = game, GAMES[game]
        self.start, _ = self.rules.new(tuple(seats), 1, {"mode": "physical"} | options)
        self._chance, self._plan = random.Random(seed), list[str]()

    def next(self, state: Any) -> tuple[str, str]:
        """Seat and move."""
        acting = self.rules.to_act(state)
        if self.game == "ice-cult":
            self._plan = self._plan or ice_cult.rest_of_turn(self.rules, state, acting[0], self._chance)
            move = self._plan.pop(0)
        elif self.game == "igloo-pop":
            move = _pop(self.rules, state, self._chance)
        else:
            move = self.rules.random_move(state, self._chance.randrange) or ""
        return next((word for word in move.split() if word in acting), acting[0]), move

    def length(self) -> int:
        """How many moves the whole game has."""
        story, state, count = Story(self.game), self.start, 0
        while self.rules.over(state) is None:
            seat, move = story.next(state)
            state, count = self.rules.play(state, move, seat)[0], count + 1
        return count


def _pop(rules: Any, state: Any, chance: random.Random) -> str:
    """Red stakes all talers on one card and is wrong every time: the game is over after a round (IP-10)."""
    moves = sorted(rules.moves(state))
    stakes = [m for m in moves if m.startswith(("grab red", "place red 1"))]
    deals = [m for m in moves if m.startswith("deal")]
    wrong = [m for m in moves if re.fullmatch(r"found 1 \d+ red", m) and m.split()[2] != "2"]
    first = [m for m in deals if m.split()[2] == "2"] if deals and "deal 1" in deals[0] else deals
    for kind in (first, wrong, stakes):
        if kind:
            return kind[0] if kind is not deals else chance.choice(kind)
    never = ("grab blue", "unpass", "return", "abandon", "pass red", "found")
    return next(m for m in moves if not m.startswith(never))
