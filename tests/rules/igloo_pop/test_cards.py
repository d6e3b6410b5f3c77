"""Igloo Pop: the deck (T-IP-15), and physical play, where the table tells which cards and igloos lie there."""

from __future__ import annotations

import pytest

from rules.core import data
from rules.core.refusal import PositionError, Refusal
from rules.igloo_pop.deck import deck, points
from tests.rules.igloo_pop.pop_table import BLUE, RED, captured, own, physical_round, won
from tests.rules.telling import Table, igloo_pop, new


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


def test_physical_play_takes_what_is_found() -> None:
    table = physical_round().play("found 1 2 red", "found 1 3 blue", "found 4 5 blue", "resolve")
    assert won(table) == {RED: [[2]], BLUE: [[5]]}
    assert captured(table) == {RED: 1}
    assert (table.phase, len(table.json["deck"]), table.json["values"]["A"]) == ("countdown", 24, None)
    table.refuses("count", "IP-9", "not-now")
    table.refuses("deal 1 2", "IP-14", "illegal")
    table.play("deal 1 12", "deal 4 13", "count")


def test_a_card_that_is_not_turned_over_is_named_once_however_many_igloos_stand_on_it() -> None:
    table = new("igloo-pop", [RED, BLUE], mode="physical")
    for slot in range(1, 10):
        table.play(f"deal {slot} {slot + 1}")
    table.play("count", "grab red C", "place red 2", "grab red D", "place red 2", "pass red", "pass blue")
    with pytest.raises(Refusal) as refused:
        table.game.play(table.state, "resolve")
    assert refused.value.text.startswith("igloos on card 2 are not turned over yet")


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


def said_after(table: Table) -> str:
    """What is told of the next round, once the cards are checked."""
    _, events = table.game.play(table.state, "resolve")
    return events[-1].text


def test_before_the_next_round_it_is_said_where_cards_are_missing() -> None:
    mixed = "the igloos are mixed; round 2 can begin"
    assert said_after(physical_round()) == mixed
    table = physical_round().play("found 1 2 red", "found 4 5 blue")
    assert said_after(table) == f"{mixed}; first lay a card of the deck into slot 1, 4"
    cards = {slot: [slot + 1] for slot in range(1, 10)}
    won = [(1, 2, "R"), (4, 5, "B")]
    few = igloo_pop(cards, won, players="RB", options={"mode": "physical"}, deck=[None], round=1)
    last = ", the last one: fewer than nine cards lie open"
    assert said_after(few) == f"{mixed}{last}; first lay what is left of the deck into the ring"
    none = igloo_pop(cards, won, players="RB", options={"mode": "physical"}, deck=[], round=1)
    assert said_after(none) == f"{mixed}{last}"
    assert said_after(new("igloo-pop", [RED, BLUE]).play("count", "pass red", "pass blue")) == mixed


def test_digital_play_knows_its_igloos() -> None:
    table = new("igloo-pop", [RED, BLUE]).play("count", "pass red", "pass blue")
    table.refuses("found 1 5 red", "IP-8", "not-now")
    table.refuses("deal 1 5", "IP-2", "not-now")
    assert sorted(table.json["values"].values()) == list(range(2, 14))


def test_a_deck_names_every_defect() -> None:
    cards = [list(card) for card in data.load("deck", "assumed-v1")["cards"]]
    cards[0], cards[1], cards[2] = [14], [3, 5], [4, 4]
    with pytest.raises(PositionError) as wrong:
        deck({"name": "mine", "cards": cards[:-1], "colour": 3})
    text = "\n".join(wrong.value.defects)
    for part in ("unknown key 'colour'", "card 1", "card 2 of the deck is 3-5", "card 3", "32 cards"):
        assert part in text
    assert "if your box has it, say `runs`: false in the deck" in text
    assert len(deck({"runs": False, "cards": [[2, 9], *cards[3:], [3], [5]]})) == 33
    with pytest.raises(PositionError, match="no deck 'nine'"):
        deck("nine")
