"""Igloo Pop: positions that somebody wrote, and all that is wrong with them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.positions import accepted, defects
from tests.rules.telling import new


@pytest.fixture
def pop() -> dict[str, Any]:
    return new("igloo-pop", ["red", "blue"]).play("count", "grab red A", "grab blue B", "place blue 2").json


def test_all_defects_of_an_igloo_pop_position_at_once(pop: dict[str, Any]) -> None:
    pop["table"][0] = pop["table"][1]
    pop["table"][3] = [14]
    pop["won"]["red"] = [[2, 4]]
    pop["talers"]["red"]["own"] = 11
    pop["talers"]["blue"] = {"own": 10, "captured": 4}
    pop["igloos"]["C"] = {"at": "hand", "by": "red"}
    pop["igloos"]["D"] = {"at": "card", "slot": 12, "by": "blue"}
    pop["igloos"]["E"] = {"at": "card", "slot": 4, "by": "white"}
    pop["igloos"]["F"] = {"at": "moon"}
    pop["values"]["A"] = pop["values"]["B"] = 7
    pop["passed"] = ["red", "green"]
    text = defects(pop)
    for part in (
        "is there 2 times",
        "table[4]",
        "no card 2-4",
        "talers.red.own is 11",
        "blue has 10 talers and 1 on cards",
        "red holds two igloos",
        "igloos.D.slot is 12",
        "'white'",
        "'moon'",
        "both hold 7",
        "'green'",
    ):
        assert part in text, text


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"phase": "countdown"}, "not all igloos are in the village"),
        ({"phase": "resolving"}, "an igloo is in a hand"),
        ({"to_act": ["red"]}, "can act"),
        ({"stopped": ["red"]}, "D-13"),
        ({"stopped": ["red"], "phase": "countdown", "igloos": {}, "empty_rounds": 1}, "D-13"),
        (
            {"passed": ["red"], "phase": "countdown", "igloos": {}},
            "phase is countdown, and somebody has passed",
        ),
        ({"round": 0}, "round is 0"),
        ({"last_round": 1}, "true or false"),
        ({"table": [[5]]}, "9"),
        ({"box": 2}, "22 talers"),
        ({"deck": [None] * 25}, "34 cards"),
        ({"igloos": {"A": {"at": "card", "by": "red"}}}, "on which slot"),
        ({"igloos": {"A": {"at": "hand"}}}, "by whom"),
        ({"igloos": {"A": {"at": "village", "by": "red"}}, "phase": "countdown"}, "unknown key 'by'"),
        ({"igloos": {"M": {}}}, "unknown key 'M'"),
        ({"igloos": {}, "passed": ["red", "blue"]}, "it is resolving"),
    ],
)
def test_one_defect_of_an_igloo_pop_position(pop: dict[str, Any], change: dict[str, Any], part: str) -> None:
    assert part in defects({**pop, **change})


def test_ones_own_wrong_talers_are_among_the_captured_where_so_agreed(pop: dict[str, Any]) -> None:
    """D-3: a random game under that option came to such a position, and could not be set up again."""
    pop |= {"igloos": {}, "passed": [], "phase": "countdown", "box": 0}
    del pop["to_act"]
    pop["talers"] = {"red": {"own": 10, "captured": 0}, "blue": {"own": 6, "captured": 4}}
    assert "blue has captured 4 talers, and the others miss 0" in defects(pop)
    agreed = pop | {"options": pop.get("options", {}) | {"own_wrong_taler": "captured"}}
    assert accepted(agreed)["talers"] == pop["talers"]
    agreed["talers"]["blue"]["captured"] = 5
    assert "blue has captured 5 talers, and all players miss 4" in defects(agreed)


def test_where_so_agreed_more_may_be_captured_than_all_others_had(pop: dict[str, Any]) -> None:
    """D-3: red has all of blue's talers, and two wrong ones of his own."""
    pop |= {"igloos": {}, "passed": [], "phase": "countdown", "box": 0}
    del pop["to_act"]
    pop["talers"] = {"red": {"own": 8, "captured": 12}, "blue": {"own": 0, "captured": 0}}
    assert "talers.red.captured is 12" in defects(pop)
    agreed = pop | {"options": pop["options"] | {"own_wrong_taler": "captured"}}
    assert accepted(agreed)["talers"] == pop["talers"]


def test_no_igloo_stands_on_a_card_after_the_end(pop: dict[str, Any]) -> None:
    pop |= {"igloos": {"B": {"at": "card", "slot": 2, "by": "blue"}}, "phase": "over"}
    assert "phase is over, and not all igloos are in the village" in defects(pop)


def test_of_a_list_without_end_only_twice_as_many_cards_as_there_are_are_read(pop: dict[str, Any]) -> None:
    named = [line for line in defects(pop | {"deck": [[99]] * 1000}).splitlines() if line.startswith("deck[")]
    assert len(named) == 2 * 33


def test_an_igloo_where_no_card_lies(pop: dict[str, Any]) -> None:
    pop["table"][1] = None
    assert "where no card lies" in defects(pop)


def test_what_may_be_left_out_of_an_igloo_pop_position(pop: dict[str, Any]) -> None:
    assert accepted(pop) == pop
    for key in ("to_act", "phase", "round", "last_round", "empty_rounds", "passed", "stopped", "over", "box"):
        assert accepted({k: v for k, v in pop.items() if k != key}) == pop
    few = accepted({"game": "igloo-pop", "players": ["red", "blue"]})
    assert (few["phase"], few["table"], few["talers"]["red"]) == (
        "countdown",
        [None] * 9,
        {"own": 0, "captured": 0},
    )


def test_the_end_of_an_igloo_pop_position_follows_from_cards_and_talers() -> None:
    ended = {
        "game": "igloo-pop",
        "players": ["red", "blue"],
        "phase": "over",
        "won": {"red": [[5]], "blue": []},
        "talers": {"red": {"own": 9, "captured": 0}, "blue": {"own": 3, "captured": 0}},
        "box": 8,
    }
    over = accepted(ended)["over"]
    assert (over["winners"], over["scores"]) == (["red"], {"red": 12, "blue": 3})
    for right in (
        over,
        {"winners": ["red"]},
        {"winners": ["red"], "rule": "D-13", "text": "enough", "scores": None},
    ):
        assert accepted(ended | {"over": right})["over"]["winners"] == ["red"]
    alike, told = ({"winners": ["red", "blue"]}, {"winners": ["red"], "scores": {"red": 0, "blue": 99}})
    for over in ({"winners": ["blue"]}, alike, told):
        assert "over does not agree" in defects(ended | {"over": over})
    even = ended | {"won": {}, "talers": {name: {"own": 6, "captured": 0} for name in ("red", "blue")}}
    assert accepted(even | {"over": {"winners": ["blue", "red"]}})["over"]["winners"] == [
        "blue",
        "red",
    ]  # IP-12
