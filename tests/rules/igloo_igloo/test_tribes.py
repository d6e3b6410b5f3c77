"""Igloo Igloo: what Inuits do, hand tiles, igloos, the hardcore variant (T-II-9, -10, -13, -18, -22)."""

from __future__ import annotations

import pytest

from rules.igloo_igloo.game import GAME

from .polar_board import CENTRE, LAND, all_of, floes, ice, moves, refused, table, tell


def goals(state, start, verb="kayak"):
    return {move.split()[2] for move in moves(state, f"{verb} {start} ")}


def test_t_ii_9_the_kayak_example():
    sea = (*CENTRE, "c4", "g7", "g8")
    state = table(ice=ice(*sea), inuits={"b4": ["red"]})
    assert goals(state, "b4") == {"c3", "c5", "d3", "d6", "e3", "e6", "f4", "f5"}
    for far in ("f7", "h7", "g6", "f8", "h8"):
        assert refused(state, f"kayak b4 {far}").rule == "II-11"
        assert "bears" not in refused(state, f"kayak b4 {far}").text
    barred = table(ice=ice(*sea), inuits={"b4": ["red"]}, bears=["d4"])
    assert goals(barred, "b4") == {"c3", "c5"}
    for beyond in ("d3", "e3", "f4"):
        assert "bears block" in refused(barred, f"kayak b4 {beyond}").text
    assert (
        "bears" not in refused(barred, "kayak b4 f7").text
    )  # without the bear it could not be reached either
    diagonal = table(ice=ice("c3", "d4", "g7", "g8"), inuits={"b3": ["red"]})
    assert goals(diagonal, "b3") == {"c2", "c4", "d3"}


def test_kayak_needs_ice_to_start_from_unless_the_other_reading_is_chosen():
    given = {"ice": ice("a2", "b1", "b2", "g7"), "inuits": {"a1": ["red"]}}
    assert refused(table(**given), "kayak a1 a3").rule == "D-52"
    state = table(**given, options={"kayak_from_corner": True})
    assert goals(state, "a1") == {"a3", "b3", "c1", "c2"}


def test_t_ii_10_action_points():
    state = table(inuits={"b4": ["red"]})
    walked = tell(state, "walk b4 b5", "walk b5 b6", "walk b6 b5")
    assert (all_of(walked)["ap"], moves(walked)) == (0, ["end"])
    state = table(inuits={"c4": ["red"]})
    assert moves(tell(state, "kayak c4 f4")) == ["end"]
    state = table(
        inuits={"b4": ["red"]},
        ice=ice(*CENTRE, "g7"),
        hands={"red": ["stamina-2"]},
        reserve={"red": {"igloos": 1}},
    )
    state = tell(state, "stamina 2", "igloo b4", "walk b4 b5", "walk b5 b4")
    assert all_of(state)["ap"] == 0
    state = table(inuits={"c4": ["red"]}, fish={"d4": [2]})
    state = tell(state, "hunt d4 fish 2", "walk c4 c3")
    assert all_of(state)["prey"]["red"] == {"fish": [2], "foxes": [], "bears": 0}
    state = tell(table(), "end")
    assert (all_of(state)["ap"], all_of(state)["turn"]) == (0, "blue")


def test_no_animal_is_taken_for_a_neighbour():
    sea = ("b3", "c3", "d3", "d4", "e4", "b5", "d5", "e5")
    fish = {square: [1, 2, 3] for square in ("d3", "d4", "e4", "d5")}
    foxes = {"c4": [1], "b4": [2], "c5": [3]}
    state = table(
        inuits={"c4": ["red"]}, fish=fish, foxes=foxes, ice=ice(*sea), ap=20, hands={"red": ["harpoon"]}
    )
    for square in ("b3", "c3", "d3", "b4", "c4", "d4", "c5", "d5"):
        for value in (0, *range(4, 16)):  # no animal has such a value, whatever lies next door
            for animal in ("fish", "fox"):
                assert refused(state, f"hunt {square} {animal} {value}").kind == "illegal"
                assert refused(state, f"hunt {square} {animal} {value} harpoon").kind == "illegal"


def test_d_56_a_kayak_lands_on_a_bear_only_with_a_harpoon():
    given = {"ice": ice(*CENTRE, "g7"), "inuits": {"c4": ["red"]}, "bears": ["f4"]}
    assert "f4" not in goals(table(**given), "c4")
    state = table(**given, hands={"red": ["harpoon"]})
    assert "kayak c4 f4 harpoon" in moves(state)
    assert all_of(tell(state, "kayak c4 f4 harpoon"))["prey"]["red"]["bears"] == 1


