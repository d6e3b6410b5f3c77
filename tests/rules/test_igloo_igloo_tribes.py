"""Igloo Igloo: what Inuits do, hand tiles, bears, the hardcore variant (T-II-9 … T-II-18, T-II-22)."""

from __future__ import annotations

import pytest

from rules.igloo_igloo.game import GAME

from .polar_board import CENTRE, LAND, all_of, events, floes, ice, moves, refused, table, tell


def goals(state, start, verb="kayak"):
    return {move.split()[2] for move in moves(state, f"{verb} {start} ")}


def test_t_ii_9_the_kayak_example():
    sea = (*CENTRE, "c4", "g7", "g8")
    state = table(ice=ice(*sea), inuits={"b4": ["red"]})
    assert goals(state, "b4") == {"c3", "c5", "d3", "d6", "e3", "e6", "f4", "f5"}
    for far in ("f7", "h7", "g6", "f8", "h8"):
        assert refused(state, f"kayak b4 {far}").rule == "II-11"
    barred = table(ice=ice(*sea), inuits={"b4": ["red"]}, bears=["d4"])
    assert goals(barred, "b4") == {"c3", "c5"}
    for beyond in ("d3", "e3", "f4"):
        assert "bears block" in refused(barred, f"kayak b4 {beyond}").text
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


def test_t_ii_11_a_bear_costs_a_harpoon_and_never_points():
    state = table(
        ice=ice(*CENTRE, "g7", "g6"),
        inuits={"c4": ["red"]},
        bears=["c4"],
        hands={"red": ["stamina-1"]},
    )
    state = tell(state, "stamina 1")
    assert all_of(state)["ap"] == 4
    refusal = refused(state, "hunt c4 bear")
    assert refusal.rule == "II-11"
    assert "only with a harpoon" in refusal.text
    armed = table(
        ice=ice(*CENTRE, "g7"), inuits={"c4": ["red"]}, bears=["c4"], hands={"red": ["harpoon"]}, ap=0
    )
    armed = tell(armed, "hunt c4 bear harpoon")
    p = all_of(armed)
    assert (p["ap"], p["bears"], p["prey"]["red"]["bears"], p["hands"]["red"]) == (0, [], 1, [])


def test_t_ii_12_entering_a_bears_tile():
    given = {"ice": ice(*CENTRE, "g7", "g6"), "inuits": {"b4": ["red"]}, "bears": ["b5", "a4"]}
    assert refused(table(**given), "walk b4 b5").rule == "II-11"
    assert refused(table(**given), "walk b4 b5 harpoon").rule == "II-12"
    state = table(**given, hands={"red": ["harpoon", "harpoon"]})
    assert refused(state, "walk b4 b5").nearest[0] == "walk b4 b5 harpoon"
    assert "no bear" in refused(state, "walk b4 b3 harpoon").text
    state = tell(state, "walk b4 b5 harpoon")
    p = all_of(state)
    assert (p["ap"], p["bears"], p["inuits"], p["hands"]["red"]) == (2, ["a4"], {"b5": ["red"]}, ["harpoon"])
    state = tell(state, "walk b5 b4")
    assert refused(state, "walk b4 a4 harpoon").rule == "D-44"


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


def attacked(hands=None, **more):
    """T-II-15: Green moves the bear from d4 to c4, where red (with an igloo), blue and yellow stand beside a fox."""
    return table(
        players=["red", "blue", "yellow", "green"],
        turn="green",
        ice=ice(*CENTRE, "g7", "g6", "f7"),
        inuits={"c4": ["red", "blue", "yellow"]},
        igloos={"c4": "red"},
        foxes={"c4": [1]},
        bears=["d4"],
        hands={"green": ["animals"], **(hands or {})},
        **more,
    )


def test_t_ii_15_a_bear_attacks_where_one_can_hide():
    state = tell(attacked(), "animals", "step bear d4 c4")
    assert all_of(state)["foxes"] == {}
    for colour in ("red", "blue", "yellow"):
        assert GAME.to_act(state) == (colour,)
        assert GAME.phase(state) == "attack"
        assert refused(state, "no harpoon", "green").kind == "not-now"
        state = tell(state, "no harpoon")
    assert (GAME.phase(state), GAME.to_act(state)) == ("flee", ("green",))
    assert len(moves(state)) == 8
    assert "no Inuit of red" in refused(state, "flee red a1").text
    state = tell(state, "flee yellow a1", "flee blue a1")
    p = all_of(state)
    assert p["inuits"] == {"a1": ["blue", "yellow"], "c4": ["red"]}
    assert p["bears"] == ["c4"]
    assert p["pending"]["points"] == 2
    assert p["phase"] == "animals"


def test_t_ii_15_a_harpoon_ends_the_attack():
    state = tell(attacked({"blue": ["harpoon"]}), "animals", "step bear d4 c4", "no harpoon")
    state = tell(state, "harpoon")
    p = all_of(state)
    assert p["prey"]["blue"]["bears"] == 1
    assert p["inuits"] == {"c4": ["red", "blue", "yellow"]}
    assert (p["bears"], p["foxes"], p["hands"]["blue"]) == ([], {}, [])
    # The bear was the only animal: the two points that are left cannot be used (D-45).
    assert (p["phase"], p["ap"], p["played"]) == ("action", 3, ["animals"])


