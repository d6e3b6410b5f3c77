"""What holds for every game on any walk: values stay values, records lead to the same end, seats are kept."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import games
from rules.protocol.session import Session
from tests.parts import proof
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
LONGEST = {"igloo": 400}  # moves; of the others 1500
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


@pytest.mark.parametrize("name", games.NAMES)
def test_random_games_end_or_are_cut_and_load_again(name: str) -> None:
    """10,000 games each in a proof; every record leads to the identical state, every state goes on as before."""
    game = games.game(name)
    few, longest = {"igloo": 1, "igloo-igloo": 5}.get(name, 8), LONGEST.get(name, 1500)
    for seed in range(proof(few, 10_000)):
        rng = random.Random(f"{name} {seed}")
        players, options = rng.choice(tables(name)), rng.choice(options_of(name))
        start, _ = game.new(players, seed, options)
        state, moves = start, []
        while len(moves) < longest:
            legal = [move for _, move in zip(range(500), game.moves(state), strict=False)]
            if not legal:
                break
            moves.append(rng.choice(legal))
            assert game.read(state, moves[-1]) == moves[-1]
            state, _ = game.play(state, moves[-1])
        assert game.over(state) is not None or len(moves) == longest or not game.to_act(state)
        again = game.setup(game.to_json(start), None)
        for move in json.loads(json.dumps(moves)):
            again, _ = game.play(again, move)
        assert again == state
        assert game.to_json(again) == game.to_json(state)


@pytest.mark.parametrize("name", games.NAMES)
@settings(max_examples=proof(6, 300))
@given(seed=st.integers(0, 10**6), length=st.integers(0, 60), back=st.integers(0, 60))
def test_undo_after_any_walk(name: str, seed: int, length: int, back: int) -> None:
    walk = Walk(name, seed)
    seen = [walk.ask("state")]
    while walk.count < length and walk.step():
        seen.append(walk.ask("state"))
    for _ in range(min(back, walk.count)):
        seen.append(seen.pop())  # the last one is where we are
        walk.ask("undo")
    at = len(seen) - 1 - min(back, walk.count)
    assert walk.ask("state") == seen[at]
    for later in seen[at + 1 :]:
        walk.ask("redo")
        assert walk.ask("state") == later


@pytest.mark.parametrize("name", games.NAMES)
@settings(max_examples=proof(5, 300))
@given(seed=st.integers(0, 10**6), length=st.integers(0, 60))
def test_a_state_goes_on_as_before(name: str, seed: int, length: int) -> None:
    walk = Walk(name, seed)
    while walk.count < length and walk.step():
        pass
    other = Walk(name, seed)
    other.ask("setup", game=name, state=walk.ask("state")["state"], seed=seed + 1)
    other.rng.setstate(walk.rng.getstate())
    for _ in range(20):
        assert walk.ask("state") == other.ask("state")
        assert walk.step() == other.step()


@pytest.mark.parametrize("name", games.NAMES)
@settings(max_examples=proof(5, 200))
@given(seed=st.integers(0, 10**6), length=st.integers(0, 60), data=st.data())
def test_refusals_change_nothing_and_kinds_are_not_mixed(
    name: str, seed: int, length: int, data: st.DataObject
) -> None:
    walk = Walk(name, seed)
    elsewhere = ["end", "pass", "count", "resolve"]
    while walk.count < length and walk.step():
        elsewhere.append(walk.ask("record")["record"]["moves"][-1])
    before, legal = walk.everything(), walk.ask("moves")["moves"]
    for _ in range(6):
        text = data.draw(st.sampled_from(elsewhere))
        if data.draw(st.booleans()):
            text = " ".join(text.split()[: data.draw(st.integers(1, 3))])
        reply = walk.try_("play", move=text)
        if reply["ok"]:
            walk.ask("undo")
            continue
        error = reply["error"]
        same_kind = [move for move in legal if move.split()[0] == text.split()[0]]
        if error["kind"] == "illegal":
            assert error["rule"]
            assert 1 <= len(error["nearest"]) <= 5
            assert all(walk.takes(move) for move in error["nearest"])
            assert same_kind
        elif error["kind"] == "not-now":
            assert not same_kind
        elif error["kind"] == "ambiguous":
            assert len(error["candidates"]) >= 2
            assert all(walk.takes(move) for move in error["candidates"])
    assert json.loads(walk.everything())[0] == json.loads(before)[0]


@pytest.mark.parametrize("name", games.NAMES)
@settings(max_examples=proof(4, 200))
@given(seed=st.integers(0, 10**6), length=st.integers(0, 60))
def test_every_seat_sees_the_shape_of_the_state_and_may_play_its_own_moves(
    name: str, seed: int, length: int
) -> None:
    walk = Walk(name, seed)
    while walk.count < length and walk.step():
        pass
    state = walk.ask("state")["state"]
    game = games.game(name)
    seats = game.seats(game.setup(state, 1))
    for seat in (None, *seats):
        view = walk.ask("view", seat=seat)["view"]
        assert "chance" not in view
        same_shape({key: value for key, value in state.items() if key != "chance"}, view)
        walk.ask("score", seat=seat)
        json.dumps(walk.ask("record", seat=seat))
    everybody: set[str] = set()
    for seat in seats:
        moves = walk.ask("moves", seat=seat)["moves"]
        everybody |= set(moves)
        if moves and seat in state["to_act"]:
            walk.ask("play", move=moves[0], seat=seat)
            walk.ask("undo")
    whole = walk.ask("moves")
    if whole["complete"]:
        assert set(whole["moves"]) == everybody


def same_shape(whole: Any, seen: Any) -> None:
    """What is seen is the whole with None for some of it, and lists keep their lengths."""
    if seen is None:
        return
    assert type(whole) is type(seen) or whole is None or {type(whole), type(seen)} <= {int, float}
    if isinstance(whole, dict):
        assert list(whole) == list(seen)
        for key in whole:
            same_shape(whole[key], seen[key])
    elif isinstance(whole, list):
        assert len(whole) == len(seen)
        for one, other in zip(whole, seen, strict=True):
            same_shape(one, other)


@pytest.mark.parametrize("name", games.NAMES)
def test_states_are_values(name: str) -> None:
    game = games.game(name)
    state, _ = game.new(tables(name)[0], 1, {})
    before = copy.deepcopy(game.to_json(state))
    for move in [move for _, move in zip(range(30), game.moves(state), strict=False)]:
        game.play(state, move)
    game.to_json(state)["options"].clear()
    assert game.to_json(state) == before
    assert game.new(tables(name)[0], 1, {})[0] == state


ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLNSEWU0123456789 >#@,~-\t\n"\\{}[]é\x00\ud800'


@pytest.mark.parametrize("name", games.NAMES)
def test_fuzzed_lines_get_one_answer_each(name: str) -> None:
    """100,000 lines over all games in a proof: always one answer, never an exception, refusals change nothing."""
    walk = Walk(name, 1)
    rng = random.Random(f"fuzz {name}")
    verbs = [
        "games",
        "new",
        "setup",
        "moves",
        "play",
        "undo",
        "redo",
        "state",
        "view",
        "score",
        "record",
        "load",
    ]
    seats = [None, "red", "blue", "A", "B", "", 7, [], "green"]
    for _ in range(proof(250 if name == "igloo" else 1200, 25_000)):
        state_before = walk.session._timeline
        moment = state_before.state if state_before else None
        line = fuzzed(rng, walk, verbs, seats)
        answer = walk.session.answer(line)
        assert "\n" not in answer
        reply = json.loads(answer)
        if not reply["ok"]:
            assert reply["error"]["kind"] in ("unreadable", "ambiguous", "illegal", "not-now")
            assert walk.session._timeline is state_before
            assert (state_before.state if state_before else None) is moment
        if not walk.try_("moves")["ok"] or rng.random() < 0.01:
            walk = Walk(name, rng.randrange(999))
        elif rng.random() < 0.5:
            walk.step()


def fuzzed(rng: random.Random, walk: Walk, verbs: list[str], seats: list[Any]) -> str | bytes:
    choice = rng.random()
    if choice < 0.15:
        noise = "".join(rng.choice(ALPHABET) for _ in range(rng.randrange(40)))
        return rng.choice([noise, noise.encode("utf-8", "surrogatepass"), json.dumps(noise)])
    request: dict[str, Any] = {"id": rng.choice([None, 1, "x", [1], {"a": 1}]), "do": rng.choice(verbs)}
    if choice < 0.6:
        request["do"] = "play"
        moves = walk.ask("moves")["moves"] or ["end"]
        move = rng.choice(moves)
        for _ in range(rng.randrange(3)):
            k = rng.randrange(len(move) + 1)
            move = move[:k] + rng.choice([rng.choice(ALPHABET), "", " "]) + move[k + rng.randrange(3) :]
        words = move.split(" ")
        if rng.random() < 0.3:
            rng.shuffle(words)
        if rng.random() < 0.3:
            words = words[: rng.randrange(len(words) + 1)]
        request["move"] = rng.choice([" ".join(words)] * 9 + [None, 3, []])
    if request["do"] in ("setup", "load", "new") and rng.random() < 0.7:
        request["game"] = rng.choice([walk.name] * 8 + ["chess", None, 3])
        request["players"] = rng.choice([*tables(walk.name), ["red"], [], "red", None, [None], [[]]])
        request["options"] = rng.choice(
            [{}, None, *options_of(walk.name), {"x": 1}, [], {"mode": []}, {"first": 3}]
        )
        request["seed"] = rng.choice([1, None, -5, "x", 10**50, 1.5])
        request["state"] = rng.choice([walk.ask("state")["state"], {}, None, []])
        request["record"] = rng.choice([walk.ask("record")["record"], {}, None, [], {"moves": [1]}])
    if rng.random() < 0.4:
        request["seat"] = rng.choice(seats)
    return json.dumps(request)
