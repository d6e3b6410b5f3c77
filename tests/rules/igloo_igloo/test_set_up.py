"""Igloo Igloo: setting up, and the mix of tiles in the box (T-II-1, T-II-24, T-II-25)."""

from __future__ import annotations

import pytest

from rules.core.refusal import PositionError
from rules.igloo_igloo import mix
from rules.igloo_igloo.game import GAME

from .polar_board import CENTRE, WATER, all_of, moves, refused, table, tell

FOUR = ["red", "blue", "yellow", "green"]


def test_t_ii_1_the_set_up():
    state, told = GAME.new(["red", "blue"], 7, {})
    p = all_of(state)
    assert len(p["ice"]) == len(p["tiles"]) == 56
    assert sorted(p["fish"]) == sorted(CENTRE)
    assert all(len(there) == 1 for there in p["fish"].values())
    assert len(moves(state, "place")) == 24
    assert [event.rule for event in told] == ["II-5", "D-33"]
    while all_of(state)["phase"] == "place":
        state = tell(state, "place a4")
    assert sorted(moves(state, "melt")) == [
        f"melt {s}" for s in ("c4", "c5", "d3", "d6", "e3", "e6", "f4", "f5")
    ]


def test_t_ii_1_an_occupied_tile_of_the_eight_is_not_offered():
    state = table(
        phase="pre-melt", inuits={"c4": ["red"]}, foxes={"d6": [1]}, bears=["e6"], igloos={"f5": "blue"}
    )
    assert moves(state, "melt") == ["melt d3", "melt e3", "melt f4", "melt c5"]


def test_t_ii_24_two_players_place_five_each():
    state, _ = GAME.new(["red", "blue"], 1, {})
    for count in range(10):
        assert GAME.to_act(state) == (("red", "blue")[count % 2],)
        assert GAME.phase(state) == "place"
        state = tell(state, moves(state)[(7 * count) % 24])
    assert GAME.phase(state) == "pre-melt"
    assert GAME.to_act(state) == ("red",)
    placed = all_of(state)["inuits"]
    assert sum(map(len, placed.values())) == 10
    assert all(square[0] in "ah" or square[1] in "18" for square in placed)


def test_ii_5_three_and_four_players_have_three_inuits_each():
    for count in (3, 4):
        state, _ = GAME.new(FOUR[:count], 1, {"first": "random"})
        first = GAME.to_act(state)[0]
        for _ in range(3 * count):
            state = tell(state, "place d1")
        assert GAME.to_act(state) == (first,)
    assert refused(GAME.new(FOUR, 1, {})[0], "place c3").rule == "II-6"
    with pytest.raises(PositionError, match="red and blue"):
        GAME.new(["yellow", "green"], 1, {})


def assumed(**changes: int) -> dict[str, int]:
    return {**mix.load("assumed-v1").tiles, **{kind.replace("_", "-"): n for kind, n in changes.items()}}


def test_t_ii_25_the_mix_and_its_defects():
    assert mix.defects(assumed()) == []
    assert sum(assumed().values()) == 56
    assert [d[:2] for d in mix.defects(assumed(fish_1=5, drift=5))] == ["K2"]
    assert [d[:2] for d in mix.defects(assumed(pack=11, drift=5))] == ["K4"]
    assert mix.defects({"animals": 1})[0] == "K1: the tiles add up to 1; the board takes 56"
    too_many = mix.defects(assumed(drift=10**300))[0]
    assert too_many.endswith("00…; a count is a whole number from 0 to 56")
    assert [d[:2] for d in mix.defects(assumed(drift=5))] == ["K1"]
    assert [d[:2] for d in mix.defects(assumed(bear=5, drift=5))] == ["K3"]
    assert [d[:2] for d in mix.defects(assumed(stamina_1=6, stamina_2=0, stamina_3=0))] == ["K5"]
    every = mix.defects({"fish-2": 13, "bear": 5, "pack": 11, "igloo": 3, "thaw": -1})
    assert [d[:2] for d in every] == ["ti", "ti", "K1", "K2", "K3", "K4", "K5", "K5", "K5", "K5", "K5", "K5"]
    with pytest.raises(PositionError) as wrong:
        GAME.new(["red", "blue"], 1, {"tiles": assumed(pack=11, bear=5), "hardcore": "yes"})
    assert len(wrong.value.defects) == 4


def test_an_owner_gives_the_counts_of_his_own_box():
    own = assumed(fish_3=3, stamina_1=3)
    state, _ = GAME.new(["red", "blue"], 3, {"tiles": own})
    laid = list(all_of(state)["tiles"].values())
    assert {kind: laid.count(kind) for kind in own} == own
    own["fish-1"] = 99  # what was handed in or out is nobody's key to the game
    all_of(state)["options"]["tiles"].clear()
    assert sum(all_of(state)["options"]["tiles"].values()) == 56
    assert GAME.to_json(GAME.setup(all_of(state), 9)) == all_of(state)


def test_the_board_of_the_tests_is_the_board():
    assert len(WATER) == 60
