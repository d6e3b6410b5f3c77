"""What never changes while Ice Cult and Igloo Pop are played."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rules import games
from rules.igloo_pop.deck import deck
from tests.parts import proof

COLOURS = ["red", "yellow", "green", "blue", "white", "black"]


def walk(name: str, seed: int, **options: Any) -> Any:
    """Positions of a random game, with the move that led to each."""
    rng, game = random.Random(seed), games.game(name)
    players = rng.sample(COLOURS[: 4 if name == "ice-cult" else 6], rng.randint(2, 4))
    state, _ = game.new(players, seed, options)
    yield "", game.to_json(state)
    for _ in range(600):
        legal = list(game.moves(state))
        if not legal:
            return
        move = rng.choice(legal)
        state, _ = game.play(state, move)
        yield move, game.to_json(state)


@settings(max_examples=proof(12, 1000))
@given(seed=st.integers(0, 10**9), physical=st.booleans())
def test_talers_cards_and_igloos_are_conserved(seed: int, physical: bool) -> None:
    cards = Counter(deck("assumed-v1"))
    for move, p in walk("igloo-pop", seed, mode="physical" if physical else "digital"):
        staked = sum(place["at"] == "card" for place in p["igloos"].values())
        talers = sum(t["own"] + t["captured"] for t in p["talers"].values()) + p["box"] + staked
        assert talers == 10 * len(p["players"])
        seen = Counter(tuple(card) for card in p["table"] + p["deck"] if card)
        seen += Counter(tuple(card) for won in p["won"].values() for card in won)
        assert sum(seen.values()) + p["deck"].count(None) == 33
        assert not seen - cards
        values = [value for value in p["values"].values() if value]
        assert len(set(values)) == len(values)
        if not physical and p["phase"] != "over":
            assert sorted(values) == list(range(2, 14))
        hands = [place["by"] for place in p["igloos"].values() if place["at"] == "hand"]
        assert len(set(hands)) == len(hands)
        assert (p["phase"] == "over") == (p["over"] is not None) == (not p["to_act"]), move
        if p["over"]:
            best = max(p["over"]["scores"].values())
            assert {p["over"]["scores"][winner] for winner in p["over"]["winners"]} == {best}


@settings(max_examples=proof(12, 1000))
@given(seed=st.integers(0, 10**9))
def test_twenty_pawns_and_tops_that_stay(seed: int) -> None:
    before: dict[str, Any] | None = None
    for move, p in walk("ice-cult", seed):
        pawns = Counter(p["pool"]) + Counter(p["home"])
        pawns += Counter(pawn for path in p["paths"].values() for stack in path for pawn in stack)
        assert pawns == dict.fromkeys(COLOURS[:4], 5)
        assert sorted(lies["cube"] for lies in p["cubes"].values()) == list("ABCD")
        if before is None or not move:
            before = p
            continue
        kinds = {slot: top.split(">")[0] for slot, top in p["tops"].items()}
        if before["phase"] == "move":
            assert kinds == {slot: top.split(">")[0] for slot, top in before["tops"].items()}
            assert all(p["home"][c] >= before["home"][c] for c in COLOURS[:4])
        else:
            assert (p["paths"], p["pool"], p["home"]) == (before["paths"], before["pool"], before["home"])
        if move == "end":
            assert p["to_act"] != before["to_act"]
        elif p["phase"] != "over":
            assert p["to_act"] == before["to_act"]
        before = p
