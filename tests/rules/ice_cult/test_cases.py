"""T-IC-1 to T-IC-23: the rule book's examples and the decisions, told as games. Stacks are written bottom first."""

from __future__ import annotations

from itertools import permutations

import pytest

from tests.rules.telling import Table, ice_cult, new, stacks


def test_t_ic_1_a_pawn_lands_on_a_stack_and_one_deeper_in_it_carries_the_rest() -> None:
    table = ice_cult(
        "Y",
        ("yellow>N", "yellow>N", "blue>W", "green>S"),
        {"N1": "GYR", "S2": "G"},
        pool="YYBB",
        players="YRGB",
    )
    table.play("use NW pool")
    assert stacks(table)["N1"] == "GYRY"
    table.play("use NE 1#2")
    assert stacks(table) == {"N1": "G", "N2": "YRY", "S2": "G"}
    table.play("use SE pool", "use SW 2")
    assert stacks(table) == {"N1": "G", "N2": "YRY", "W1": "B", "S3": "G"}
    table.play("end")
    assert table.game.to_act(table.state) == ("red",)


def test_t_ic_2_throwing_riders_off_and_an_arrow_that_lapses() -> None:
    table = ice_cult(
        "R", ("yellow>E", "red>E", "red>E", "green>S"), {"E2": "RRRYB", "N3": "GG", "N4": "G"}, home="GG"
    )
    table.play("use NW 2")
    assert stacks(table)["E3"] == "YB"
    table.play("use NE 2#1")
    assert stacks(table)["E3"] == "YBRRR"
    table.play("use SE 3#3")
    assert stacks(table) == {"E3": "YB", "E4": "RRR", "N3": "GG", "N4": "G"}
    table.refuses("use SW pool", "IC-10", "not-now")
    table.play("end")


def test_t_ic_3_a_circle_copies_and_red_stays_behind() -> None:
    table = ice_cult("Y", ("yellow>N", "yellow>N", "red>N", "circle"), {"N1": "YY", "N2": "R"})
    table.play("use NW 1", "use NE 1", "use SE 2", "copy SW NW 3#2")
    assert stacks(table) == {"N3": "R", "N4": "YY"}


def test_t_ic_4_two_circles_on_one_arrow() -> None:
    tops = ("green>E", "circle", "circle", "arc")
    table = ice_cult("G", tops, {"E1": "G", "E3": "G"}, pool="G")
    table.play("use NW 3", "copy NE NW 1", "copy SE NW 2")
    assert stacks(table) == {"E3": "G", "E4": "G"}
    table.play("end")
    one_pawn = ice_cult("G", tops, {"E1": "G", "E3": "G"}, pool="G")
    one_pawn.play("use NW 1", "copy NE NW 2", "copy SE NW 3#2")
    assert stacks(one_pawn) == {"E3": "G", "E4": "G"}
    three_pawns = ice_cult("G", tops, {"E1": "G", "E3": "G"}, pool="G")
    three_pawns.play("use NW 3", "copy NE NW 1", "copy SE NW pool")
    assert stacks(three_pawns) == {"E1": "G", "E2": "G", "E4": "G"}


def test_t_ic_5_two_circles_on_arrows_of_two_colours() -> None:
    table = ice_cult("G", ("green>E", "red>N", "circle", "circle"), {"E1": "G", "N2": "RGG"}, pool="G")
    table.play("use NW 1", "copy SE NW pool", "use NE 2", "copy SW NE 3")
    assert stacks(table) == {"E1": "G", "E2": "G", "N4": "RGG"}


@pytest.mark.parametrize(("home", "winners"), [("RRR", ["red"]), ("RR", None)])
def test_t_ic_6_four_steps_carry_the_own_pawns_home(home: str, winners: list[str] | None) -> None:
    table = ice_cult("R", ("yellow>W", "circle", "circle", "circle"), {"W2": "YRR"}, home=home)
    table.play("use NW 2", "copy NE NW 3", "copy SE NW 4", "copy SW NW 5")
    assert stacks(table) == {}
    assert table.json["home"] == {"red": len(home) + 2, "yellow": 1, "green": 0, "blue": 0}
    assert (table.over and table.over["winners"]) == winners
    assert (table.over and table.over["rule"]) == (winners and "IC-15")


