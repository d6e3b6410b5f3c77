"""IGLOO: a move drawn at random is any legal one alike, and the first of a list are a fair sample."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice

from rules.looney.game import GAME
from rules.looney.moves import strides

from .pyramids import TINY, begun, tell


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
