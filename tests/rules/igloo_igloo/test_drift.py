"""Igloo Igloo: drifting ice, what it pushes along and whom it displaces (T-II-5 … T-II-8)."""

from __future__ import annotations

from rules.igloo_igloo.game import GAME

from .polar_board import all_of, events, floes, moves, refused, table, tell

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
    assert "the ice on c4 to e4 drifts E" in [e.text for e in events(state, "drift c4 E")]
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