def test_t_ic_7_an_arc_turns_an_arrow_first() -> None:
    tops = ("red>N", "red>N", "yellow>E", "arc")
    table = ice_cult("Y", tops, pool="RRY")
    table.play("turn SW NE cw", "use NW pool", "use NE pool", "use SE pool")
    assert stacks(table) == {"N1": "R", "E1": "RY"}
    table.play("end")
    unturned = ice_cult("Y", tops, pool="RRY").play("use NW pool", "use NE pool", "use SE pool")
    assert stacks(unturned) == {"N1": "RR", "E1": "Y"}


def test_t_ic_8_two_arcs_turn_one_arrow_twice() -> None:
    table = ice_cult("G", ("green>N", "arc", "green>S", "arc"), pool="GG")
    table.play("turn NE SE cw")
    assert table.json["tops"]["SE"] == "green>W"
    table.play("turn SW SE cw")
    assert table.json["tops"]["SE"] == "green>N"
    table.play("use NW pool", "use SE pool")
    assert stacks(table) == {"N1": "GG"}


def test_t_ic_9_a_circle_copies_an_arrow_as_it_lies_now() -> None:
    table = ice_cult("R", ("yellow>N", "red>E", "circle", "arc"), pool="YYR")
    table.play("use NW pool", "turn SW NW cw", "copy SE NW pool", "use NE pool")
    assert stacks(table) == {"N1": "Y", "E1": "YR"}
    table.play("end")


def test_t_ic_10_tilts_that_are_refused_and_how_many_are_not() -> None:
    table = new("ice-cult", ["yellow", "red"])
    assert "it is written tilt n>S" in table.refuses("tilt NW SE", None, "unreadable").text
    table.refuses("tilt w>N", "IC-4", "illegal")
    table.refuses("use NW pool", "IC-6", "not-now")
    table.play("tilt n>N")
    table.refuses("tilt n>S", "IC-5", "illegal")
    table.refuses("use NW pool", "IC-6", "not-now")
    table.refuses("end", "IC-4", "not-now")
    assert {"tilt n>N", "tilt s>S", "tilt w>E"} <= set(table.moves())
    sequences, outcomes = 0, set()
    start = new("ice-cult", ["yellow", "red"])
    for first in start.moves():
        one = Table("ice-cult", start.state).play(first)
        for second in one.moves():
            sequences += 1
            outcomes.add(Table("ice-cult", one.state).play(second).state.cubes)
    assert (sequences, len(outcomes)) == (56, 44)


def test_t_ic_11_what_the_assumed_cubes_show() -> None:
    table = new("ice-cult", ["yellow", "red"]).play("tilt n>N")
    assert table.json["tops"] == {"NW": "green>S", "NE": "red>E", "SE": "arc", "SW": "arc"}
    north = new("ice-cult", ["yellow", "red"]).play("tilt n>N", "tilt n>N")
    south = new("ice-cult", ["yellow", "red"]).play("tilt n>S", "tilt n>S")
    assert north.json["cubes"] == south.json["cubes"]


def test_t_ic_12_no_arrow_on_top() -> None:
    table = ice_cult("R", ("circle", "circle", "arc", "arc"), pool="RYGB")
    assert "end" in table.moves()
    assert not [move for move in table.moves() if move.startswith(("use", "copy"))]
    table.play("turn SE NW ccw", "end")


def test_t_ic_13_what_can_be_used_must_be_used() -> None:
    home = ice_cult("Y", ("red>N", "arc", "arc", "arc"), {"N5": "R"})
    why = home.refuses("end", "IC-11", "not-now")
    assert "use NW 5" in why.nearest or "red>N on NW" in why.text
    home.play("use NW 5", "end")
    circle = ice_cult("Y", ("red>N", "circle", "arc", "arc"), pool="R").play("use NW pool")
    circle.refuses("end", "IC-11", "not-now")
    circle.play("copy NE NW 1", "end")
    free = ice_cult("Y", ("red>N", "circle", "arc", "arc"), pool="R", options={"circles_compulsory": False})
    free.play("use NW pool", "end")


def test_t_ic_14_no_waste_is_local() -> None:
    table = ice_cult("G", ("green>N", "green>E", "arc", "arc"), {"N2": "G"}, pool="G", home="GGG")
    table.play("use NW pool", "end")
    both = ice_cult("G", ("green>N", "green>E", "arc", "arc"), {"N2": "G"}, pool="G", home="GGG")
    both.play("use NW 2", "use NE pool")


