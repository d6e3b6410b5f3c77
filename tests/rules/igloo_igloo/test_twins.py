"""Igloo Igloo and IGLOO through the protocol: twins that differ in secrets alone answer a seat with the same bytes."""

from __future__ import annotations

import json
import random

import pytest

from rules.igloo_igloo.game import GAME
from rules.protocol.session import Session
from tests.parts import proof

from .polar_board import all_of, hide_differently, moves, tell, wander

ALL = ["red", "blue", "yellow", "green"]
PUBLIC = ("place", "drift", "displace", "walk", "kayak", "hunt", "igloo", "step", "flee", "end", "no")
TEXTS = [
    "harpoon",
    "no harpoon",
    "stamina 1",
    "thaw c4",
    "animals",
    "end",
    "melt a1",
    "igloo c4",
    "hunt d4 fish 3",
    "x",
]


class Twins:
    """Two sessions that are asked the same; every answer to a seat is compared."""

    def __init__(self, *openings: dict[str, object]) -> None:
        self.sessions = [Session(), Session()]
        for session, opening in zip(self.sessions, openings, strict=True):
            assert json.loads(session.answer(json.dumps(opening)))["ok"]

    def ask(self, **request: object) -> dict[str, object]:
        line = json.dumps(request)
        first, second = (session.answer(line) for session in self.sessions)
        assert first == second
        answer: dict[str, object] = json.loads(first)
        return answer


@pytest.mark.parametrize("phase", ["pre-melt", "action", "animals", "attack", "flee", "drift", "displace"])
def test_igloo_igloo_twins(phase: str) -> None:
    rng = random.Random(phase)
    for seed in range(proof(10, 100)):
        players = ALL[: 2 + seed % 3]
        state = wander(GAME.new(players, seed, {})[0], rng, phase)
        for seat in players:
            other = hide_differently(state, seat, rng)
            twins = Twins(
                *({"do": "setup", "game": "igloo-igloo", "state": all_of(one)} for one in (state, other))
            )
            walked = state
            for _ in range(6):  # what everybody sees happen keeps them twins
                open_moves = [move for move in moves(walked, seat=seat) if move.split()[0] in PUBLIC]
                for text in TEXTS:
                    if text.split()[0] not in PUBLIC and text not in moves(walked, seat=seat):
                        twins.ask(do="play", move=text, seat=seat)
                for ask in ("view", "moves", "score", "record"):
                    twins.ask(do=ask, seat=seat)
                if not open_moves:
                    break
                move = rng.choice(open_moves)
                twins.ask(do="play", move=move, seat=seat)
                walked = tell(walked, move)


@pytest.mark.parametrize(("players", "one", "two"), [(["A", "B"], "A", "B"), (ALL, "red", "green")])
def test_igloo_twins(players: list[str], one: str, two: str) -> None:
    opening = {"do": "new", "game": "igloo", "players": players, "seed": 4}
    twins = Twins(opening, opening)
    for session, real in zip(twins.sessions, ("red", "yellow"), strict=True):
        assert json.loads(session.answer(json.dumps({"do": "play", "move": f"commit {one} {real}"})))["ok"]
    watchers = [seat for seat in players if seat not in (one, "yellow")]
    for seat in watchers:
        for ask in ("view", "moves", "score", "record"):
            twins.ask(do=ask, seat=seat)
    twins.ask(do="view", seat=None)
    twins.ask(do="record", seat=None)
    twins.ask(do="play", move=f"commit {two} green", seat=two)
    rng = random.Random(2)
    for _ in range(proof(25, 90)):
        answer = twins.ask(do="moves")
        if not answer["moves"] or "reveal" in answer["moves"]:
            break
        twins.ask(do="play", move=rng.choice(answer["moves"]))
        for seat in watchers:
            for text in ("commit A red", "commit red red", "capture all", "place red L @ 0,0", "reveal"):
                if text not in twins.ask(do="moves", seat=seat)["moves"]:
                    twins.ask(do="play", move=text, seat=seat)
            for ask in ("view", "score", "record"):
                twins.ask(do=ask, seat=seat)
