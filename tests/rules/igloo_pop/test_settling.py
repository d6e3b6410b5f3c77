"""Igloo Pop: how cards are settled (T-IP-1 … T-IP-9, T-IP-16), beside the rule book's own cases."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import pytest

from rules.igloo_pop.resolving import settle
from tests.rules.igloo_pop.pop_table import BLUE, GREEN, RED, YELLOW, captured, own, won
from tests.rules.telling import Table, igloo_pop


def settled(card: list[int], *igloos: tuple[int, str], **rest: Any) -> Table:
    """Card 1 of nine, with these igloos on it, resolved."""
    others = [[n, n + 1] for n in range(2, 13) if [n, n + 1] != card]
    cards = dict(enumerate([card, *others[:8]], 1))
    table = igloo_pop(cards, [(1, value, by) for value, by in igloos], **rest)
    return table.play("resolve")


def test_t_ip_1_the_right_igloo_wins_the_card() -> None:
    table = settled([5], (5, "R"))
    assert won(table) == {RED: [[5]]}
    assert own(table, RED) == 10
    assert table.json["table"][0] is None
    assert {place["at"] for place in table.json["igloos"].values()} == {"village"}


def test_t_ip_2_a_wrong_igloo_costs_its_taler() -> None:
    table = settled([7, 8], (9, "B"))
    assert (won(table), own(table, BLUE), table.json["box"]) == ({}, 9, 1)
    assert table.json["table"][0] == [7, 8]


def test_t_ip_3_all_right_the_highest_wins() -> None:
    table = settled([9, 10, 11], (9, "B"), (11, "G"))
    assert won(table) == {GREEN: [[9, 10, 11]]}
    assert (own(table, BLUE), own(table, GREEN), captured(table)) == (10, 10, {})


def test_t_ip_4_the_only_right_one_captures() -> None:
    table = settled([3, 4], (4, "Y"), (5, "R"), (2, "B"))
    assert won(table) == {YELLOW: [[3, 4]]}
    assert (own(table, YELLOW), captured(table)) == (10, {YELLOW: 2})


def test_t_ip_5_some_right_some_wrong() -> None:
    table = settled([6, 7, 8], (6, "R"), (8, "B"), (10, "G"))
    assert won(table) == {BLUE: [[6, 7, 8]]}
    assert (own(table, RED), own(table, BLUE), captured(table)) == (10, 10, {BLUE: 1})


def test_t_ip_6_the_highest_right_one_not_the_highest() -> None:
    table = settled([6, 7, 8], (6, "R"), (13, "B"))
    assert (won(table), captured(table)) == ({RED: [[6, 7, 8]]}, {RED: 1})


def test_t_ip_7_several_and_none_right() -> None:
    table = settled([4], (6, "R"), (9, "B"))
    assert (won(table), table.json["box"], table.json["table"][0]) == ({}, 2, [4])


@pytest.mark.parametrize(
    ("option", "box", "blue", "taken"), [("box", 1, 9, 1), ("back", 0, 10, 1), ("captured", 0, 9, 2)]
)
def test_t_ip_8_the_winners_own_wrong_taler(option: str, box: int, blue: int, taken: int) -> None:
    table = settled([6, 7, 8], (8, "B"), (5, "B"), (9, "R"), options={"own_wrong_taler": option})
    assert won(table) == {BLUE: [[6, 7, 8]]}
    assert (table.json["box"], own(table, BLUE), captured(table)) == (box, blue, {BLUE: taken})


def test_t_ip_9_two_right_ones_of_one_player_win_once() -> None:
    table = settled([12, 13], (12, "R"), (13, "R"))
    assert (won(table), own(table, RED)) == ({RED: [[12, 13]]}, 10)


def test_t_ip_16_the_order_of_cards_does_not_matter() -> None:
    igloos = [(1, 5, "R"), (1, 6, "B"), (2, 7, "B"), (3, 9, "G"), (3, 8, "R"), (4, 13, "Y")]
    cards = {1: [5], 2: [6, 7], 3: [8, 9, 10], 4: [2]}
    reference = igloo_pop(cards, igloos).play("resolve").json
    for order in permutations(cards):
        moved = {new_slot: cards[slot] for new_slot, slot in enumerate(order, 1)}
        where = {slot: new_slot for new_slot, slot in enumerate(order, 1)}
        turned = (
            igloo_pop(moved, [(where[slot], value, by) for slot, value, by in igloos]).play("resolve").json
        )
        assert (turned["talers"], turned["box"]) == (reference["talers"], reference["box"])
        assert {p: sorted(c) for p, c in turned["won"].items()} == {
            p: sorted(c) for p, c in reference["won"].items()
        }


def by_the_book(card: tuple[int, ...], igloos: list[tuple[int, int]], players: int) -> Any:
    """The rule book's own cases, one after the other, as a person reads them (a second opinion on IP-8)."""
    back, taken, box = [0] * players, [0] * players, 0
    right = sorted((value, by) for value, by in igloos if value in card)
    if len(igloos) == 1:
        (_, by) = igloos[0]
        if right:
            back[by] += 1
            return by, back, taken, box
        return None, back, taken, 1
    if not right:
        return None, back, taken, len(igloos)
    winner = right[-1][1]
    for value, by in igloos:
        if value in card:
            back[by] += 1
        elif by == winner:
            box += 1
        else:
            taken[winner] += 1
    return winner, back, taken, box


def test_settling_agrees_with_the_book_for_every_small_case() -> None:
    seen = 0
    for card in ((5,), (5, 6), (5, 6, 7)):
        for n in (1, 2, 3):
            for values in permutations((3, 5, 6, 7, 9), n):
                for owners in product(range(3), repeat=n):
                    igloos = list(zip(values, owners, strict=True))
                    winner, back, taken, box = by_the_book(card, igloos, 3)
                    assert settle(card, igloos, 3) == (winner, tuple(back), tuple(taken), box)
                    seen += 1
    assert seen == 3 * (5 * 3 + 20 * 9 + 60 * 27)
