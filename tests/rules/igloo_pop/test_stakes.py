"""Igloo Pop: a stop needs two empty rounds in a row, and nobody stakes a taler that he has not (D-13, IP-14)."""

from __future__ import annotations

from tests.rules.igloo_pop.pop_table import BLUE, RED, own
from tests.rules.telling import igloo_pop, new


def test_a_round_in_which_somebody_placed_ends_a_row_of_empty_ones() -> None:
    table = new("igloo-pop", [RED, BLUE])
    empty = ("count", "pass red", "pass blue", "resolve")
    placed = ("count", "grab red A", "place red 1", "pass red", "pass blue", "resolve")
    table.play(*empty, *placed)
    assert table.json["empty_rounds"] == 0
    table.refuses("stop red", "D-13", "not-now")
    table.play(*empty)
    assert table.json["empty_rounds"] == 1
    table.refuses("stop red", "D-13", "not-now")
    table.play(*empty, "stop red")


def test_in_physical_play_no_igloo_is_found_with_a_taler_that_its_player_has_not() -> None:
    cards = {1: [5], 2: [6], 3: [7]}
    table = igloo_pop(
        cards, players="RB", own={"R": 1, "B": 4}, phase="resolving", options={"mode": "physical"}, values={}
    )
    table.play("found 1 5 red")
    assert own(table, RED) == 0
    table.refuses("found 2 7 red", "IP-14", "illegal")
    assert own(table, RED) == 0
    assert "found 2 7 red" not in set(table.game.moves(table.state))
    table.play("found 2 7 blue", "resolve")
