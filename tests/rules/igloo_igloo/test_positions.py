"""Igloo Igloo: positions that are set up: every defect is named, and what follows need not be said."""

from __future__ import annotations

import pytest

from rules.core.refusal import PositionError
from rules.igloo_igloo.game import GAME

from .polar_board import all_of, floes, ice, table

DEFECTS = [
    ({"ice": {"a1": "hidden"}}, "the corners are land"),
    ({"ice": {"b2": "water"}}, "must be one of hidden, pack"),
    ({"ice": {"z9": "hidden"}}, "'z9' is no square"),
    ({"tiles": {"d4": "bear"}}, "tiles: there is no ice on d4"),
    ({"tiles": {"c4": "beer"}}, "did you mean bear?"),
    (
        {"tiles": dict.fromkeys(("b1", "b2", "b3", "b4", "b5"), "bear")},
        "there are 5 bear tiles, and the mix has 4",
    ),
    ({"ice": ice("d4")}, "there are 59 tiles, and the box has 56"),
    ({"inuits": {"d4": ["red"]}}, "inuits: d4 is sea"),
    ({"inuits": {"c4": ["red"] * 4, "c5": ["red"] * 2}}, "there are 6 Inuits of red"),
    ({"inuits": {"c4": ["green"]}}, "an Inuit on c4 is 'green'"),
    ({"reserve": {"red": {"inuits": 3}}, "inuits": {"c4": ["red"] * 3}}, "there are 6 Inuits of red"),
    (
        {"hands": {"red": [None] * 20, "blue": [None] * 5}, "ice": floes("c4")},
        "25 red-bordered tiles, and the mix has 24",
    ),
    ({"igloos": {"d4": "red"}}, "igloos: there is no ice on d4"),
    ({"igloos": {"a1": "red"}}, "igloos: there is no ice on a1"),
    ({"igloos": {"c4": "red", "c5": "red", "c6": "red"}}, "there are 3 igloos of red"),
    ({"fish": {"c4": [1]}}, "fish on c4: there is no sea"),
    ({"fish": {"d4": [4]}}, "must be from 1 to 3"),
    ({"fish": {"d4": [1] * 9}}, "there are 9 fish of value 1, and the box has 8"),
    ({"supply": {"foxes": [3] * 4}}, "there are 4 foxes of value 3, and the box has 3"),
    ({"foxes": {"d4": [1]}}, "foxes on d4: there is no ice"),
    ({"foxes": {"a1": [1]}}, "foxes on a1: there is no ice"),
    ({"bears": ["a1"]}, "no bear goes on the land of a1"),
    ({"bears": ["c4", "c4"]}, "there are two bears on c4"),
    ({"bears": ["c4", "c5", "c6"], "supply": {"bears": 2}}, "there are 5 bears, and the box has 4"),
    ({"hands": {"red": ["bear"]}}, "bear has no red border"),
    ({"turn": "green"}, "turn is 'green'"),
    ({"to_act": ["blue"]}, "to_act is ['blue'], and must be ['red']"),
    ({"phase": "melt"}, "phase is 'melt'"),
    ({"phase": "attack"}, "pending is missing, which phase attack needs"),
    ({"pending": {"kind": "drift"}}, "nothing is pending in phase action"),
    ({"inuit": {}}, "unknown key 'inuit' (did you mean inuits?)"),
    ({"ap": -1}, "ap is -1"),
    ({"chance": "dice"}, "chance is not one that this referee wrote"),
    ({"phase": "over", "over": {"winners": ["red"], "rule": "II-7", "text": ""}}, "over does not agree"),
    ({"players": ["red"]}, "players must be 2 to 4"),
    ({"options": {"hardcor": True}}, "unknown key 'hardcor' (did you mean hardcore?)"),
    ({"game": "igloo"}, "game is 'igloo'"),
]


@pytest.mark.parametrize(("wrong", "said"), DEFECTS)
def test_a_defect_is_named(wrong, said):
    with pytest.raises(PositionError) as refusal:
        table(**wrong)
    assert any(said in defect for defect in refusal.value.defects), refusal.value.defects


def test_all_defects_are_named_at_once():
    with pytest.raises(PositionError) as refusal:
        table(bears=["a1", "c4", "c4"], fish={"c4": [1]}, igloos={"d4": "red"}, turn="green", ap="three")
    assert len(refusal.value.defects) == 6


def test_what_is_left_out_is_empty_and_what_follows_need_not_be_said():
    state = GAME.setup(
        {"players": ["red", "blue"], "to_act": ["blue"], "ice": floes("c4"), "phase": "pre-melt"}, 1
    )
    p = all_of(state)
    assert (p["turn"], p["fish"], p["bears"], p["prey"]["red"]["bears"], p["supply"]["fish"]) == (
        "blue",
        {},
        [],
        0,
        [],
    )
    attack = {
        "players": ["red", "blue"], "turn": "red", "ice": floes("c4", "c5"), "bears": ["c4"],
        "inuits": {"c4": ["red", "blue"]}, "pending": {"kind": "attack", "square": "c4", "points": 1, "back": "action"},
    }  # fmt: skip
    state = GAME.setup(attack, 1)
    assert (GAME.phase(state), GAME.to_act(state)) == ("attack", ("blue",))
    # What nobody can do is passed over: no push, no animal to move.
    drift = {"players": ["red", "blue"], "turn": "red", "phase": "drift"}
    assert (all_of(GAME.setup(drift, 1))["phase"], all_of(GAME.setup(drift, 1))["ap"]) == ("action", 3)
    still = {
        **drift,
        "phase": "animals",
        "ap": 1,
        "pending": {"kind": "animals", "points": 2, "back": "action"},
    }
    assert (all_of(GAME.setup(still, 1))["phase"], all_of(GAME.setup(still, 1))["ap"]) == ("action", 1)
