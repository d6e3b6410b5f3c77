"""Igloo Igloo: bears and their attacks, fish that swim, foxes that walk (T-II-11, T-II-12, T-II-15 … T-II-17)."""

from __future__ import annotations

from rules.igloo_igloo.game import GAME

from .polar_board import CENTRE, all_of, events, ice, moves, refused, table, tell


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
        last, state = state, tell(state, "no harpoon")
    assert [e.text for e in events(last, "no harpoon") if e.event == "hidden"] == ["red hides in the igloo"]
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


def test_a_bear_eats_all_that_is_there():
    state = tell(attacked(), "animals")
    assert "the bear eats all animals on c4 (1)" in [e.text for e in events(state, "step bear d4 c4")]
