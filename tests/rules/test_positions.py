"""Positions that somebody wrote: what cannot be on a table is refused with all its defects, and nothing else is."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest

from rules import games
from rules.core.refusal import PositionError
from tests.parts import proof
from tests.rules.telling import new
from tests.seated import seated


def defects(position: dict[str, Any]) -> str:
    with pytest.raises(PositionError) as wrong:
        games.game(position["game"]).setup(position, 1)
    return "\n".join(wrong.value.defects)


def accepted(position: dict[str, Any]) -> dict[str, Any]:
    game = games.game(position["game"])
    return game.to_json(game.setup(position, 1))


@pytest.fixture
def cult() -> dict[str, Any]:
    return new("ice-cult", ["red", "blue"]).play("tilt n>N", "tilt s>S").json


@pytest.fixture
def pop() -> dict[str, Any]:
    return new("igloo-pop", ["red", "blue"]).play("count", "grab red A", "grab blue B", "place blue 2").json


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


def scrambled(rng: random.Random, value: Any, depth: int = 0) -> Any:
    """The value with something in it changed to what somebody might have written."""
    if isinstance(value, dict) and value and (rng.random() < 0.85 or depth == 0):
        key = rng.choice(list(value))
        out = dict(value)
        if rng.random() < 0.1:
            del out[key]
        else:
            out[rng.choice([key, key, key, "x", key.upper()])] = scrambled(rng, value[key], depth + 1)
        return out
    if isinstance(value, list) and value and rng.random() < 0.8:
        k = rng.randrange(len(value))
        choice = rng.randrange(4)
        return [
            [*value[:k], scrambled(rng, value[k], depth + 1), *value[k + 1 :]],
            value[:k],
            value + value[k:],
            value[::-1],
        ][choice]
    junk = (
        None,
        True,
        0,
        -1,
        1,
        5,
        10**30,
        0.5,
        "",
        "red",
        "blue",
        "NW",
        "S",
        "over",
        "x" * 300,
        [],
        {},
        [[]],
    )
    return rng.choice([*junk, [None], {"at": "hand", "by": "red"}, ["red", "red"], "move", "a1", ["hidden"]])


STARTS: dict[str, tuple[list[str], ...]] = {
    "ice-cult": (["red", "blue"], ["yellow", "red", "green", "blue"]),
    "igloo-pop": (["red", "blue"], ["red", "yellow", "green", "blue", "white", "black"]),
    "igloo-igloo": (["red", "blue"], ["red", "blue", "yellow", "green"]),
    "igloo": (["A", "B"], ["red", "blue", "yellow", "green"]),
}


@pytest.mark.parametrize("name", games.NAMES)
def test_scrambled_positions_are_refused_or_stand(name: str) -> None:
    """What `setup` takes can be written and taken again, and played on; what it does not take has defects."""
    rng, game = random.Random(f"scramble {name}"), games.game(name)
    own_pieces = "mode" in {option.name for option in game.options}
    modes = [{"mode": mode} for mode in ("digital", "physical")] if own_pieces else [{}]
    tables = STARTS.get(name) or (seated(name),)
    taken = refused = 0
    games_told = proof(4, 60)
    for _ in range(games_told):
        state, _ = game.new(rng.choice(tables), rng.randrange(999), rng.choice(modes))
        for _ in range(rng.randrange(1, 40)):
            first = [move for _, move in zip(range(40), game.moves(state), strict=False)]
            if first:
                state, _ = game.play(state, rng.choice(first))
        position = game.to_json(state)
        for _ in range(100):
            wrong = copy.deepcopy(position)
            for _ in range(rng.randint(1, 2)):
                wrong = scrambled(rng, wrong)
            try:
                stands = game.setup(wrong, 1)
            except PositionError as error:
                refused += bool(error.defects) and all(isinstance(one, str) for one in error.defects)
                continue
            taken += 1
            written = game.to_json(stands)
            assert json.loads(json.dumps(written)) == written
            assert game.setup(written, 2) == stands
            for seat in (None, *game.seats(stands)):
                json.dumps([game.view(stands, seat), game.score(stands, seat)])
            move = next(game.moves(stands), None)
            if move is not None:
                game.play(stands, move)
    assert taken + refused == 100 * games_told
    assert taken
    assert refused
