"""Igloo Igloo: what must hold after any walk, against a slow program, a perft table, and random games to their end."""

from __future__ import annotations

import json
import random
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.igloo_igloo.game import GAME
from rules.igloo_igloo.notation import parse
from tests.parts import proof
from tests.rules import slow_igloo_igloo as slow

from .polar_board import LAND, all_of, moves, refusal_of, tell, wander

FOUR = ["red", "blue", "yellow", "green"]
LONGEST_GAME = 1500
OPTIONS = [
    {},
    {"hardcore": True, "half_rounding": "down"},
    {"move_animals_exact": False, "refuge_per_token": False, "land_walkable": False},
    {"kayak_from_corner": True, "fishing_from_land": False, "first": "random"},
    {"mode": "physical"},
]


def beginning(rng):
    players = FOUR[: rng.choice((2, 3, 4))]
    return GAME.new(players, rng.randrange(10**6), rng.choice(OPTIONS))[0]


def tokens(p, name):
    """All tokens of a kind, by value, wherever they are (but for those that left the game)."""
    found = Counter(value for values in p[name].values() for value in values)
    found.update(value for prey in p["prey"].values() for value in prey[name])
    found.update(p["supply"][name])
    return found


def check_table(p, mix):
    """Everything is somewhere, once, on ground that it can stand on."""
    kinds = [
        *p["tiles"].values(),
        *(k for hand in p["hands"].values() for k in hand),
        *p["out"]["open"],
        *p["out"]["thawed"],
    ]
    assert len(kinds) == 56
    assert not Counter(kind for kind in kinds if kind) - Counter(mix)
    if p["options"]["mode"] == "digital":
        assert Counter(kinds) == Counter({kind: count for kind, count in mix.items() if count})
    fleeing = p["pending"]["fleeing"] if p["pending"] else []
    tribe = 5 if len(p["players"]) == 2 else 3
    for colour in p["players"]:
        standing = sum(row.count(colour) for row in p["inuits"].values())
        assert standing + p["reserve"][colour]["inuits"] + fleeing.count(colour) == tribe
        assert list(p["igloos"].values()).count(colour) + p["reserve"][colour]["igloos"] == 2
    assert set(p["inuits"]) <= {*p["ice"], *LAND}
    assert set(p["igloos"]) | set(p["foxes"]) <= set(p["ice"])
    assert not set(p["fish"]) & {*p["ice"], *LAND}
    assert len(set(p["bears"])) == len(p["bears"])
    assert not set(p["bears"]) & set(LAND)
    assert set(p["tiles"]) == set(p["ice"])


@settings(max_examples=proof(15, 300))
@given(st.integers(0, 10**9))
def test_conservation_on_any_walk(seed):
    rng = random.Random(seed)
    state = beginning(rng)
    mix = state.rules.mix.tiles
    kept = []
    for _ in range(120):
        p = all_of(state)
        check_table(p, mix)
        kept.append((state, json.dumps(p)))
        legal = moves(state)
        if not legal:
            break
        move = rng.choice(legal)
        after, told = GAME.play(state, move)
        q = all_of(after)
        for name in ("fish", "foxes"):
            gone = tokens(p, name) - tokens(q, name)
            assert not tokens(q, name) - tokens(p, name)
            assert not gone or any(event.event in ("eaten", "thawed") for event in told)
        bears = [
            len(x["bears"]) + x["supply"]["bears"] + sum(y["bears"] for y in x["prey"].values())
            for x in (p, q)
        ]
        assert bears[0] == bears[1] or move.startswith("thaw")
        state = after
    for old, text in kept:  # undo is keeping old states: none was changed by what came after
        assert json.dumps(all_of(old)) == text


@settings(max_examples=proof(15, 300))
@given(st.integers(0, 10**9))
def test_a_state_written_and_read_goes_on_exactly_as_before(seed):
    rng = random.Random(seed)
    state = wander(
        beginning(rng), rng, rng.choice(("action", "attack", "flee", "displace", "draws", "animals"))
    )
    again = GAME.setup(json.loads(json.dumps(all_of(state))), rng.randrange(99))
    for _ in range(40):
        assert all_of(again) == all_of(state)
        legal = moves(state)
        assert legal == moves(again)
        if not legal:
            break
        move = rng.choice(legal)
        assert GAME.read(state, move) == move
        assert str(parse(move)) == move
        state, told = GAME.play(state, move)
        again, told_again = GAME.play(again, move)
        assert told == told_again


