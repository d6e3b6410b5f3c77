"""Moves of Igloo Pop as the page calls them: in lists and refusals each can be told from every other."""

from __future__ import annotations

import pytest

from table.page.chairs import Chairs
from table.page.panel_igloo_pop import IglooPopPanel
from table.page.texts import LANGUAGES, Texts
from tests.table.rooms import room as quiet_room

CARDS = ("5", "6", "2", "3-4", "9-10-11", "12-13", "4-5-6", "11-12-13", "7-8")


def panel(language: str, *moves: str) -> IglooPopPanel:
    """The host's page, after these moves."""
    room = quiet_room()
    room.new_game("igloo-pop", ["red", "blue"], {"mode": "physical"})
    for move in moves:
        assert room.desk.play(move), move
    return IglooPopPanel(room, "igloo-pop", Texts(language), Chairs(room, None, None, "", "this browser"))


DEALT = tuple(f"deal {slot} {card}" for slot, card in enumerate(CARDS, 1))
CHECK = ("count", "grab red A", "place red 1", "grab blue B", "place blue 2", "pass red", "pass blue")
EMPTY = ("count", "pass red", "pass blue", "resolve")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("so_far", [(), (*DEALT, "count"), (*DEALT, *CHECK), (*DEALT, *EMPTY, *EMPTY)])
async def test_no_two_moves_are_called_alike_and_none_by_its_notation(
    language: str, so_far: tuple[str, ...]
) -> None:
    shown = panel(language, *so_far)
    called = {move: shown.words(move) for move in shown.legal()}
    assert len(set(called.values())) == len(called)
    assert [move for move, words in called.items() if move == words] == []


async def test_a_card_that_cannot_be_laid_there_could_be_laid_elsewhere() -> None:
    shown = panel("en", "deal 1 7-8")
    assert not shown.desk.play("deal 1 5")
    assert "Card 5 into slot 2; Card 5 into slot 3" in shown._instead(shown.desk.said[-1])


async def test_whoever_tapped_a_card_is_not_told_again_which_it_is() -> None:
    shown = panel("en", *DEALT, *CHECK)
    assert shown.words_there("found 1 5 red") == "5 beads, taler of Red"
    assert shown.words("found 1 5 red") == "Card 1: 5 beads, taler of Red"
    assert shown.words_there("deal 3 7-8") == "7 · 8"
    assert shown.words_there("grab red C") == shown.words("grab red C")


async def test_to_stop_is_said_by_each_seat() -> None:
    shown = panel("de", *DEALT, *EMPTY, *EMPTY)
    assert {"stop red", "stop blue"} <= set(shown.legal())
    assert shown.words("stop red") == "Rot möchte aufhören"
    shown.chairs.sit("igloo-pop", "red")
    assert shown.words("stop red") == "Hier aufhören"
