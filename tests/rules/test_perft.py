"""Perft tables, counted by the engines and by the slow programs."""

from __future__ import annotations

from typing import Any

import pytest

from rules import games
from tests.parts import proof
from tests.rules import perft, slow_ice_cult, slow_igloo_igloo, slow_igloo_pop, slow_looney

ENTRIES = [entry for game in games.NAMES for entry in perft.table(game)]
SLOW = {
    "ice-cult": slow_ice_cult,
    "igloo-pop": slow_igloo_pop,
    "igloo-igloo": slow_igloo_igloo,
    "igloo": slow_looney,
}
COUNTED_TWICE = [entry for entry in ENTRIES if entry["position"]["game"] in SLOW]


@pytest.mark.parametrize("name", games.NAMES)
def test_a_game_has_its_table_and_its_slow_program(name: str) -> None:
    file = perft.file_of(name)
    lacking = [] if perft.table(name) else [f"tests/rules/{file.name} (tests/rules/perft.py counts it)"]
    lacking += [] if name in SLOW else ["a slow program, in SLOW of tests/rules/test_perft.py"]
    assert not lacking, f"{name} lacks: {'; '.join(lacking)}"


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["name"])
def test_the_engine_counts_what_the_table_says(entry: dict[str, Any]) -> None:
    most = proof(30_000, 10**9)
    for depth, expected in enumerate(entry["counts"], 1):
        if expected <= most:
            assert perft.by_engine(entry["position"], depth) == expected


@pytest.mark.parametrize("entry", COUNTED_TWICE, ids=lambda entry: entry["name"])
def test_the_slow_program_counts_the_same(entry: dict[str, Any]) -> None:
    slow, most = SLOW[entry["position"]["game"]], proof(1_500, 500_000)
    game = games.game(entry["position"]["game"])
    whole = game.to_json(game.setup(entry["position"], 1))
    for depth, expected in enumerate(entry["counts"], 1):
        if expected <= most:
            assert perft.count(whole, depth, slow.legal, slow.apply) == expected
