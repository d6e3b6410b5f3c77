"""Igloo Igloo: melting, thawing, and the end when nothing is left to melt (T-II-2 … T-II-4, T-II-14)."""

from __future__ import annotations

import pytest

from rules.igloo_igloo.game import GAME

from .polar_board import CENTRE, all_of, floes, ice, moves, refused, table, tell


@pytest.mark.parametrize(
    ("square", "why"),
    [
        ("c4", "an Inuit"),
        ("f5", "an igloo"),
        ("d6", "a fox"),
        ("e6", "a bear"),
        ("c5", "pack ice"),
        ("b2", "not adjacent to sea"),
        ("a1", "land"),
        ("d4", "no ice"),
    ],
)
def test_t_ii_2_melt_refusals(square, why):
    state = table(
        phase="pre-melt",
        ice=ice(*CENTRE, pack=("c5",)),
        inuits={"c4": ["red"]},
        igloos={"f5": "blue"},
        foxes={"d6": [1]},
        bears=["e6"],
    )
    refusal = refused(state, f"melt {square}")
    assert refusal.kind == "illegal"
    assert refusal.rule == "II-7"
    assert why in refusal.text
    assert refusal.nearest


def test_t_ii_3_the_ring_when_nothing_beside_the_sea_is_free():
    rim = {square: ["red"] for square in ("c4", "c5", "d3", "d6", "e3")} | {
        square: ["blue"] for square in ("e6", "f4", "f5", "b2", "g7")
    }
    state = table(phase="pre-melt", inuits=rim, tiles={"b1": "fish-1"}, supply={"fish": [2]})
    assert "melt b1" in moves(state, "melt")
    assert "outer ring" in refused(state, "melt c3").text
    state = tell(state, "melt b1")
    assert all_of(state)["fish"] == {"b1": [2]}
    # b1 is a new sea area of its own: its neighbour c1 lies beside sea now, and the rest of the ring is closed again.
    state = tell(state, "end")
    assert "melt c1" in moves(state, "melt")
    assert "melt h4" not in moves(state, "melt")


def test_t_ii_4_nothing_to_melt_ends_the_game_before_any_hand_tile():
    state = table(
        ice=floes("c4", "c5", pack=("c5",)),
        inuits={"c4": ["blue"]},
        hands={"blue": ["thaw"]},
    )
    state, told = GAME.play(state, "end")
    assert GAME.over(state).rule == "II-7"
    assert GAME.to_act(state) == ()
    assert told[-1].event == "over"
    assert refused(state, "thaw c4").kind == "not-now"
    again = GAME.setup({**all_of(state), "over": None}, 1).over
    assert again.winners == state.over.winners
    assert again.scores == state.over.scores


def test_d_37_who_leaves_himself_nothing_to_melt_ends_the_game():
    state = table(phase="pre-melt", ap=0, ice=floes("c4"), hands={"red": ["thaw"]})
    state = tell(state, "thaw c4")
    assert GAME.over(state).rule == "D-37"


def test_t_ii_14_thaw():
    state = table(
        ice=ice(*CENTRE, "g7", pack=("c5",)),
        inuits={"c4": ["red", "blue"]},
        igloos={"f4": "blue"},
        foxes={"c4": [2]},
        tiles={"c4": "harpoon"},
        hands={"red": ["thaw"]},
    )
    assert "igloo" in refused(state, "thaw f4").text
    assert "pack ice" in refused(state, "thaw c5").text
    assert "not adjacent to sea" in refused(state, "thaw b2").text
    state = tell(state, "thaw c4")
    assert GAME.phase(state) == "flee"
    assert "no land corner" in refused(state, "flee red b1").text
    assert "no Inuit of blue" not in refused(state, "flee red c3").text
    state = tell(state, "flee red a1", "flee blue h8")
    p = all_of(state)
    assert p["inuits"] == {"a1": ["red"], "h8": ["blue"]}
    assert p["foxes"] == {}
    assert p["out"] == {"open": ["thaw"], "thawed": ["harpoon"]}
    assert (p["phase"], p["ap"], p["played"]) == ("action", 3, ["thaw"])
    for seat in ("red", "blue", None):
        assert GAME.view(state, seat)["out"]["thawed"] == [None]


def test_d_35_pack_ice_is_the_melt_and_stays():
    state = table(phase="pre-melt", tiles={"c4": "pack"}, supply={"foxes": [3, 1]})
    state = tell(state, "melt c4")
    p = all_of(state)
    assert (p["ice"]["c4"], p["foxes"], p["supply"]["foxes"], p["phase"]) == (
        "pack",
        {"c4": [3]},
        [1],
        "action",
    )


def test_d_34_what_the_supply_cannot_give_is_not_laid():
    state = table(phase="pre-melt", tiles={"c4": "fish-3", "c5": "bear"}, supply={"fish": [2], "bears": 0})
    assert all_of(tell(state, "melt c4"))["fish"] == {"c4": [2]}
    assert all_of(tell(state, "melt c5"))["bears"] == []
