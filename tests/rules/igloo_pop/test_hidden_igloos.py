"""Igloo Pop keeps its secret: tables that differ only in what lies under the igloos and in the deck look the same."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import games
from rules.protocol.session import Session
from tests.parts import proof

COLOURS = ["red", "yellow", "green", "blue", "white", "black"]


def ask(session: Session, do: str, **request: Any) -> str:
    return session.answer(json.dumps({"do": do, **request}))


def twin(rng: random.Random, state: dict[str, Any]) -> dict[str, Any]:
    """The same table with other values, another deck and another chance."""
    values = list(state["values"].values())
    rng.shuffle(values)
    deck = rng.sample(state["deck"], len(state["deck"]))
    chance = f"c1.{rng.getrandbits(128):032x}.{rng.randrange(9)}"
    return {
        **state,
        "values": dict(zip(state["values"], values, strict=True)),
        "deck": deck,
        "chance": chance,
    }


@settings(max_examples=proof(25, 2000))
@given(seed=st.integers(0, 10**9), length=st.integers(0, 80))
def test_twins_answer_the_same_bytes(seed: int, length: int) -> None:
    rng, game = random.Random(seed), games.game("igloo-pop")
    state, _ = game.new(rng.sample(COLOURS, rng.randint(2, 6)), seed, {})
    for _ in range(length):
        legal = list(game.moves(state))
        if not legal:
            break
        state, _ = game.play(state, rng.choice(legal))
    position = game.to_json(state)
    one, other = Session(seeds=lambda: 1), Session(seeds=lambda: 2)
    assert json.loads(ask(one, "setup", game="igloo-pop", state=position))["ok"]
    assert json.loads(ask(other, "setup", game="igloo-pop", state=twin(rng, position)))["ok"]
    seats = [None, *position["players"]]
    for _ in range(25):
        for seat in seats:
            for do in ("view", "score", "moves", "record"):
                assert ask(one, do, seat=seat) == ask(other, do, seat=seat)
        legal = json.loads(ask(one, "moves"))["moves"]
        legal = [move for move in legal if move != "resolve"]  # there the secret ends
        if not legal:
            break
        wrong = rng.choice(
            ["grab red A", "place red 3", "deal 1 5", "found 1 5 red", "resolve x", "place", "stop red"]
        )
        for text in (wrong, rng.choice(legal)):
            seat = rng.choice(seats)
            if text != wrong:
                seat = None
            assert ask(one, "play", move=text, seat=seat) == ask(other, "play", move=text, seat=seat)


def test_a_view_can_be_set_up_and_played_on() -> None:
    """What a seat sees is a position itself; what it does not know is settled when it is needed."""
    game = games.game("igloo-pop")
    state, _ = game.new(["red", "blue"], 4, {})
    view = game.view(state, "red")
    guess = game.setup(view, 99)
    for move in ("count", "grab red A", "place red 1", "pass red", "pass blue", "resolve", "count"):
        guess, _ = game.play(guess, move)
    cards = [tuple(card) for card in game.to_json(guess)["table"] if card]
    assert len(set(cards)) == 9


@pytest.mark.parametrize("seat", [None, "red", "blue"])
def test_nothing_of_the_secret_is_in_a_view(seat: str | None) -> None:
    game = games.game("igloo-pop")
    state, _ = game.new(["red", "blue"], 4, {})
    for move in ("count", "grab red A"):
        state, _ = game.play(state, move)
    view = game.view(state, seat)
    assert set(view["values"].values()) == {None}
    assert view["deck"] == [None] * 24
    assert "chance" not in view


def test_letters_say_nothing_of_values() -> None:
    """Over many rounds each letter holds each value about equally often (chi square, 121 degrees of freedom)."""
    game = games.game("igloo-pop")
    rounds = proof(1200, 20_000)
    seen = {letter: dict.fromkeys(range(2, 14), 0) for letter in "ABCDEFGHIJKL"}
    for seed in range(rounds):
        state, _ = game.new(["red", "blue"], seed, {})
        for letter, value in game.to_json(state)["values"].items():
            seen[letter][value] += 1
    expected = rounds / 12
    chi = sum((count - expected) ** 2 / expected for counts in seen.values() for count in counts.values())
    assert 70 < chi < 190  # both ends beyond one in ten thousand
