"""Igloo Igloo: who may know what (T-II-23)."""

from __future__ import annotations

import json
import random

from rules.core.refusal import Refusal
from rules.igloo_igloo.game import GAME
from tests.parts import proof

from .polar_board import all_of, events, hide_differently, moves, table, tell, wander

FOUR = ["red", "blue", "yellow", "green"]


def test_t_ii_23_a_red_bordered_tile_is_its_holders_secret():
    state = table(phase="pre-melt", tiles={"c4": "stamina-3"})
    told = events(state, "melt c4")
    assert [event.to for event in told] == [None, ("red",)]
    assert told[0].to_json()["tile"] == "red"
    assert told[1].to_json()["tile"] == "stamina-3"
    state = tell(state, "melt c4")
    assert GAME.view(state, "red")["hands"] == {"red": ["stamina-3"], "blue": []}
    for other in ("blue", None):
        view = GAME.view(state, other)
        assert view["hands"] == {"red": [None], "blue": []}
        assert set(view["tiles"].values()) == {None}
        assert "chance" not in view
        assert view["supply"]["fish"] == [None] * len(all_of(state)["supply"]["fish"])


def all_that_is_said(state, seat, texts):
    """Everything that the referee answers to this seat."""
    said = [
        GAME.view(state, seat),
        list(GAME.moves(state, seat)),
        GAME.score(state, seat),
        GAME.to_act(state),
    ]
    for text in texts:
        try:
            GAME.read(state, text, seat)
            after, told = GAME.play(state, text, seat)
        except Refusal as why:
            said.append((type(why).__name__, why.to_json()))
        else:
            said.append([event.to_json() for event in told if event.to is None or seat in event.to])
            said.append(GAME.to_act(after))
    return json.dumps(said)


LINES = [
    "harpoon", "no harpoon", "stamina 1", "stamina", "thaw", "thaw c4", "animals", "end", "melt a1", "melt c4 fish-2",
    "melt c4 red", "draws 1", "igloo c4", "walk", "hunt d4 fish 3", "hunt d4 fish 3 harpoon", "kayak c4 f4",
    "flee red a1", "step bear c3 c4", "drift c4 N", "displace fish 2 d5", "place b1", "nonsense",
]  # fmt: skip


def test_a_seat_sees_nothing_of_what_it_cannot_know():
    """Views, moves, refusals, nearest and events are the same bytes when only the hidden things differ."""
    rng = random.Random(5)
    compared = set()
    targets = ("action", "animals", "attack", "flee", "pre-melt", "drift", "displace")
    for seed in range(proof(140, 2100)):
        players = FOUR[: 2 + seed % 3]
        state = wander(GAME.new(players, seed, {})[0], rng, targets[seed % 7])
        for seat in (*players, None):
            other = hide_differently(state, seat, rng)
            # A melt turns a tile over, and a token drawn is new to all: only what is asked before may be compared.
            lines = [line for line in LINES if not (line.startswith("melt") and line in moves(state))]
            if seat is None:
                assert json.dumps(GAME.view(state, None)) == json.dumps(GAME.view(other, None))
            else:
                assert all_that_is_said(state, seat, lines) == all_that_is_said(other, seat, lines)
            compared.add(GAME.phase(state))
    assert {"pre-melt", "action", "animals", "attack", "flee", "drift", "displace"} <= compared


def test_a_view_set_up_again_deals_what_it_hides():
    state, _ = GAME.new(["red", "blue"], 5, {})
    for _ in range(60):
        state = tell(state, moves(state)[0])
    view = GAME.view(state, "red")
    dealt = GAME.setup(view, 11)
    assert GAME.view(dealt, "red") == view
    assert all_of(dealt) == all_of(GAME.setup(view, 11))
    assert all_of(dealt) != all_of(GAME.setup(view, 12))
