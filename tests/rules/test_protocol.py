"""The conversation of `polartable referee`: requests, answers, the four kinds of error, undo."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules import games
from rules.protocol.lines import LONGEST
from tests.rules.talk import Talk


def test_the_conversation_of_the_contract(talk: Talk) -> None:
    began = talk("new", game="ice-cult", players=["yellow", "red"], seed=7, options={})
    assert {key: began[key] for key in ("ok", "to_act", "phase", "over")} == {
        "ok": True,
        "to_act": ["yellow"],
        "phase": "tilt-1",
        "over": None,
    }
    tilted = talk("play", move="tilt n>S")
    assert (tilted["phase"], tilted["events"][0]["event"], tilted["events"][0]["rule"]) == (
        "tilt-2",
        "tilted",
        "IC-4",
    )
    assert tilted["events"][0]["to"] is None
    refused = talk("play", move="tilt n>N")
    assert (refused["ok"], refused["error"]["kind"], refused["error"]["rule"]) == (False, "illegal", "IC-5")
    assert refused["error"]["nearest"][:2] == ["tilt n>S", "tilt s>N"]
    assert talk("moves") == {
        "ok": True,
        "moves": [f"tilt {t}" for t in ("n>S", "s>N", "s>S", "w>E", "w>W", "e>E", "e>W")],
        "complete": True,
    }


def test_games_lists_four_with_all_their_options(talk: Talk) -> None:
    known = talk("games")["games"]
    assert [game["name"] for game in known] == list(games.NAMES)
    names = {option["name"] for game in known for option in game["options"]}
    for option in (
        *(
            "circles_compulsory",
            "move_animals_exact",
            "kayak_from_corner",
            "half_rounding",
            "length",
            "cubes",
        ),
        *("five_stack_by_anyone", "aftermath_only", "hardcore", "hardcore_entry", "hardcore_scores", "mode"),
    ):
        assert option in names
    assert all(
        {"name", "default", "values", "meaning"} <= set(one) for game in known for one in game["options"]
    )


@pytest.mark.parametrize(
    "line",
    [
        *("", "nonsense", "[]", "3", "null", '"text"', "{", '{"id":1', '{"do":NaN}', '{"id":1e999}', "{} {}"),
        *(b"\xff\xfe", b'{"do":"\xc3"}', "[" * 100_000, '{"a":' * 5000, '{"id":' + "9" * 5000 + "}"),
        *(b"\x00", "\ufeff{}", '{"do":"games"' + " " * LONGEST + "}"),
    ],
)
def test_what_is_no_json_object_is_unreadable(talk: Talk, line: str | bytes) -> None:
    reply = talk.raw(line)
    assert (reply["ok"], reply["error"]["kind"], reply["id"]) == (False, "unreadable", None)
    assert talk("new", game="igloo-pop", players=["red", "blue"])["ok"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"do":"play","id":4,"move":"tilt n>S","move":"tilt e>W"}', "'move' twice, as 'tilt n>S' and as 'tilt e>W'"),
        ('{"id":4,"do":"play","do":"undo"}', "'do' twice, as 'play' and as 'undo'"),
        ('{"id":4,"do":"new","game":"ice-cult","options":{"length":5,"length":6}}', "'length' twice, as 5 and as 6"),
    ],
)  # fmt: skip
def test_a_key_that_stands_twice_with_two_values_is_refused(talk: Talk, line: str, said: str) -> None:
    """The last one won, and a move was made that may not have been meant."""
    talk("new", game="ice-cult", players=["yellow", "red"], seed=7)
    before = talk("state")
    reply = talk.raw(line)
    assert (reply["ok"], reply["error"]["kind"], reply["id"]) == (False, "unreadable", 4)
    assert reply["error"]["text"] == f"the line says {said}: say it once"
    assert talk("state") == before
    assert talk.raw('{"id":5,"do":"play","move":"tilt n>S","move":"tilt n>S"}')["ok"]  # it says one thing


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ({"do": None}, "do is null, and must be one of "),
        ({"do": "new", "game": True}, "game is true, and must be one of "),
        ({"do": "new", "game": "igloo", "options": False}, "options must be an object, and is false"),
        ({"do": "setup", "game": "igloo", "state": {"links": [[True, None]]}}, "links: [true, null] is no pair"),
        ({"do": "setup", "game": "igloo-pop", "state": {"table": [{"a": None}]}}, "and is {'a': null}"),
        ({"do": "setup", "game": "igloo-pop", "state": {"game": None}}, "the position's game null"),
        ({"do": "new", "game": "igloo-igloo", "options": {"tiles": {"bear": True}}}, "tiles: bear has true; a count"),
        ({"do": "load", "record": {"format": None}}, "the record has format null, and this"),
        ({"do": "load", "record": {"game": "igloo", "start": {"game": None}}}, "and its start of null"),
        ({"do": "new", "game": "None"}, "game is 'None', and must be one of "),
        ({"do": "new", "game": ["Zoë", True] * 9}, "true, 'Zoë', true, 'Zoë…, and must be one of "),
    ],
)  # fmt: skip
def test_values_are_told_as_json_writes_them(talk: Talk, request_: dict[str, Any], said: str) -> None:
    """It was None, True and False, which are Python's, and stand in nobody's request."""
    assert said in talk(**request_)["error"]["text"]


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ({"do": "record", "seta": "red"}, "record has an unknown key 'seta' (did you mean seat?)"),
        ({"do": "play", "move": "tilt n>S", "Seat": "red"}, "play has an unknown key 'Seat' (did you mean seat?)"),
        ({"do": "play", "mvoe": "tilt n>S"}, "play has an unknown key 'mvoe' (did you mean move?)"),
        ({"do": "new", "game": "igloo-pop", "option": {"mode": "physical"}}, "'option' (did you mean options?)"),
        ({"do": "setup", "game": "igloo-pop", "state": {}, "SEED": 7}, "'SEED' (did you mean seed?)"),
        ({"do": "new", "game": "igloo-pop", "players": ["red", "blue"], "mode": "physical"},
         "mode is an option of igloo-pop: say it in options"),
        ({"do": "load", "record": {"game": "igloo-pop", "players": ["red", "blue"], "seed": 1, "mvoes": ["count"]}},
         "the record has an unknown key 'mvoes' (did you mean moves?)"),
    ],
)  # fmt: skip
def test_a_misspelt_key_is_refused(talk: Talk, request_: dict[str, Any], said: str) -> None:
    """It was ignored: a seat was told what only the host may know, and a record lost its moves."""
    talk("new", game="ice-cult", players=["yellow", "red"], seed=7)
    before = talk("state")
    error = talk(**request_)["error"]
    assert (error["kind"], said in error["text"]) == ("unreadable", True), error
    assert talk("state") == before


@pytest.mark.parametrize(
    "more",
    [
        {"comment": "mine", "t": 3.5, "": 0, "k" * 100_000: 1},
        {
            "move": "end",
            "moves": [],
            "state": {},
            "seats": 2,
            "seat": None,
        },  # of other requests, or beside the right one
    ],
)
def test_other_keys_say_nothing_to_the_referee(talk: Talk, more: dict[str, Any]) -> None:
    assert talk("new", game="ice-cult", players=["yellow", "red"], seed=7, **more)["ok"]
    assert talk("moves", **more)["ok"]
    record = talk("record")["record"] | {"comment": "a fine game", "by": "me"}
    assert talk("load", record=record, **more)["ok"]


@pytest.mark.parametrize("number", ["9" * 5000, "-" + "9" * 5000, "9" * 5000 + ".5e999"])
def test_a_number_that_is_too_large_is_told_in_our_own_words(talk: Talk, number: str) -> None:
    text = talk.raw(f'{{"do":"games","id":{number}}}')["error"]["text"]
    assert text.startswith("the line is not JSON: ")
    assert text.endswith((" too large", " is too large a number"))
    assert len(text) < 100


@pytest.mark.parametrize("depth", [50, 99, 101, 400, 900, 990, 3000])
@pytest.mark.parametrize(
    "where", ["id", "game", "players", "options", "state", "record", "seat", "move", "seed"]
)
def test_deep_nests_are_refused_like_anything_else(talk: Talk, depth: int, where: str) -> None:
    nest = "[" * depth + "]" * depth
    for do in ("new", "setup", "load", "play", "view"):
        reply = talk.raw(f'{{"do":"{do}","game":"ice-cult","players":["red","blue"],"{where}":{nest}}}')
        assert depth < 100 or reply["error"]["kind"] == "unreadable"
    inside = talk.raw(
        f'{{"do":"new","game":"ice-cult","players":["red","blue"],"options":{{"cubes":{{"cubes":{{"A":{nest}}}}}}}}}'
    )
    assert not inside["ok"]


@pytest.mark.parametrize("value", [None, True, 0, -1.5, "é\ud800", [1, [2]], {"a": {"b": None}}, 10**40])
def test_any_id_is_echoed(talk: Talk, value: Any) -> None:
    assert talk.raw(json.dumps({"id": value, "do": "games"}))["id"] == value


def test_requests_that_cannot_be_meant(talk: Talk) -> None:
    assert talk.kind("dance") == "unreadable"
    assert "did you mean moves" in talk("movs")["error"]["text"]
    assert talk.kind("moves") == "not-now"  # no game yet
    assert talk.kind("new", game="chess", players=["red"]) == "unreadable"
    assert talk.kind("new", game="ice-cult", players="red") == "unreadable"
    assert talk.kind("new", game="ice-cult", players=["red", "blue"], seed="x") == "unreadable"
    assert talk.kind("new", game="ice-cult", players=["red", "blue"], seed=True) == "unreadable"
    assert talk.kind("new", game="ice-cult", players=["red", "blue"], options=[]) == "unreadable"
    assert talk.kind("setup", game="ice-cult", state=7) == "unreadable"
    assert talk.kind("load", record=[]) == "unreadable"
    assert talk("new", game="ice-cult", players=["red", "blue"])["ok"]
    assert talk.kind("play", move=7) == "unreadable"
    assert talk.kind("play") == "unreadable"
    assert talk.kind("play", move="tilt n>N", seat="white") == "unreadable"
    assert talk.kind("view", seat=3) == "unreadable"
    assert talk.kind("moves", seat="green") == "unreadable"  # neutral: nobody sits there


def test_new_names_every_defect(talk: Talk) -> None:
    reply = talk(
        "new",
        game="ice-cult",
        players=["red", "red", "pink"],
        options={"lenght": 5, "length": 12, "cubes": 3},
    )
    assert reply["error"]["kind"] == "illegal"
    text = "\n".join(reply["error"]["defects"])
    for part in ("red twice", "'pink'", "did you mean length", "length is 12", "cubes"):
        assert part in text
    assert talk.kind("moves") == "not-now"


def test_undo_and_redo_cross_turns_and_the_end(talk: Talk) -> None:
    talk("new", game="ice-cult", players=["red", "blue"])
    assert talk.kind("undo") == "not-now"
    talk("play", move="tilt n>N")
    talk("play", move="abandon")
    assert talk("moves")["moves"] == []
    assert talk("undo")["over"] is None
    assert talk("undo")["phase"] == "tilt-1"
    assert talk("redo")["phase"] == "tilt-2"
    assert talk("redo")["phase"] == "over"
    assert talk.kind("redo") == "not-now"
    talk("undo")
    talk("play", move="tilt s>S")
    assert talk.kind("redo") == "not-now"
    assert talk("record")["record"]["moves"] == ["tilt n>N", "tilt s>S"]


def test_taking_back_and_doing_again_tell_nobody_what_one_side_chose(talk: Talk) -> None:
    talk("new", game="igloo", players=["A", "B"], seed=1)
    talk("play", move="commit A yellow", seat="A")
    back, again = talk("undo")["events"], talk("redo")["events"]
    for event in (*back, *again):
        assert event["to"] == ["A"] or "yellow" not in json.dumps(event), event
    assert [event["text"] for event in back] == ["commit A ? is taken back"]
    assert again[0]["text"] == "commit A ? is done again"
    assert [event["event"] for event in again[1:]] == ["committed", "real"]
    talk("play", move="commit B blue", seat="B")
    talk("play", move="place red L @ 0,0", seat="A")
    assert talk("undo")["events"][0]["text"] == "place red L @ 0,0 is taken back"


def test_scores_are_made_of_parts(talk: Talk) -> None:
    talk("new", game="igloo-pop", players=["red", "blue"])
    reply = talk("score", seat="red")
    assert reply["scores"] == {"red": 10, "blue": 10}
    assert reply["parts"]["red"] == {"cards": 0, "own": 10, "captured": 0}


def test_a_whole_number_may_be_written_with_a_point(talk: Talk) -> None:
    """To JSON 7.0 is the number 7, and some languages write every number so."""

    def pointed(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: pointed(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [pointed(inner) for inner in value]
        return float(value) if isinstance(value, int) and not isinstance(value, bool) else value

    assert talk("new", game="ice-cult", players=["yellow", "red"], seed=7.0, options={"length": 6.0})["ok"]
    assert len(talk("state")["state"]["paths"]["N"]) == 6
    assert talk("record")["record"]["seed"] == 7
    talk("play", move="tilt n>N")
    before = talk("state")
    assert talk("load", record=pointed(talk("record")["record"]))["ok"]
    assert talk("state") == before
    for game in games.NAMES:
        talk("new", game=game, players=["A", "B"] if game == "igloo" else ["red", "blue"], seed=2)
        before = talk("state")
        assert talk("setup", game=game, state=pointed(before["state"]))["ok"]
        assert talk("state") == before
    assert talk.kind("new", game="ice-cult", players=["yellow", "red"], seed=7.5) == "unreadable"
    assert talk.session.answer('{"id":[1.0,1e3],"do":"games"}').startswith('{"id":[1.0,1000.0],')
