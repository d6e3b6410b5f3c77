"""Igloo Pop for agents. Hands race in the real game; here the seats are asked in turn, and may `wait`.

Nobody hears beads here: without a sensor the counts are hidden from everybody, and placing is a guess.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from rules.core.game import Game
from rules.igloo_pop.position import PHASES
from rules.igloo_pop.state import LETTERS

from .codec import Codec, View, code, padded

PLACES = ("village", "hand", "card")
MOST_PLAYERS = 6
WAIT = "wait"  # not a move of the game: let the others go first


class IglooPopCodec(Codec):
    """Observation: the round, the ring of nine cards, the twelve igloos, then every player's talers and cards."""

    reported = True

    def __init__(self, players: Sequence[str], options: Mapping[str, Any]) -> None:
        super().__init__(players, options)
        commands = ["return {me}", "pass {me}", "unpass {me}", "stop {me}"]
        grabs = [f"grab {{me}} {letter}" for letter in LETTERS]
        places = [f"place {{me}} {slot}" for slot in range(1, 10)]
        self.index(["count", "resolve", *commands, *grabs, *places, WAIT])
        self.width = 7 + 27 + 12 * 4 + MOST_PLAYERS * 5

    def actions(self, game: Game[Any], state: Any, seat: str) -> list[int]:
        legal = super().actions(game, state, seat)
        return [*legal, len(self.texts) - 1] if game.phase(state) == "shaking" else legal

    def move(self, game: Game[Any], state: Any, seat: str, action: int, rng: random.Random) -> str | None:
        text = super().move(game, state, seat, action, rng)
        return None if text == WAIT else text

    def observe(self, view: View, seat: str) -> list[int]:
        players = view["players"]
        out = [code(view["phase"], PHASES), min(view["round"], 100), int(view["last_round"])]
        out += [min(view["empty_rounds"], 100), len(view["deck"]), view["box"], players.index(seat)]
        for card in view["table"]:
            out += padded(card or [], 3)
        for letter in LETTERS:
            place = view["igloos"][letter]
            out += [PLACES.index(place["at"]), place.get("slot", 0), code(place.get("by"), players)]
            out.append(view["values"][letter] or 0)
        rows = [
            [
                view["talers"][player]["own"],
                view["talers"][player]["captured"],
                len(view["won"][player]),
                sum(4 - len(card) for card in view["won"][player]),
                int(player in view["passed"]),
            ]
            for player in players
        ]
        return out + padded([number for row in rows for number in row], 5 * MOST_PLAYERS)
