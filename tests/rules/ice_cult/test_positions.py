"""Ice Cult: positions that somebody wrote, and all that is wrong with them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.positions import accepted, defects
from tests.rules.telling import new


@pytest.fixture
def cult() -> dict[str, Any]:
    return new("ice-cult", ["red", "blue"]).play("tilt n>N", "tilt s>S").json


def test_all_defects_of_an_ice_cult_position_at_once(cult: dict[str, Any]) -> None:
    cult["pool"]["red"] = 6
    cult["home"]["blue"] = 1
    cult["paths"]["N"][0] = ["purple"]
    cult["paths"]["E"] = [[], []]
    cult["cubes"]["NW"]["up"] = cult["cubes"]["NW"]["north"]
    cult["cubes"]["SE"]["cube"] = "B"
    cult["tops"]["SW"] = "circle"
    cult["spent"] = ["NW", "NW"]
    cult["to_act"] = ["green"]
    cult["colour"] = 1
    text = defects(cult)
    for part in (
        "pool.red is 6",
        "6 blue pawns",
        "'purple'",
        "paths.E has 2 spaces",
        "cubes.NW: a cube cannot lie",
        "cube B lies in two slots",
        "tops.SW is circle",
        "NW twice",
        "'green'",
        "unknown key 'colour'",
    ):
        assert part in text, text


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"phase": "tilt-2", "first_tilt": None}, "first_tilt is not given"),
        ({"phase": "tilt-1", "first_tilt": "n>N"}, "phase is tilt-1"),
        ({"phase": "tilt-1", "spent": ["NE"]}, "no symbol was used yet"),
        ({"phase": "over"}, "over is null"),
        ({"over": {"winners": ["red"], "rule": "IC-15", "text": "", "scores": None}}, "phase is move"),
        ({"length": 6}, "paths.N has 5 spaces"),
        ({"length": 5.0}, "whole number"),
        ({"players": ["red"]}, "2 to 4"),
        ({"to_act": []}, "the one player"),
        ({"to_act": None}, "to_act is missing"),
        ({"home": {"red": 5}, "pool": {}}, "game is over (IC-15)"),
        ({"paths": {"N": [["red"] * 5, [], [], [], []]}, "pool": {}}, "game is over (IC-17)"),
        ({"chance": "c1.zz"}, "chance"),
        ({"options": {"length": 4}}, "length is 5, and the option length 4"),
        ({"options": {"cubes": {"cubes": {}}}}, "C1"),
    ],
)
def test_one_defect_of_an_ice_cult_position(cult: dict[str, Any], change: dict[str, Any], part: str) -> None:
    assert part in defects({**cult, **change})


def test_what_may_be_left_out_of_an_ice_cult_position(cult: dict[str, Any]) -> None:
    whole = accepted(cult)
    assert whole == cult
    for key in ("tops", "length", "first_tilt", "spent", "over", "home"):
        assert accepted({k: v for k, v in cult.items() if k != key}) == cult
    few = {"game": "ice-cult", "players": ["red", "blue"], "to_act": ["blue"]}
    assert accepted(few)["pool"] == {"red": 0, "yellow": 0, "green": 0, "blue": 0}
    assert accepted(few)["cubes"] == {"NW": None, "NE": None, "SE": None, "SW": None}


TOWERS = {"N": [["red", "yellow"] * 5, [], [], [], []]}


@pytest.mark.parametrize(
    ("pawns", "winners", "rule", "agrees"),
    [
        ({"home": {"red": 5}}, ["red"], "IC-15", True),
        ({"home": {"red": 5}}, ["red"], "", True),
        ({"home": {"red": 5}}, ["yellow"], "IC-15", False),
        ({"home": {"red": 5}}, ["red", "yellow"], "IC-15", False),
        ({"home": {"red": 5}}, [], "IC-15", False),
        ({"home": {"red": 5}}, ["red"], "IC-17", False),
        ({"home": {"red": 5}}, [], "D-29", False),
        # the mover, before the other
        ({"home": {"red": 5, "yellow": 5}}, ["yellow"], "IC-15", True),
        ({"home": {"red": 5, "yellow": 5}}, ["yellow", "red"], "IC-15", True),
        ({"home": {"red": 5, "yellow": 5, "blue": 5}}, ["yellow", "red"], "IC-15", False),
        ({"home": {"red": 5, "yellow": 5, "blue": 5}}, ["yellow"], "IC-15", True),
        # who moved?
        ({"home": {"red": 5, "yellow": 5, "blue": 5}}, ["red", "yellow", "blue"], "IC-15", False),
        ({"home": {"red": 4}}, ["red", "yellow"], "IC-17", False),
        ({"paths": TOWERS}, ["red", "yellow"], "IC-17", True),
        ({"paths": TOWERS}, ["red"], "IC-17", True),
        ({"paths": TOWERS}, ["blue"], "IC-17", False),
        ({"paths": TOWERS}, ["red"], "IC-15", False),
        ({"paths": TOWERS}, [], "D-29", False),
        ({"paths": TOWERS, "options": {"five_stack_by_anyone": False}}, [], "D-29", True),
        ({"paths": TOWERS, "options": {"five_stack_by_anyone": False}}, ["red", "yellow"], "IC-17", False),
        ({"home": {"red": 4}}, [], "D-29", True),
        ({"home": {"red": 4}}, ["red"], "D-29", False),
        ({"home": {"red": 4}}, ["red"], "", False),
    ],
)
def test_who_has_won_agrees_with_where_the_pawns_are(
    pawns: dict[str, Any], winners: list[str], rule: str, agrees: bool
) -> None:
    over = {"winners": winners, "rule": rule, "text": "", "scores": None}
    ended = {"game": "ice-cult", "players": ["red", "yellow", "blue"], "phase": "over", "over": over, **pawns}
    if agrees:
        assert accepted(ended)["over"] == over
    else:
        assert defects(ended).startswith("over does not agree with the pawns (all five home: ")