SQUARES = [f + r for r in "12345678" for f in "abcdefgh"]
WORDS = {
    "place": [SQUARES], "melt": [SQUARES], "drift": [SQUARES, list("NESW")], "igloo": [SQUARES], "thaw": [SQUARES],
    "displace": [["fish 1", "fish 2", "fish 3", "fox 1", "bear"], SQUARES], "walk": [SQUARES, SQUARES, ["", "harpoon"]],
    "kayak": [SQUARES, SQUARES, ["", "harpoon"]], "stamina": [["1", "2", "3", "4"]], "animals": [], "end": [],
    "hunt": [SQUARES, ["fish 1", "fish 2", "fish 3", "fish 4", "fox 1", "fox 2", "fox 3", "bear"], ["", "harpoon"]],
    "step": [["fish 1", "fish 2", "fish 3", "fox 1", "fox 2", "fox 3", "bear"], SQUARES, SQUARES],
    "flee": [FOUR, SQUARES], "harpoon": [], "no harpoon": [], "draws": [["1", "2", "3"]],
}  # fmt: skip


def any_move(rng):
    verb = rng.choice(list(WORDS))
    return " ".join([verb, *(rng.choice(words) for words in WORDS[verb])]).strip()


@settings(max_examples=proof(25, 500))
@given(st.integers(0, 10**9))
def test_a_move_is_taken_if_and_only_if_it_is_listed(seed):
    rng = random.Random(seed)
    targets = ("place", "pre-melt", "action", "drift", "displace", "animals", "attack", "flee")
    state = wander(beginning(rng), rng, rng.choice(targets))
    legal = set(moves(state))
    tried = [any_move(rng) for _ in range(200)]
    own = [
        square for square, who in all_of(state)["inuits"].items() if GAME.to_act(state)[:1] == tuple(who[:1])
    ]
    for square in own:  # where an Inuit stands, all that it might be sent to
        tried += [f"{verb} {square} {goal}" for verb in ("walk", "kayak") for goal in rng.sample(SQUARES, 20)]
    for move in legal:  # and the legal ones with one word changed
        words = move.split()
        words[rng.randrange(len(words))] = rng.choice((*SQUARES, "1", "2", "3"))
        tried.append(" ".join(words))
    for move in tried:
        if parse(move) is None:
            continue
        why = refusal_of(state, move)
        if why is None:
            assert GAME.read(state, move) in legal or move.startswith("draws"), move
        else:
            assert move not in legal
            assert set(why.nearest) <= legal
            assert why.rule
            assert why.kind in ("illegal", "not-now", "ambiguous")
    for move in legal:
        GAME.play(state, move)


def on_the_table(p):
    """Everything that lies there, whatever its order."""

    def bags(row):
        return {square: sorted(items) for square, items in row.items() if items}

    return (
        p["turn"] if p["phase"] != "over" else None,
        p["phase"], p["ap"], p["ice"], p["tiles"], bags(p["fish"]), bags(p["foxes"]), sorted(p["bears"]),
        bags(p["inuits"]), p["igloos"], bags(p["hands"]), sorted(p["played"]) if p["phase"] != "over" else None,
        {who: (sorted(one["fish"]), sorted(one["foxes"]), one["bears"]) for who, one in p["prey"].items()},
        p["reserve"], p["supply"], p["out"],
    )  # fmt: skip


@settings(max_examples=proof(15, 1000))
@given(st.integers(0, 10**9))
def test_a_slow_program_agrees_on_moves_and_on_what_they_do(seed):
    rng = random.Random(seed)
    state = GAME.new(FOUR[: rng.choice((2, 3, 4))], rng.randrange(10**6), {})[0]
    p = all_of(state)
    for _ in range(LONGEST_GAME):
        legal = moves(state)
        assert len(legal) == len(set(legal))
        assert set(legal) == slow.legal(p)
        if not legal:
            break
        bold = [m for m in legal if m == "animals" or m.startswith(("step bear", "thaw"))]
        move = rng.choice(bold if bold and rng.random() < 0.5 else legal)
        state, p = tell(state, move), slow.apply(p, move)
        assert on_the_table(p) == on_the_table(all_of(state)), move


def test_random_games_end_and_are_replayed_to_the_same_end():
    lengths = []
    for seed in range(proof(60, 10_000)):
        rng = random.Random(seed)
        players, options = FOUR[: 2 + seed % 3], OPTIONS[seed % len(OPTIONS)]
        state, _ = GAME.new(players, seed, options)
        record = []
        while (legal := moves(state)) and len(record) < LONGEST_GAME:
            record.append(rng.choice(legal))
            state = tell(state, record[-1])
        assert GAME.over(state) is not None, "every melt takes a tile that never comes back: a game must end"
        again, _ = GAME.new(players, seed, options)
        assert all_of(tell(again, *record)) == all_of(state)
        totals, parts = GAME.score(state)
        assert GAME.over(state).scores == totals
        for colour, total in totals.items():
            assert total == parts[colour]["animals"] + sum(one["points"] for one in parts[colour]["islands"])
        lengths.append(len(record))
    assert max(lengths) < LONGEST_GAME
