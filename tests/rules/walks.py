"""Random walks through every game, at several tables each and with several options."""

from __future__ import annotations

import json
import random
from typing import Any

from rules.protocol.session import Session
from tests.seated import seated, ways

PLAYERS: dict[str, tuple[list[str], ...]] = {
    "ice-cult": (["red", "blue"], ["yellow", "red", "green"], ["blue", "yellow", "red", "green"]),
    "igloo-pop": (
        ["red", "blue"],
        ["red", "white", "green"],
        ["red", "yellow", "green", "blue", "white", "black"],
    ),
    "igloo-igloo": (["red", "blue"], ["red", "blue", "yellow"], ["green", "red", "blue", "yellow"]),
    "igloo": (["A", "B"], ["red", "blue", "yellow", "green"]),
}


OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "ice-cult": (
        {},
        {"length": 4, "circles_compulsory": False, "five_stack_by_anyone": False, "first": "random"},
    ),
    "igloo-pop": ({}, {"mode": "physical"}, {"own_wrong_taler": "captured"}),
    "igloo-igloo": ({}, {"hardcore": True, "first": "random"}, {"mode": "physical"}),
    "igloo": ({}, {"aftermath_only": True}),
}


def tables(name: str) -> tuple[list[str], ...]:
    """The players of a game, as many as it is tried with."""
    return PLAYERS.get(name) or (seated(name),)


def options_of(name: str) -> tuple[dict[str, Any], ...]:
    return OPTIONS.get(name) or ways(name)


class Walk:
    """A random game through a session, as a program at the table plays it."""

    def __init__(self, name: str, seed: int) -> None:
        self.rng = random.Random(f"{name} {seed}")
        self.name = name
        self.session = Session(seeds=lambda: seed)
        self.count = 0
        players, options = self.rng.choice(tables(name)), self.rng.choice(options_of(name))
        self.ask("new", game=name, players=players, seed=seed, options=options)

    def try_(self, do: str, **request: Any) -> dict[str, Any]:
        reply: dict[str, Any] = json.loads(self.session.answer(json.dumps({"do": do, **request})))
        return reply

    def ask(self, do: str, **request: Any) -> dict[str, Any]:
        reply = self.try_(do, **request)
        assert reply["ok"], (do, request, reply)
        return reply

    def step(self) -> bool:
        """One random legal move; False when there is none."""
        moves = self.ask("moves")["moves"]
        if not moves:
            return False
        self.ask("play", move=self.rng.choice(moves))
        self.count += 1
        return True

    def takes(self, move: str) -> bool:
        """Whether that very move is legal; tried, since of very many only a part is listed."""
        if not self.try_("play", move=move)["ok"]:
            return False
        played: str = self.ask("record")["record"]["moves"][-1]
        self.ask("undo")
        return played == move

    def everything(self) -> str:
        return json.dumps([self.ask("state"), self.ask("record"), self.ask("moves")])