def test_d_49_the_mover_is_asked_last_and_d_44_binds_him():
    state = table(
        ice=ice(*CENTRE, "g7", "g6", "f7"),
        inuits={"c4": ["red", "blue"], "c3": ["red"]},
        bears=["d4", "c2"],
        hands={"red": ["animals", "harpoon", "harpoon"]},
    )
    state = tell(state, "animals", "step bear d4 c4", "no harpoon", "harpoon")
    assert all_of(state)["played"] == ["animals", "harpoon"]
    state = tell(state, "step bear c2 c3")
    assert moves(state) == ["no harpoon"]
    refusal = refused(state, "harpoon")
    assert (refusal.kind, refusal.rule) == ("not-now", "D-44")
    # Who defends in another's turn may have played a harpoon in that turn before.
    state = table(
        ice=ice(*CENTRE, "g7", "g6", "f7"),
        inuits={"c4": ["blue"], "c3": ["blue"]},
        bears=["d4", "c2"],
        hands={"red": ["animals"], "blue": ["harpoon", "harpoon"]},
    )
    state = tell(state, "animals", "step bear d4 c4", "harpoon", "step bear c2 c3", "harpoon")
    assert all_of(state)["prey"]["blue"]["bears"] == 2


def test_d_44_the_movers_own_harpoon_disarms_nobody_else():
    state = table(
        ice=ice(*CENTRE, "g7", "g6", "f7"),
        inuits={"c4": ["blue"], "c3": ["red"]},
        bears=["d4"],
        foxes={"c3": [1]},
        hands={"red": ["animals", "harpoon"], "blue": ["harpoon"]},
    )
    state = tell(state, "hunt c3 fox 1 harpoon", "animals", "step bear d4 c4")
    assert moves(state) == ["harpoon", "no harpoon"]
    assert all_of(tell(state, "harpoon"))["prey"]["blue"]["bears"] == 1


def test_t_ii_16_a_bear_attacks_on_every_square_it_enters():
    state = table(
        ice=ice(*CENTRE, "g7"),
        inuits={"c4": ["blue"], "c5": ["blue"]},
        bears=["c3", "d5"],
        hands={"red": ["animals"]},
    )
    state = tell(state, "animals")
    assert (
        refused(tell(state, "step bear d5 c5", "no harpoon", "flee blue a1"), "step bear c3 c5").rule
        == "II-12"
    )
    state = tell(
        state,
        "step bear c3 c4",
        "no harpoon",
        "flee blue a1",
        "step bear c4 c5",
        "no harpoon",
        "flee blue h8",
    )
    p = all_of(state)
    assert p["inuits"] == {"a1": ["blue"], "h8": ["blue"]}
    assert p["bears"] == ["c5", "d5"]
    assert "a bear on d5 already" in refused(state, "step bear c5 d5").text
    corner = tell(table(ice=ice(*CENTRE, "g7"), bears=["a2"], hands={"red": ["animals"]}), "animals")
    assert "land" in refused(corner, "step bear a2 a1").text


def test_t_ii_17_fish_swim_and_foxes_walk():
    state = table(
        ice=ice(*CENTRE, "g7"),
        inuits={"c4": ["blue"]},
        foxes={"c3": [2], "a2": [1], "c5": [3]},
        fish={"d4": [3]},
        hands={"red": ["animals"]},
    )
    state = tell(state, "animals")
    assert "no ice" in refused(state, "step fox 3 c5 d5").text
    assert "not adjacent" in refused(state, "step fox 2 c3 d4").text
    assert "no sea" in refused(state, "step fish 3 d4 c4").text
    assert "no ice" in refused(state, "step fox 1 a2 a1").text
    state = tell(state, "step fox 2 c3 c4")
    assert all_of(state)["foxes"] == {"a2": [1], "c4": [2], "c5": [3]}
    assert GAME.phase(state) == "animals"


def test_d_45_all_three_points_or_up_to_three():
    given = {"ice": ice(*CENTRE, "g7"), "fish": {"d4": [1]}, "hands": {"red": ["animals"]}}
    state = tell(table(**given), "animals", "step fish 1 d4 d5")
    assert refused(state, "end").kind == "not-now"
    state = tell(state, "step fish 1 d5 d4", "step fish 1 d4 e4")
    assert GAME.phase(state) == "action"
    loose = tell(table(**given, options={"move_animals_exact": False}), "animals", "step fish 1 d4 d5", "end")
    assert (GAME.phase(loose), all_of(loose)["turn"]) == ("action", "red")
    none = table(ice=ice(*CENTRE, "g7"), hands={"red": ["animals"]})
    assert GAME.phase(tell(none, "animals")) == "action"


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


def test_each_attacked_player_is_told_the_same():
    with_one, without = attacked({"blue": ["harpoon"]}), attacked({"blue": ["thaw"]})
    for seat in ("red", "yellow", "green"):
        for state in (with_one, without):
            assert GAME.view(state, seat)["hands"]["blue"] == [None]
    line = ("animals", "step bear d4 c4", "no harpoon")
    armed, bare = tell(with_one, *line), tell(without, *line)
    assert events(armed, "no harpoon") == events(bare, "no harpoon")
    assert GAME.to_act(armed) == GAME.to_act(bare) == ("blue",)
    assert moves(armed, seat="green") == moves(bare, seat="green") == []


def test_floes_may_be_few():
    assert moves(table(ice=floes("b1"), inuits={"a1": ["red"]}), "walk") == ["walk a1 b1"]
