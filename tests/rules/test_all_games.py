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
from tests.parts import proof
from tests.rules.walks import Walk, options_of, tables

LONGEST = {"igloo": 400}  # moves; of the others 1500


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
