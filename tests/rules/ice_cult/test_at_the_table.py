"""Ice Cult as people play it: cubes put right by hand, moves said in part, who begins, whose turn it is, giving up."""

from __future__ import annotations

import pytest

from rules.core.refusal import Illegal
from tests.rules.telling import ice_cult, new


def test_the_cubes_of_a_book_position_are_given_by_correct() -> None:
    table = ice_cult("R", ("circle", "circle", "arc", "arc"), players="RY").play("end")
    table.refuses("tilt n>N", "IC-3", "not-now")
    for slot, cube, up, north in (("NW", "A", "D", "N"), ("NE", "B", "D", "N"), ("SE", "C", "U", "S")):
        table.play(f"correct {slot} {cube} {up} {north}")
    table.refuses("tilt n>N", "IC-3", "not-now")
    table.play("correct SW D U E")
    assert len(table.moves()) == 8
    table.refuses("correct NW A U N", "IC-3", "not-now")  # digital: now the referee knows better


def test_a_correction_that_contradicts_the_book_is_refused() -> None:
    table = ice_cult("R", ("circle", "circle", "arc", "arc"), players="RY")
    with pytest.raises(Exception, match="would show arc"):
        table.play("correct NW A U N")
    with pytest.raises(Exception, match="cannot have"):
        table.play("correct NW A U D")


def test_before_the_next_tilt_what_really_lies_there_replaces_the_book() -> None:
    table = ice_cult("R", ("circle", "circle", "arc", "arc"), players="RY").play("end")
    table.play("correct NW A U N")
    assert table.game.to_json(table.state)["tops"]["NW"] == "arc"


def test_a_part_of_a_correction_asks_for_the_rest() -> None:
    """`moves` never lists corrections, but they can be said: it is not that none fits."""
    table = new("ice-cult", ["yellow", "red"], mode="physical")
    why = table.refuses("correct NW A U", None, "ambiguous")
    assert why.text == "'correct NW A U' fits 8 legal moves: say which"
    ways = {f"correct NW A U {side}" for side in "NESW"} | {f"correct NW A {side} U" for side in "NESW"}
    assert set(why.candidates) == ways
    assert "384 legal moves" in table.refuses("correct", None, "ambiguous").text
    table.refuses("correct NW A D N W", None, "unreadable")
    book = ice_cult("R", ("circle", "circle", "arc", "arc"), players="RY")
    assert all(" D " in move for move in book.refuses("correct NW A", None, "ambiguous").candidates)
    with pytest.raises(Illegal, match="would show arc"):
        book.play("correct NW A U")
    digital = new("ice-cult", ["yellow", "red"])
    digital.refuses("correct NW A U", "IC-3", "not-now")


def test_in_physical_play_a_cube_may_be_corrected_and_an_odd_one_is_told() -> None:
    table = new("ice-cult", ["yellow", "red"], mode="physical")
    state, events = table.game.play(table.state, "correct NW A U W")
    assert events[0].data == {"odd": True}
    assert table.game.play(state, "correct NW A D N")[1][0].data == {"odd": True}
    assert table.game.play(state, "correct NW A U E")[1][0].data == {"odd": False}
    swapped, _ = table.game.play(table.state, "correct NW B U N")
    assert table.game.to_json(swapped)["cubes"]["NE"]["cube"] == "A"
    assert not [move for move in table.moves() if move.startswith(("correct", "abandon"))]


