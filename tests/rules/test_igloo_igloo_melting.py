"""Igloo Igloo: setting up, melting, the end, pushes (T-II-1 … T-II-8, T-II-14, T-II-24, T-II-25)."""

from __future__ import annotations

import pytest

from rules.core.refusal import PositionError
from rules.igloo_igloo import mix
from rules.igloo_igloo.game import GAME

from .polar_board import CENTRE, WATER, all_of, events, floes, ice, moves, refused, table, tell

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


DRIFT_ICE = floes("e3", "e4", "f5", "e6", "d4")


def test_t_ii_5_the_drift_example():
    state = table(
        players=["red", "yellow", "green"],
        turn="green",
        phase="drift",
        ap=0,
        ice=DRIFT_ICE,
        tiles={"e3": "fish-2", "e4": "bear"},
        inuits={"e4": ["green"], "f5": ["yellow"]},
        fish={"e5": [1, 2]},
    )
    state = tell(state, "drift e3 N")
    assert GAME.phase(state) == "displace"
    assert moves(state) == ["displace fish 1 d5", "displace fish 2 d5"]
    for square in ("d6", "f6"):
        assert "not adjacent" in refused(state, f"displace fish 1 {square}").text
    state = tell(state, "displace fish 1 d5", "displace fish 2 d5")
    p = all_of(state)
    assert sorted(p["ice"]) == ["d4", "e4", "e5", "e6", "f5"]
    assert p["tiles"]["e4"] == "fish-2"
    assert p["tiles"]["e5"] == "bear"
    assert p["fish"] == {"d5": [1, 2]}
    assert p["inuits"] == {"e5": ["green"], "f5": ["yellow"]}
    assert moves(state, "hunt") == ["hunt d5 fish 1", "hunt d5 fish 2"]
    assert GAME.phase(state) == "action"
    assert p["ap"] == 3


def test_t_ii_6_push_refusals():
    border = table(phase="drift", ice=floes("c6", "c7", "c8", "e5"))
    assert refused(border, "drift c6 N").text == "the ice from c6 would be pushed off the board"
    corner = table(phase="drift", ice=floes("b1", "c1", "e5"))
    assert "land of a1" in refused(corner, "drift c1 W").text
    walled = table(phase="drift", ice=floes("d3", "d5", "c4", "e4", "g7"), fish={"d4": [2]})
    assert "no adjacent sea" in refused(walled, "drift d3 N").text
    two_bears = table(phase="drift", ice=floes("d3", "d5", "e4", "g7"), bears=["d4", "c4"])
    assert "no adjacent sea" in refused(two_bears, "drift d3 N").text
    for state, move in ((border, "drift a4 N"), (walled, "drift d4 N")):
        refusal = refused(state, move)
        assert (refusal.kind, refusal.rule) == ("illegal", "II-10")


def test_d_42_a_displaced_bear_eats_and_never_joins_another():
    state = table(phase="drift", ice=floes("d3", "g7"), bears=["d4", "e4"], fish={"d4": [1], "c4": [3]})
    state = tell(state, "drift d3 N")
    assert "two bears" in refused(state, "displace bear e4").text
    assert "no sea" in refused(state, "displace bear d3").text
    told = events(state, "displace bear c4")
    assert [event.event for event in told] == ["displaced", "eaten"]
    state = tell(state, "displace bear c4")
    assert all_of(state)["fish"] == {"d4": [1]}
    # Fish may go where a bear swims: only a bear that moves attacks (D-48).
    state = tell(state, "displace fish 1 c4")
    assert all_of(state)["fish"] == {"c4": [1]}


def test_d_41_all_to_one_square_where_that_reading_is_chosen():
    state = table(
        phase="drift",
        ice=floes("d3", "g7"),
        bears=["d4", "e4"],
        fish={"d4": [1, 2]},
        options={"refuge_per_token": False},
    )
    state = tell(state, "drift d3 N")
    assert "displace fish 1 e4" not in moves(state)  # where the bear could not follow
    state = tell(state, "displace fish 1 d5")
    assert moves(state) == ["displace fish 2 d5", "displace bear d5"]
    assert GAME.to_json(GAME.setup(all_of(state), 0)) == all_of(state)


def test_t_ii_7_everything_on_the_run_drifts_along_and_what_is_behind_stays():
    state = table(
        phase="drift",
        ice=floes("b4", "c4", "d4", "e4", pack=("d4",)),
        inuits={"d4": ["red", "blue"], "b4": ["red"]},
        igloos={"c4": "red"},
        foxes={"d4": [2], "e4": [1]},
        bears=["e4"],
    )
    state = tell(state, "drift c4 E")
    p = all_of(state)
    assert p["ice"] == {"b4": "hidden", "d4": "hidden", "e4": "pack", "f4": "hidden"}
    assert p["inuits"] == {"b4": ["red"], "e4": ["red", "blue"]}
    assert p["igloos"] == {"d4": "red"}
    assert p["foxes"] == {"e4": [2], "f4": [1]}
    assert p["bears"] == ["f4"]


def test_t_ii_8_without_a_legal_push_the_drift_is_spent():
    two = table(phase="pre-melt", ice=floes("a2", "b3"), tiles={"b3": "drift"}, inuits={"a2": ["red"]})
    assert moves(tell(two, "melt b3")) == ["drift a2 E", "drift a2 N"]  # south of a2 is land
    alone = table(phase="pre-melt", ice=floes("b3"), tiles={"b3": "drift"})
    told = events(alone, "melt b3")
    assert [event.event for event in told] == ["melted", "no-push"]
    state = tell(alone, "melt b3")
    assert GAME.phase(state) == "action"
    assert all_of(state)["ap"] == 3


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


def assumed(**changes: int) -> dict[str, int]:
    return {**mix.load("assumed-v1").tiles, **{kind.replace("_", "-"): n for kind, n in changes.items()}}


def test_t_ii_25_the_mix_and_its_defects():
    assert mix.defects(assumed()) == []
    assert sum(assumed().values()) == 56
    assert [d[:2] for d in mix.defects(assumed(fish_1=5, drift=5))] == ["K2"]
    assert [d[:2] for d in mix.defects(assumed(pack=11, drift=5))] == ["K4"]
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
