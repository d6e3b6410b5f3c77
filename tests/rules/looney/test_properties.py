"""IGLOO: what must hold after any walk of states, secrets, captures and told connections; random games to their end."""

from __future__ import annotations

import json
import random
from itertools import islice

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.refusal import Refusal
from rules.looney.game import GAME
from rules.looney.notation import parse
from tests.parts import proof
from tests.rules import slow_looney as slow

from .pyramids import OPTIONS, TEAM, TINY, all_of, any_game, begun, tell, wander

LONGEST_GAME = 400


@settings(max_examples=proof(12, 500))
@given(st.integers(0, 10**9))
def test_a_state_written_and_read_goes_on_exactly_as_before(seed):
    rng = random.Random(seed)
    state = wander(any_game(rng), rng, 60)
    again = GAME.setup(json.loads(json.dumps(all_of(state))), rng.randrange(99))
    bare = {key: value for key, value in all_of(state).items() if key not in ("links", "open")}
    assert all_of(GAME.setup(bare, 0)) == all_of(state)
    for _ in range(15):
        assert all_of(again) == all_of(state)
        assert list(islice(GAME.moves(state), 50)) == list(islice(GAME.moves(again), 50))
        move = GAME.random_move(state, rng.randrange)
        if move is None:
            break
        assert GAME.read(state, move) == move
        assert str(parse(move)) == move
        state, told = GAME.play(state, move)
        again, told_again = GAME.play(again, move)
        assert told == told_again


@settings(max_examples=proof(10, 300))
@given(st.integers(0, 10**9))
def test_a_game_told_by_connections_goes_as_the_measured_one(seed):
    """T-IG-18 on whole games: captures need the graph alone (D-84)."""
    rng = random.Random(seed)
    measured = told = begun(rng.choice((["A", "B"], TEAM)), seed % 83, rng.choice(({}, TINY)))
    for _ in range(rng.randrange(150)):
        move = GAME.random_move(measured, rng.randrange)
        if move is None:
            break
        after = tell(measured, move)
        if move.startswith("place"):
            newest = max(after.pieces)
            around = ",".join(f"#{number}" for number in sorted(after.links[newest]))
            move = f"{' '.join(move.split()[:3])} ~ {around}".strip()
        assert GAME.read(told, move) == move
        measured, told = after, tell(told, move)
        a, b = all_of(measured), all_of(told)
        for p in (a, b):
            p["pieces"] = [(one["id"], one["colour"], one["size"]) for one in p["pieces"]]
        assert a == b
    again = GAME.setup(all_of(told), 0)
    assert all_of(again) == all_of(told)
    first = list(islice(GAME.moves(told), 100))
    assert first == list(islice(GAME.moves(again), 100))
    for move in first[:20]:
        tell(told, move)


@settings(max_examples=proof(25, 1000))
@given(st.integers(0, 10**9))
def test_the_order_of_captures_changes_nothing(seed):
    rng = random.Random(seed)
    state = wander(begun(["A", "B"], seed % 97, rng.choice(({}, TINY))), rng, 90)
    for _ in range(40):
        if GAME.phase(state) in ("before", "after"):
            break
        move = GAME.random_move(state, rng.randrange)
        if move is None:
            return
        state = tell(state, move)
    else:
        return
    together = all_of(tell(state, "capture all"))
    for _ in range(4):
        one = state
        while one.turn == state.turn and GAME.phase(one) == GAME.phase(state):
            one = tell(one, rng.choice([move for move in GAME.moves(one) if "#" in move]))
        result = all_of(one)
        for p in (together, result):
            for row in p["prisoners"].values():
                row.sort(key=str)
        assert result == together


HIDDEN_LINES = [
    "commit A red", "commit B blue", "commit A yellow", "commit B green", "commit red red", "pass", "done",
    "capture all", "capture #1", "place red S @ 5,5", "place blue L ~ #1", "place L @ 40,0", "nonsense",
]  # fmt: skip


def said(state, seat):
    out = [
        GAME.view(state, seat),
        list(islice(GAME.moves(state, seat), 30)),
        GAME.score(state, seat),
        GAME.to_act(state),
    ]
    for line in HIDDEN_LINES:
        try:
            after, told = GAME.play(state, line, seat)
        except Refusal as why:
            out.append((type(why).__name__, why.to_json()))
        else:
            out.append([event.to_json() for event in told if event.to is None or seat in event.to])
            out.append(GAME.to_act(after))
    return json.dumps(out)


@settings(max_examples=proof(25, 500))
@given(st.integers(0, 10**9))
def test_nobody_sees_the_other_sides_real_colour(seed):
    rng = random.Random(seed)
    players = rng.choice((["A", "B"], TEAM))
    state = wander(begun(players, seed % 91, {}), rng, 120)
    if rng.random() < 0.2:
        state = GAME.new(players, 1, {})[0]
        state = tell(state, "commit B blue" if players != TEAM else "commit green blue")
    p = all_of(state)
    if p["phase"] == "over":
        return
    for seat, own in (
        [("A", "A"), ("B", "B")] if players != TEAM else [(c, s) for s in "AB" for c in p["sides"][s]]
    ):
        enemy = "B" if own == "A" else "A"
        if p["real"][enemy] is None:
            continue
        swapped = next(colour for colour in p["sides"][enemy] if colour != p["real"][enemy])
        other = GAME.setup({**p, "real": {**p["real"], enemy: swapped}, "chance": None}, seed)
        assert said(state, seat) == said(other, seat)
        assert json.dumps(GAME.view(state, None)) == json.dumps(GAME.view(other, None))


def test_random_games_end_and_are_replayed_to_the_same_end():
    for seed in range(proof(40, 10_000)):
        rng = random.Random(seed)
        players, options = (TEAM, ["A", "B"], ["B", "A"])[seed % 3], OPTIONS[seed % len(OPTIONS)]
        state, _ = GAME.new(players, seed, options)
        record = []
        while (move := GAME.random_move(state, rng.randrange)) and len(record) < LONGEST_GAME:
            record.append(move)
            state = tell(state, move)
        assert GAME.over(state) is not None, "sixty pieces are placed or nobody can: a game must end"
        again, _ = GAME.new(players, seed, options)
        assert all_of(tell(again, *record)) == all_of(state)
        assert GAME.over(state).scores == GAME.score(state)[0] == slow.scores(all_of(state))