def test_cubes_that_change_places_are_judged_together() -> None:
    """IC-4 keeps the parity of all four: which slot a cube lies in says nothing of it."""
    table = new("ice-cult", ["yellow", "red"], mode="physical")
    cubes = table.json["cubes"]
    a, b = (" ".join(cubes[slot].values()) for slot in ("NW", "NE"))
    assert (a, b) == ("A U N", "B U W")
    for lies, odd in (("B U W", False), ("B U N", True), ("B U E", False)):
        state, (event,) = table.game.play(table.state, f"correct NW {lies}")
        assert event.data == {"odd": odd}, lies
        assert ("an arc was missed" in event.text) == odd
        assert table.game.to_json(state)["cubes"]["NE"] == cubes["NW"]
    few = table.json | {"cubes": {"NW": cubes["NW"]}, "tops": {}}
    alone = table.game.setup(few, 1)
    assert table.game.play(alone, "correct NW B U N")[1][0].data == {
        "odd": False
    }  # how A lies is not known now
    assert table.game.play(alone, "correct NW A U W")[1][0].data == {"odd": True}


def test_both_cubes_of_a_missed_tilt_are_odd_and_neither_is_said_to_have_another_beside_it() -> None:
    """After the second correction all four are as they lie: nobody is to be sent to look for a third."""
    table = new("ice-cult", ["yellow", "red"], mode="physical")
    tilted = new("ice-cult", ["yellow", "red"], mode="physical").play("tilt n>S").json["cubes"]
    for slot in ("NW", "NE"):
        table.state, (event,) = table.game.play(
            table.state, f"correct {slot} {' '.join(tilted[slot].values())}"
        )
        assert event.data == {"odd": True}
        assert event.text.endswith(
            "; an odd number of quarter turns lies between: "
            "two cubes lie so if a tilt was missed, one if an arc was missed"
        )
    assert table.json["cubes"] == tilted


def test_abandoning_leaves_no_winner() -> None:
    table = new("ice-cult", ["yellow", "red"]).play("abandon", seat="red")
    assert table.over == {
        "winners": [],
        "rule": "D-29",
        "text": "the game is abandoned; nobody wins",
        "scores": None,
    }


def test_a_seat_may_not_play_for_another() -> None:
    table = new("ice-cult", ["yellow", "red"])
    table.refuses("tilt n>N", "D-16", "not-now", seat="red")
    assert table.moves("red") == []
    table.play("tilt n>N", seat="yellow")


def test_parts_of_moves() -> None:
    table = new("ice-cult", ["yellow", "red"])
    assert table.refuses("tilt n", None, "ambiguous").candidates == ("tilt n>N", "tilt n>S")
    table.play("tilt n>N", "  TILT   N ")  # only n>N is left of the two
    assert table.phase == "move"
    table = ice_cult("R", ("red>N", "circle", "red>E", "arc"), {"N2": "RR", "E1": "R"}, pool="R")
    assert table.refuses("use NW", None, "ambiguous").candidates == ("use NW pool", "use NW 2", "use NW 2#1")
    assert len(table.refuses("copy NE NW", None, "ambiguous").candidates) == 3
    assert len(table.refuses("copy", None, "ambiguous").candidates) == 5
    assert table.refuses("turn SW NE", None, "ambiguous").candidates == ("turn SW NE cw", "turn SW NE ccw")
    table.refuses("use NE", "IC-7", "illegal")
    table.refuses("use NW 3", "IC-7", "illegal")
    table.refuses("use NW 7", "IC-1", "illegal")
    table.refuses("use NW 2#3", "IC-7", "illegal")
    table.refuses("use NW pool#1", None, "unreadable")
    assert table.game.read(table.state, "use NW 2#2") == "use NW 2"
    assert table.game.read(table.state, "use nw 2 #1") == "use NW 2#1"


LAPSED = ("red>E", "yellow>N", "circle", "arc")  # with no red or yellow pawn where these arrows could use it
ALONE = {"N1": "R", "W1": "Y"}


