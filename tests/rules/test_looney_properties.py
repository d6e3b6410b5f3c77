"""IGLOO: what must hold after any walk, against a slow program, shapely, a perft table; random games to their end."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import islice

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.refusal import Refusal
from rules.looney.game import GAME
from rules.looney.moves import strides
from rules.looney.notation import parse
from tests.parts import proof

from . import slow_looney as slow
from .pyramids import FULL, all_of, refusal_of, tell

TEAM = ["red", "blue", "yellow", "green"]
TINY = {"widths": {"S": 2, "M": 3, "L": 4}}
LONGEST_GAME = 400
OPTIONS = [
    {},
    {"captures_optional": False, "double_threat": "fresh"},
    {"aftermath_only": True, "double_threat": "threatening", "first": "random"},
    {"table": [-60, -60, 140, 140]},
    TINY,
    {**TINY, "table": [0, 0, 14, 12]},
]


def begun(players, seed, options):
    """A game with both real colours chosen."""
    state, _ = GAME.new(players, seed, options)
    return tell(
        state,
        *(
            f"commit {seat} {GAME.view(state, None)['sides'][side][seed % 2]}"
            for seat, side in seats(players)
        ),
    )


def seats(players):
    return [("A", "A"), ("B", "B")] if len(players) == 2 else [("red", "A"), ("blue", "B")]


def wander(state, rng, most):
    for _ in range(rng.randrange(most)):
        move = GAME.random_move(state, rng.randrange)
        if move is None or move == "reveal":
            break
        state = tell(state, move)
    return state


def any_game(rng):
    players = TEAM if rng.random() < 0.3 else rng.choice((["A", "B"], ["B", "A"]))
    return begun(players, rng.randrange(10**6), rng.choice(OPTIONS))


@settings(max_examples=proof(12, 400))
@given(st.integers(0, 10**9))
def test_sixty_pieces_none_overlapping_all_links_as_shapely_sees_them(seed):
    rng = random.Random(seed)
    state = any_game(rng)
    kept = []
    for _ in range(90):
        p = all_of(state)
        kept.append((state, json.dumps(p)))
        lying = Counter((one["colour"], one["size"]) for one in p["pieces"])
        lying.update((one["colour"], one["size"]) for row in p["prisoners"].values() for one in row)
        for colour, row in p["stash"].items():
            for size, count in row.items():
                assert count + lying[colour, size] == 5
        move = GAME.random_move(state, rng.randrange)
        if move is None:
            break
        state = tell(state, move)
    gap, widths = state.setting.gap, dict(zip("SML", state.setting.widths, strict=True))
    boxes = {
        one["id"]: shapely.box(
            one["x"], one["y"], one["x"] + widths[one["size"]], one["y"] + widths[one["size"]]
        )
        for one in p["pieces"]
    }
    for a, box in boxes.items():
        west, south, east, north = box.bounds
        wide = shapely.box(west - gap, south, east + gap, north)
        tall = shapely.box(west, south - gap, east, north + gap)
        for b, other in boxes.items():
            if a < b:
                assert shapely.area(shapely.intersection(box, other)) == 0
                near = (
                    shapely.area(shapely.intersection(wide, other)) > 0
                    or shapely.area(shapely.intersection(tall, other)) > 0
                )
                assert near == ([a, b] in p["links"])
    for old, text in kept:
        assert json.dumps(all_of(old)) == text


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


@settings(max_examples=proof(5, 200))
@given(st.integers(0, 10**9))
def test_a_slow_program_agrees_on_every_place_and_on_what_moves_do(seed):
    rng = random.Random(seed)
    table = rng.choice((None, [0, 0, 14, 12], [-6, -6, 18, 10]))
    state = begun(rng.choice((["A", "B"], TEAM)), rng.randrange(99), {**TINY, "table": table})
    p = all_of(state)
    for _ in range(rng.randrange(4, 20)):
        legal = list(GAME.moves(state))
        assert len(legal) == len(set(legal)) == GAME.count_moves(state)
        assert set(legal) == slow.legal(p)
        move = GAME.random_move(state, rng.randrange)
        if move is None:
            break
        assert move in legal
        state, p = tell(state, move), slow.apply(p, move)
        assert slow.same_table(p, all_of(state)), move
        if GAME.over(state):
            assert GAME.over(state).scores == slow.scores(p)


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


@pytest.mark.parametrize("seed", range(proof(2, 12)))
def test_standard_pieces_every_place(seed):
    """The same with pieces of the standard widths, where a slow look takes seconds."""
    rng = random.Random(seed)
    state = begun(["A", "B"], seed, {})
    for _ in range(rng.randrange(2, 7)):
        state = tell(state, GAME.random_move(state, rng.randrange))
    state = tell(state, *(["capture all"] if GAME.phase(state) in ("before", "after") else []))
    p = {**all_of(state), "stash": {colour: {"S": 0, "M": 0, "L": 0} for colour in FULL}}
    if p["phase"] != "place":
        return
    size, colour = rng.choice("SML"), slow.own_colours(p)[0]
    p["stash"][colour][size] = 1
    assert set(GAME.moves(GAME.setup(p, 0))) == slow.legal(p)


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


@settings(max_examples=proof(10, 400))
@given(st.integers(0, 10**9))
def test_a_placement_is_taken_if_and_only_if_the_slow_program_takes_it(seed):
    rng = random.Random(seed)
    state = wander(begun(["A", "B"], seed % 89, {}), rng, 50)
    p = all_of(state)
    if p["phase"] != "place" or not p["pieces"]:
        return
    for _ in range(100):
        near = rng.choice(p["pieces"])
        colour, size = rng.choice(slow.own_colours(p)), rng.choice("SML")
        x, y = near["x"] + rng.randrange(-52, 52), near["y"] + rng.randrange(-52, 52)
        why = refusal_of(state, f"place {colour} {size} @ {x},{y}")
        allowed = bool(p["stash"][colour][size]) and slow.legal_place(p, colour, size, x, y)
        assert (why is None) == allowed
        if why is not None:
            assert why.kind == "illegal"
            assert why.rule in ("IG-9", "IG-12")
            assert why.nearest
            assert all(refusal_of(state, near) is None for near in why.nearest)


def test_a_drawn_move_is_any_legal_one_alike():
    """Pearson's chi square over every legal placement of a small crowded table."""
    rng = random.Random(7)
    state = begun(["A", "B"], 1, {**TINY, "table": [0, 0, 14, 12]})
    for _ in range(7):
        state = tell(state, GAME.random_move(state, rng.randrange))
    legal = list(GAME.moves(state))
    assert GAME.phase(state) == "place"
    assert len(legal) > 50
    each = 60
    drawn = Counter(GAME.random_move(state, rng.randrange) for _ in range(each * len(legal)))
    assert set(drawn) == set(legal)
    chi2 = sum((count - each) ** 2 / each for count in drawn.values())
    freedom = len(legal) - 1
    assert abs(chi2 - freedom) < 5 * (2 * freedom) ** 0.5


def test_the_first_two_thousand_are_a_fair_sample():
    assert sorted(strides(1000)) == list(range(1000))
    assert list(strides(0)) == []
    rng = random.Random(3)
    state = begun(["A", "B"], 1, {})
    for _ in range(30):
        state = tell(state, GAME.random_move(state, rng.randrange))
    while GAME.phase(state) != "place":
        state = tell(state, "done")
    total = GAME.count_moves(state)
    assert total > 20_000
    sample = list(islice(GAME.moves(state), 2000))
    assert len(set(sample)) == 2000
    kinds = Counter(" ".join(move.split()[:3]) for move in sample)
    every = Counter(" ".join(move.split()[:3]) for move in GAME.moves(state))
    for kind, count in every.items():
        assert abs(kinds[kind] - 2000 * count / total) < 2


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
