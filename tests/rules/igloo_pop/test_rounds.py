"""Igloo Pop: who may take an igloo and place it, how rounds and the game end (T-IP-10 … T-IP-14)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.igloo_pop.deck import deck, points
from tests.rules.igloo_pop.pop_table import BLUE, RED
from tests.rules.telling import Table, igloo_pop, new


def test_t_ip_10_what_no_hand_may_do() -> None:
    table = new("igloo-pop", [RED, BLUE])
    table.refuses("grab red A", "IP-4", "not-now")
    table.play("count", "grab red A")
    table.refuses("grab red B", "IP-5", "illegal")
    table.refuses("grab blue A", "IP-5", "illegal")
    table.play("place red 3")
    table.refuses("grab blue A", "IP-5", "illegal")
    table.refuses("place blue 3", "IP-5", "not-now")
    table.play("grab blue B")
    table.refuses("place blue 10", "IP-3", "illegal")
    table.refuses("grab white C", "IP-2", "illegal")
    cards = {1: [2], 2: [3]}
    holding = {"A": {"at": "hand", "by": RED}}
    poor = igloo_pop(cards, players="RB", own={"R": 0}, phase="shaking", where=holding)
    poor.refuses("place red 1", "IP-5", "not-now")
    gap = igloo_pop(cards, players="RB", phase="shaking", where=holding)
    gap.refuses("place red 5", "IP-5", "illegal")
    rich = igloo_pop(cards, players="RB", own={"R": 0, "B": 6}, captured={"R": 3}, phase="shaking")
    rich.refuses("grab red A", "IP-5", "illegal")
    rich.refuses("pass red", "IP-7", "illegal")


def test_t_ip_11_passing_can_be_taken_back() -> None:
    table = new("igloo-pop", [RED, BLUE]).play("count", "grab red A", "pass red", "pass blue")
    assert table.phase == "shaking"
    table.play("return red")
    assert table.phase == "resolving"
    table = new("igloo-pop", [RED, BLUE]).play("count", "pass blue", "grab blue A")
    assert table.json["passed"] == []
    table.play("pass red", "unpass red", "return blue", "pass blue")
    assert (table.phase, table.json["passed"]) == ("shaking", [BLUE])


def play_round(table: Table, take: int) -> None:
    """Red wins the first `take` cards; he is told the values by the host."""
    table.play("count")
    free = dict(table.json["values"])
    for slot, card in enumerate(table.json["table"], 1):
        if card and take:
            letter = next((letter for letter, value in free.items() if value in card), None)
            if letter is None:
                continue
            del free[letter]
            take -= 1
            table.play(f"grab red {letter}", f"place red {slot}")
    assert not take
    table.play(*(["pass red"] if table.phase == "shaking" else []))
    table.play(*(["pass blue"] if table.phase == "shaking" else []), "resolve")


def test_d_6_who_has_no_taler_left_counts_as_passed_whatever_he_says() -> None:
    """He passed with his last igloo in the hand; to take that back would be a move of one who cannot act."""
    table = igloo_pop({1: [5], 2: [7, 8]}, players="RB", own={"R": 1}, where={"B": {"at": "hand", "by": "blue"}},
                      phase="shaking")  # fmt: skip
    table.play("grab red A", "pass red")
    assert "unpass red" in table.moves("red")
    table.play("unpass red", "pass red", "place red 1")
    assert (table.game.to_act(table.state), table.moves("red")) == (("blue",), [])
    why = table.refuses("unpass red", "IP-7", "not-now")
    assert why.text == "red has no talers of his own, and counts as having passed"
    assert table.play("return blue", "pass blue").phase == "resolving"


def test_t_ip_12_the_deck_runs_out() -> None:
    cards = [[n, n + 1] for n in range(2, 13)] + [[n] for n in range(2, 14)]
    table = igloo_pop(dict(enumerate(cards[:9], 1)), players="RB", deck=cards[9:15], round=3)
    play_round(table, 6)
    assert (table.json["deck"], None in table.json["table"], table.json["last_round"]) == ([], False, False)
    whole = table.state
    play_round(table, 2)
    assert (sum(card is not None for card in table.json["table"]), table.json["last_round"]) == (7, True)
    play_round(table, 1)
    assert table.over is not None
    assert (table.over["rule"], table.phase) == ("IP-10", "over")
    by_pairs = igloo_pop({k: [k + 1, k + 2] for k in range(1, 10)}, [(k, k + 1, "R") for k in range(1, 10)])
    by_pairs.play("resolve")
    assert by_pairs.over is not None
    assert by_pairs.over["rule"] == "D-9"
    assert Table("igloo-pop", whole).over is None


def test_t_ip_13_no_own_talers_left() -> None:
    table = igloo_pop(
        {k: [k + 1] for k in range(1, 10)},
        [(1, 9, "R")],
        players="RB",
        own={"R": 0, "B": 5},
        captured={"R": 4},
        deck=[[12], [13]],
        won={RED: [[11]]},
    )
    table.play("resolve")
    assert table.over is not None
    assert (table.over["rule"], table.over["winners"]) == ("IP-10", [RED])
    assert table.over["scores"] == {RED: 3 + 4, BLUE: 5}
    assert len(table.json["deck"]) == 2


@pytest.mark.parametrize(
    ("red", "blue", "winners"),
    [
        # won cards by their points, own, captured
        (((3, 2, 1), 6, 2), ((3, 3), 8, 0), [RED]),
        (((3, 3), 6, 2), ((3, 3), 8, 0), [RED]),
        (((3, 3), 8, 0), ((3, 3), 8, 0), [RED, BLUE]),
        (((3, 3), 8, 0), ((3, 2, 1), 8, 0), [BLUE]),
    ],
)
def test_t_ip_14_scores_and_ties(red: Any, blue: Any, winners: list[str]) -> None:
    stock = {size: [card for card in deck("assumed-v1") if points(card) == size] for size in (1, 2, 3)}
    cards = {
        player: [list(stock[size].pop()) for size in sizes]
        for player, (sizes, _, _) in ((RED, red), (BLUE, blue))
    }
    left = [list(stock[1].pop())]
    table = igloo_pop(
        {1: left[0]},
        players="RB",
        own={"R": red[1], "B": blue[1]},
        captured={"R": red[2], "B": blue[2]},
        won=cards,
        last_round=True,
        phase="resolving",
    )
    scores, parts = table.game.score(table.state)
    assert scores == {player: sum(part.values()) for player, part in parts.items()}
    assert scores[RED] == 14
    table.play("resolve")
    assert table.over is not None
    assert table.over["winners"] == winners


def test_a_stop_needs_two_empty_rounds_and_everybody() -> None:
    table = new("igloo-pop", [RED, BLUE])
    table.refuses("stop red", "D-13", "not-now")
    for _ in range(2):
        table.play("count", "pass red", "pass blue", "resolve")
    assert table.json["empty_rounds"] == 2
    table.play("stop red")
    table.refuses("stop red", "D-13", "illegal")
    table.refuses("stop red", "IP-6", "illegal", seat=BLUE)
    table.play("stop blue", seat=BLUE)
    assert table.over is not None
    assert (table.over["rule"], table.over["winners"]) == ("D-13", [RED, BLUE])


def test_a_round_in_which_nobody_has_a_taler_ends_as_it_begins() -> None:
    table = igloo_pop({1: [5]}, players="RB", own={"R": 0, "B": 0}).play("count")
    assert table.phase == "resolving"
    table.play("resolve")
    assert table.over is not None
    assert (table.over["rule"], table.over["winners"]) == ("IP-10", [RED, BLUE])


def test_values_that_nobody_has_settled_are_drawn_when_they_are_needed() -> None:
    table = igloo_pop({1: [5]}, [(1, 0, "R")], values={}, deck=[None, None])
    first = Table("igloo-pop", table.state).play("resolve").json
    assert first == Table("igloo-pop", table.state).play("resolve").json
    assert first["table"][1] is not None


def test_parts_of_moves_and_whose_they_are() -> None:
    table = new("igloo-pop", [RED, BLUE]).play("count")
    table.play("grab a", seat=RED)
    assert table.game.read(table.state, "return") == "return red"
    assert len(table.refuses("place red", None, "ambiguous").candidates) == 9
    assert table.game.read(table.state, "place 4", RED) == "place red 4"
    assert table.refuses("grab", None, "ambiguous").candidates[0] == "grab blue B"
    table.refuses("grab red A", "IP-6", "illegal", seat=BLUE)
    table.refuses("grab red M", None, "unreadable")
    table.refuses("place red A", None, "unreadable")
    table.refuses("", None, "unreadable")