@pytest.mark.parametrize(
    ("tops", "spent", "part", "rule", "said"),
    [
        (LAPSED, "SW", "use", "IC-10", "no arrow that is left can be used"),
        (LAPSED, "SW", "use pool", "IC-10", "no arrow that is left can be used"),
        (
            LAPSED,
            "SW",
            "use NE",
            "IC-10",
            "yellow>N on NE lapses: no yellow pawn is in the pool or on path N",
        ),
        (LAPSED, "SW", "copy", "IC-10", "no arrow on top can be repeated"),
        (LAPSED, "SW", "copy SE", "IC-10", "no arrow on top can be repeated"),
        (
            LAPSED,
            "SW",
            "copy NE",
            "IC-10",
            "yellow>N on NE lapses: no yellow pawn is in the pool or on path N",
        ),
        (LAPSED, "SW", "copy SW", "IC-7", "SW shows arc, not an arrow"),
        (LAPSED, "SW SE", "copy SE", "IC-7", "SE was used in this turn already"),
        (LAPSED, "SW SE", "copy", "IC-7", "no circle is left in this turn"),
        (LAPSED, "SW SE", "copy NW", "IC-7", "no circle is left in this turn"),
        (LAPSED, "SW SE", "copy NW NE", "IC-7", "NW shows red>E, and only a circle copies"),
        (LAPSED, "SW", "turn", "IC-7", "no arc is left in this turn"),
        (LAPSED, "SW", "turn cw", "IC-7", "no arc is left in this turn"),
        (LAPSED, "SW", "turn NE ccw", "IC-7", "no arc is left in this turn"),
        (LAPSED, "SW", "turn SW", "IC-7", "SW was used in this turn already"),
        (LAPSED, "", "turn NE SW", "IC-7", "NE shows yellow>N, and only an arc turns"),
        (LAPSED, "NW NE", "use", "IC-7", "no arrow is left in this turn"),
        (
            ("red>N", "arc", "circle", "arc"),
            "",
            "use 2",
            "IC-7",
            "no arrow that is left moves a pawn from there",
        ),
        (
            ("red>N", "arc", "circle", "arc"),
            "",
            "use 9",
            "IC-7",
            "no arrow that is left moves a pawn from there",
        ),
        (
            ("red>N", "arc", "circle", "arc"),
            "",
            "copy SE 2",
            "IC-7",
            "no arrow on top moves a pawn from there",
        ),
        (("red>N", "arc", "circle", "arc"), "", "copy NW 2", "IC-7", "no red pawn stands on N2"),
        (("red>N", "arc", "circle", "arc"), "", "use NW #2", None, "no legal move fits 'use NW #2' now"),
        (
            ("red>E", "circle", None, "arc"),
            "",
            "use",
            "IC-3",
            "what lies on top of SE is not known: say it with correct",
        ),
        (
            ("red>E", "circle", None, "arc"),
            "",
            "copy",
            "IC-3",
            "what lies on top of SE is not known: say it with correct",
        ),
        (
            ("red>E", None, None, "arc"),
            "SW",
            "turn",
            "IC-3",
            "what lies on top of NE is not known: say it with correct",
        ),
    ],
)
def test_a_part_of_a_move_is_refused_for_what_was_said_and_not_for_what_was_filled_in(
    tops: tuple[str | None, ...], spent: str, part: str, rule: str | None, said: str
) -> None:
    table = ice_cult("R", tops, ALONE, players="RY", spent=spent.split())
    verb = part.split()[0]
    kind = "illegal" if any(move.startswith(verb) for move in table.moves()) else "not-now"
    assert table.refuses(part, rule, kind).text == said
    assert table.refuses(part, "D-16", "not-now", seat="yellow").text == "it is red's turn"


@pytest.mark.parametrize("part", ["use", "copy SE", "turn"])
def test_a_part_of_a_step_waits_for_both_tilts(part: str) -> None:
    new("ice-cult", ["yellow", "red"]).refuses(part, "IC-6", "not-now")


@pytest.mark.parametrize("first", ["red", "yellow"])
def test_everybody_may_begin_where_chance_says_so(first: str) -> None:
    begins = {
        new("ice-cult", ["red", "yellow"], seed, first="random").json["to_act"][0] for seed in range(20)
    }
    assert first in begins
