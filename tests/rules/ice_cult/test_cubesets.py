"""Cube sets as data: the one that ships meets all constraints, and a set that does not is told all its defects."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from rules.core import data
from rules.core.refusal import PositionError
from rules.ice_cult.cubeset import cube_set
from tests.rules.telling import new


@pytest.fixture
def mine() -> dict[str, Any]:
    return copy.deepcopy(data.load("cubes", "assumed-v1"))


def defects(value: Any) -> str:
    with pytest.raises(PositionError) as wrong:
        cube_set(value)
    return "\n".join(wrong.value.defects)


def test_the_set_that_ships_is_known_by_its_name(mine: dict[str, Any]) -> None:
    assert data.names("cubes") == ("assumed-v1",)
    assert cube_set("assumed-v1") == cube_set(mine)
    assert "known: assumed-v1" in defects("assumed-v2")


def test_c1_six_faces_with_one_symbol_each(mine: dict[str, Any]) -> None:
    del mine["cubes"]["A"]["N"]
    mine["cubes"]["B"]["N"] = "purple>U"
    mine["cubes"]["C"]["N"] = "red>S"
    mine["cubes"]["D"]["U"] = "arc NS"
    mine["cubes"]["E"] = {}
    mine["cubes"]["D"]["X"] = "circle"
    text = defects(mine)
    for part in ("cube A has no symbol on face N", "'purple>U'", "'red>S'", "'arc NS'", "'E'", "'X'"):
        assert part in text


def test_c2_the_arcs_make_a_circle(mine: dict[str, Any]) -> None:
    mine["start"]["NE"] = "B U N"
    assert "C2: at the start NE" in defects(mine)
    mine["start"]["NE"] = "A U W"
    assert "lies in two slots" in defects(mine)
    mine["cubes"]["A"]["U"] = "circle"
    mine["start"]["NE"] = "B U W"
    assert "C2: cube A has no arc" in defects(mine)


def test_c3_the_books_examples_can_lie_on_top(mine: dict[str, Any]) -> None:
    for cube in mine["cubes"].values():
        for face, symbol in cube.items():
            if symbol.startswith("blue"):
                cube[face] = symbol.replace("blue", "red")
    assert "C3: example 1" in defects(mine)


def test_c5_balanced_arrows(mine: dict[str, Any]) -> None:
    assert cube_set({**mine, "balanced": True})
    mine["cubes"]["A"]["N"] = "blue>U"
    assert cube_set(mine)
    assert "C5" in defects({**mine, "balanced": True})


def test_a_game_with_a_set_of_ones_own(mine: dict[str, Any]) -> None:
    mine["cubes"]["A"]["N"], mine["cubes"]["A"]["S"] = "green>U", "red>D"
    table = new("ice-cult", ["red", "blue"], cubes=mine).play("tilt n>S")
    assert table.json["tops"]["NW"] == "green>S"
    assert table.game.setup(table.json, None) == table.state