def test_t_ic_15_a_turn_that_makes_an_arrow_playable() -> None:
    table = ice_cult("Y", ("red>N", "arc", "arc", "arc"), {"E2": "R"})
    assert "end" in table.moves()
    table.play("turn NE NW cw")
    table.refuses("end", "IC-11", "not-now")
    table.play("use NW 2", "end")


def test_t_ic_16_a_turn_that_makes_an_arrow_lapse() -> None:
    table = ice_cult("Y", ("red>N", "arc", "arc", "arc"), {"N2": "R"})
    table.play("turn NE NW ccw", "end")


def test_t_ic_17_both_fifths_leave_and_the_mover_wins_alone() -> None:
    table = ice_cult("R", ("red>N", "arc", "arc", "arc"), {"N5": "RY"}, home="RRRRYYYY").play("use NW 5")
    assert table.over is not None
    assert (table.over["winners"], table.over["rule"], table.phase) == (["red"], "IC-15", "over")
    table.refuses("end", "IC-15", "not-now")


@pytest.mark.parametrize(("stack", "winners"), [("BYG", ["yellow", "green"]), ("BY", ["yellow"])])
def test_t_ic_18_the_fifths_of_others(stack: str, winners: list[str]) -> None:
    table = ice_cult("R", ("blue>N", "arc", "arc", "arc"), {"N5": stack}, home="BBYYYYGGGG", players="RYG")
    table.play("use NW 5")
    assert table.over is not None
    assert table.over["winners"] == winners


def test_t_ic_19_at_the_same_time_means_in_one_step() -> None:
    def fifths() -> Table:
        return ice_cult(
            "R", ("yellow>N", "red>E", "arc", "arc"), {"N5": "Y", "E5": "R"}, home="YYYYRRRR", players="RY"
        )

    yellow_first, red_first = fifths().play("use NW 5"), fifths().play("use NE 5")
    assert yellow_first.over is not None
    assert yellow_first.over["winners"] == ["yellow"]
    assert red_first.over is not None
    assert red_first.over["winners"] == ["red"]


def test_t_ic_20_neutral_colours_end_nothing() -> None:
    table = ice_cult("R", ("blue>N", "blue>E", "arc", "arc"), {"N5": "B"}, home="BBBB", players="RY")
    table.play("use NW 5")
    assert table.over is None
    tower = ice_cult("R", ("blue>N", "arc", "arc", "arc"), {"N1": "BBBB"}, pool="B", players="RY")
    tower.play("use NW pool")
    assert stacks(tower) == {"N1": "BBBBB"}
    assert tower.over is None


def test_t_ic_21_five_in_one_stack_win_early() -> None:
    table = ice_cult("R", ("red>E", "arc", "arc", "arc"), {"E1": "R", "E2": "RYRRR"}).play("use NW 1")
    assert table.over is not None
    assert (table.over["winners"], table.over["rule"]) == (["red"], "IC-17")


def test_t_ic_22_a_stack_that_somebody_else_completes() -> None:
    def green_moves(stack: str, **options: bool) -> Table:
        table = ice_cult("G", ("red>E", "arc", "arc", "arc"), {"E1": stack, "E2": "RRRRGGG"}, options=options)
        return table.play("use NW 1")

    only_red, both = green_moves("R"), green_moves("RGG")
    assert only_red.over is not None
    assert only_red.over["winners"] == ["red"]
    assert both.over is not None
    assert both.over["winners"] == ["green"]
    assert green_moves("R", five_stack_by_anyone=False).over is None
    own = green_moves("RGG", five_stack_by_anyone=False)
    assert own.over is not None
    assert own.over["winners"] == ["green"]


def test_t_ic_23_five_at_home_are_no_tower() -> None:
    table = ice_cult("Y", ("red>N", "arc", "arc", "arc"), {"N5": "R"}, home="RRRR").play("use NW 5")
    assert table.over is not None
    assert (table.over["winners"], table.over["rule"]) == (["red"], "IC-15")


def test_the_order_of_tickets_is_free() -> None:
    tops = ("red>N", "yellow>E", "green>S", "blue>W")
    uses = [f"use {slot} pool" for slot in ("NW", "NE", "SE", "SW")]
    ends = set()
    for order in permutations(uses):
        table = ice_cult("R", tops, pool="RYGB").play(*order, "end")
        ends.add(table.state)
    assert len(ends) == 1
