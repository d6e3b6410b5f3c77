"""Games for the tests of this room: real rules, and moves that their own scripted players would make."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path

from firmware_bridge.clock import VirtualClock
from hw_mock.players import ice_cult
from table.desk.desk import Desk
from table.games import GAMES
from table.journal.store import Journal


def new_ice_cult(
    journal: Journal | Path | None = None, seed: int = 3, name: str = "evening-1", mode: str = "physical"
) -> Desk:
    """A desk of a new game of Ice Cult, if not said otherwise with real cubes on the table."""
    book = journal if isinstance(journal, Journal) else Journal(journal)
    return Desk.new(
        book,
        GAMES,
        VirtualClock(),
        name=name,
        game="ice-cult",
        players=["yellow", "red"],
        seed=seed,
        options={"mode": mode},
    )


def play_on(desk: Desk, moves: int, seed: int = 3) -> list[str]:
    """Let the scripted players make so many moves (fewer where the game ends); the moves made."""
    chance, made = random.Random(seed), list[str]()
    game = desk.sitting.game
    while len(made) < moves and desk.sitting.over is None:
        seat = game.to_act(desk.sitting.state)[0]
        for move in ice_cult.rest_of_turn(game, desk.sitting.state, seat, chance)[: moves - len(made)]:
            assert desk.play(move, seat)
            made.append(move)
    return made


def stroll(desk: Desk, moves: int, seed: int) -> None:
    """Any legal moves: quicker than people who think."""
    chance = random.Random(seed)
    for _ in range(moves):
        if desk.sitting.over is None:
            assert desk.play(chance.choice(list(islice(desk.sitting.game.moves(desk.sitting.state), 30))))
