"""T-IP-1 to T-IP-16: how cards are settled, who may take an igloo, how rounds and the game end."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import pytest

from rules.core import data
from rules.core.refusal import PositionError
from rules.igloo_pop.deck import deck, points
from rules.igloo_pop.resolving import settle
from tests.rules.telling import Table, igloo_pop, new

RED, BLUE, GREEN, YELLOW = "red", "blue", "green", "yellow"


def own(table: Table, player: str) -> int:
    count: int = table.json["talers"][player]["own"]
    return count


def captured(table: Table) -> dict[str, int]:
    return {player: taler["captured"] for player, taler in table.json["talers"].items() if taler["captured"]}


def won(table: Table) -> dict[str, list[list[int]]]:
    return {player: cards for player, cards in table.json["won"].items() if cards}


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


def test_t_ip_15_the_deck_that_ships() -> None:
    cards = deck("assumed-v1")
    assert [sum(len(card) == n for card in cards) for n in (1, 2, 3)] == [12, 11, 10]
    assert sum(map(points, cards)) == 68
    assert all(
        card == tuple(range(card[0], card[-1] + 1)) and 2 <= card[0] <= card[-1] <= 13 for card in cards
    )
    table = physical_round()
    table.play("found 1 5 red")
    table.refuses("found 2 5 blue", "IP-14", "illegal")


def physical_round() -> Table:
    """Nine cards laid, counted, nobody recorded a placement; the shaking has ended."""
    table = new("igloo-pop", [RED, BLUE], mode="physical")
    table.refuses("count", "IP-9", "not-now")
    for slot in range(1, 10):
        table.play(f"deal {slot} {slot + 1}")
    return table.play("count", "pass red", "pass blue")


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


def test_physical_play_takes_what_is_found() -> None:
    table = physical_round().play("found 1 2 red", "found 1 3 blue", "found 4 5 blue", "resolve")
    assert won(table) == {RED: [[2]], BLUE: [[5]]}
    assert captured(table) == {RED: 1}
    assert (table.phase, len(table.json["deck"]), table.json["values"]["A"]) == ("countdown", 24, None)
    table.refuses("count", "IP-9", "not-now")
    table.refuses("deal 1 2", "IP-14", "illegal")
    table.play("deal 1 12", "deal 4 13", "count")


def test_physical_play_with_recorded_placements() -> None:
    table = new("igloo-pop", [RED, BLUE], mode="physical")
    for slot in range(1, 10):
        table.play(f"deal {slot} {slot + 1}")
    table.play("count", "grab red C", "place red 2", "pass red", "pass blue")
    table.refuses("resolve", "IP-14", "not-now")
    table.play("found 2 3 red")
    assert table.json["values"]["C"] == 3
    assert table.game.view(table.state, BLUE)["values"]["C"] == 3
    assert own(table, RED) == 9
    table.refuses("found 2 14 red", "IP-1", "illegal")
    table.play("resolve")
    assert won(table) == {RED: [[3]]}


def test_digital_play_knows_its_igloos() -> None:
    table = new("igloo-pop", [RED, BLUE]).play("count", "pass red", "pass blue")
    table.refuses("found 1 5 red", "IP-8", "not-now")
    table.refuses("deal 1 5", "IP-2", "not-now")
    assert sorted(table.json["values"].values()) == list(range(2, 14))


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


def test_a_deck_names_every_defect() -> None:
    cards = [list(card) for card in data.load("deck", "assumed-v1")["cards"]]
    cards[0], cards[1], cards[2] = [14], [3, 5], [4, 4]
    with pytest.raises(PositionError) as wrong:
        deck({"name": "mine", "cards": cards[:-1], "colour": 3})
    text = "\n".join(wrong.value.defects)
    for part in ("unknown key 'colour'", "card 1", "card 2 of the deck is 3-5", "card 3", "32 cards"):
        assert part in text
    assert len(deck({"runs": False, "cards": [[2, 9], *cards[3:], [3], [5]]})) == 33
    with pytest.raises(PositionError, match="no deck 'nine'"):
        deck("nine")


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
