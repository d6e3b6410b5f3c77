"""Records of games: small, played again from a seed or a position, and what a seat's own leaves out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.rules.talk import Talk


def test_a_record_is_small_and_plays_again(talk: Talk) -> None:
    talk("new", game="igloo-pop", players=["red", "blue"], seed=5)
    for move in ("count", "grab red a", "place  red 3", "pass red", "pass blue", "resolve"):
        assert talk("play", move=move)["ok"]
    record, state = talk("record")["record"], talk("state")["state"]
    assert record["moves"] == ["count", "grab red A", "place red 3", "pass red", "pass blue", "resolve"]
    assert len(json.dumps(record)) < 400
    other = Talk()
    assert other("load", record=record)["phase"] == "countdown"
    assert other("state")["state"] == state
    assert other("record")["record"] == record
    record["moves"][2] = "place red 99"
    refused = other("load", record=record)
    assert refused["error"]["kind"] == "illegal"
    assert "move 3 of the record" in refused["error"]["text"]
    assert other("state")["state"] == state


def test_a_record_from_a_position(talk: Talk) -> None:
    talk("new", game="ice-cult", players=["red", "blue"], seed=3)
    talk("play", move="tilt n>N")
    position = talk("state")["state"]
    talk("setup", game="ice-cult", state=position)
    assert talk("state")["state"] == position
    talk("play", move="tilt n>N")
    record = talk("record")["record"]
    assert record["start"] == position
    other = Talk()
    assert other("load", record=record)["phase"] == "move"


def test_a_seats_record_keeps_the_secret_and_is_not_played_again(talk: Talk) -> None:
    talk("new", game="igloo-pop", players=["red", "blue"], seed=5)
    talk("play", move="count")
    record = talk("record", seat="red")["record"]
    assert "seed" not in json.dumps(record)
    assert record["moves"] == ["count"]
    assert talk.kind("load", record=record) == "unreadable"
    talk("setup", game="igloo-pop", state=talk("state")["state"])
    spectator = talk("record", seat=None)["record"]
    assert "chance" not in spectator["start"]
    assert set(spectator["start"]["deck"]) == {None}


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"game": "chess"},
        {"game": "ice-cult"},
        {"game": "ice-cult", "players": ["red", "blue"], "seed": 1, "options": {}, "moves": "x"},
        {"game": "ice-cult", "players": ["red", "blue"], "seed": 1, "options": {}, "moves": [1]},
        {"game": "ice-cult", "players": ["red", "blue"], "seed": None, "options": {}, "moves": []},
        {"game": "ice-cult", "players": ["red", "blue"], "seed": 1, "options": 3, "moves": []},
        {"game": "ice-cult", "start": 3, "moves": []},
        {"format": 9, "game": "ice-cult"},
        {"format": [], "game": "ice-cult"},
    ],
)
def test_records_that_are_none(talk: Talk, record: dict[str, Any]) -> None:
    assert talk.kind("load", record=record) == "unreadable"