def test_t_ii_13_one_tile_of_each_kind_in_a_turn():
    state = table(ice=ice(*CENTRE, "g7", "g6", "f7"), hands={"red": ["stamina-1", "stamina-2", "thaw"]})
    state = tell(state, "stamina 1")
    refusal = refused(state, "stamina 2")
    assert (refusal.kind, refusal.rule) == ("not-now", "D-44")
    state = tell(state, "thaw c4")
    assert all_of(state)["played"] == ["stamina", "thaw"]
    assert all_of(tell(state, "end"))["played"] == []


def test_t_ii_18_igloo_refusals():
    given = {
        "ice": ice(*CENTRE, "g7"),
        "inuits": {"b4": ["red", "blue"], "b5": ["red"], "b6": ["red"], "a1": ["red"]},
        "igloos": {"b5": "blue"},
        "reserve": {"red": {"igloos": 1}},
    }
    state = table(**given)
    assert "another tribe" in refused(state, "igloo b4").text
    assert "an igloo on b5 already" in refused(state, "igloo b5").text
    assert refused(state, "igloo a1").rule == "D-54"
    assert "no Inuit" in refused(state, "igloo g2").text
    assert all_of(tell(state, "igloo b6"))["igloos"] == {"b5": "blue", "b6": "red"}
    poor = table(**{**given, "reserve": {}})
    assert (refused(poor, "igloo b6").kind, "no igloo left" in refused(poor, "igloo b6").text) == (
        "not-now",
        True,
    )
    tired = table(**given, ap=2)
    assert (refused(tired, "igloo b6").kind, refused(tired, "igloo b6").rule) == ("not-now", "II-11")


@pytest.mark.parametrize("options", [{"hardcore": True}, {"hardcore_entry": True}])
def test_t_ii_22_hardcore_bars_the_way_into_an_opponents_igloo(options):
    given = {
        "ice": ice(*CENTRE, "g7"),
        "inuits": {"c4": ["red"]},
        "igloos": {"c3": "blue", "c5": "red", "f4": "blue", "f5": "red"},
    }
    for start in ("walk c4 c3", "kayak c4 f4"):
        assert refused(table(**given, options=options), start).rule == "II-23"
        assert start in moves(table(**given))
    for start in ("walk c4 c5", "kayak c4 f5"):
        assert start in moves(table(**given, options=options))


def test_d_51_land_and_d_53_fishing_from_it():
    given = {"ice": ice(*CENTRE, "a2", "g7"), "inuits": {"a1": ["red"], "b8": ["red"]}, "fish": {"a2": [1]}}
    state = table(**given)
    assert "walk b8 a8" in moves(state)
    assert "hunt a2 fish 1" in moves(state)
    strict = table(**given, options={"land_walkable": False, "fishing_from_land": False})
    assert refused(strict, "walk b8 a8").rule == "D-51"
    assert refused(strict, "hunt a2 fish 1").kind == "not-now"
    assert "walk a1 b1" in moves(strict)
    assert not any(land in move.split()[2] for move in moves(strict, "walk") for land in LAND)


def test_d_66_a_harpoon_replaces_points_and_not_reach():
    state = table(
        ice=ice(*CENTRE, "g7"),
        inuits={"c4": ["red"]},
        fish={"d4": [3], "e4": [3]},
        hands={"red": ["harpoon"]},
        ap=0,
    )
    assert moves(state, "hunt") == ["hunt d4 fish 3 harpoon"]
    assert refused(state, "hunt e4 fish 3 harpoon").rule == "II-11"
    assert all_of(tell(state, "hunt d4 fish 3 harpoon"))["ap"] == 0


def test_what_can_be_left_out_is_left_out_and_what_is_ambiguous_is_asked():
    state = table(
        ice=ice(*CENTRE, "g7", "g6"),
        inuits={"c4": ["red"]},
        fish={"d4": [1, 2, 2]},
        hands={"red": ["stamina-3"]},
    )
    refusal = refused(state, "hunt d4 fish")
    assert refusal.kind == "ambiguous"
    assert refusal.candidates == ("hunt d4 fish 1", "hunt d4 fish 2")
    assert all_of(tell(state, "stamina"))["ap"] == 6
    assert GAME.read(state, "  Hunt  D4 fish 1 ") == "hunt d4 fish 1"
    for text in (
        "",
        "dance c4",
        "walk b4 z9",
        "hunt c5 bear 4",
        "melt c4 fish-0",
        "walk b4 b5 spear",
        "x" * 300,
        "end now",
    ):
        assert refused(state, text).kind == "unreadable", text


def test_floes_may_be_few():
    assert moves(table(ice=floes("b1"), inuits={"a1": ["red"]}), "walk") == ["walk a1 b1"]
