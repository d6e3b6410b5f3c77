"""The check of the cards where the power went: its question is open as it was, and what was lost is said once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from table.desk.ending import abandon
from table.desk.said import Said
from table.page.sentences import sentences
from tests.table.desk.checked_cards import EAR, answers, asked, checked, counts, room_of
from tests.table.shakes import CARDS, heard


@pytest.mark.parametrize("heard_of", [None, {5: 0.6, 6: 0.3}])
async def test_after_a_power_cut_the_question_is_open_as_it_was(
    tmp_path: Path, heard_of: dict[int, float] | None
) -> None:
    """What was heard before is gone with the power: somebody has to look."""
    book = tmp_path / "book.sqlite"
    table = await checked(heard_of, None, book=book)
    assert await asked(table) == "A"
    table.journal.close()
    again, told = room_of(book), list[Said]()
    again.listen(told.append)  # as a voice does, for whom there is no page
    again.start()
    assert [said.text[:24] for said in told if said.event == "question"] == ["Look underneath igloo A "]
    assert await asked(again) == "A"
    await answers(again, 5)
    assert await asked(again) == "B"
    await answers(again, 6)
    assert again.desk.play("resolve")
    await again.stop()
    again.journal.close()


async def test_a_game_that_was_closed_in_the_check_asks_nothing_until_it_is_reopened(tmp_path: Path) -> None:
    book = tmp_path / "book.sqlite"
    table = await checked(None, book=book)
    table.desk.close("abandoned by red")
    table.journal.close()
    again = room_of(book)
    again.start()
    await asyncio.sleep(0)
    assert again.desk.question is None
    assert again.desk.undo()
    assert await asked(again) == "A"
    await again.stop()
    again.journal.close()


UNHEARD = "What may have been heard in this round before the start is gone"


GONE = "what may have been heard of it before is gone"


@pytest.mark.parametrize("sources", [EAR, {}, {"blue": "no such microphone"}])
async def test_what_a_restart_took_is_said_and_nobody_is_told_that_it_was_never_heard(
    tmp_path: Path, sources: dict[str, str]
) -> None:
    """A was heard and stands on its card, B was heard and put back, C is in hand; D is taken after the start."""
    book = tmp_path / "book.sqlite"
    table = room_of(book, sources)
    for slot, card in enumerate(CARDS, 1):
        assert table.desk.play(f"deal {slot} {card}")
    assert table.desk.play("count")
    for move in ("grab red A", "place red 1", "grab red B", "return red", "grab red C"):
        assert table.desk.play(move)
        if move.startswith("grab"):
            table._heard("red", heard("red", {5: 0.9995}))
    table.journal.close()
    heard_red = "red" in sources
    again, told = room_of(book, sources), list[Said]()
    again.listen(told.append)  # as a voice does
    again.start()
    said = [one.text for one in told if one.text.startswith(UNHEARD)]
    assert len(said) == (1 if heard_red else 0)  # a seat without an ear lost nothing
    for language in ("de", "fr", "it"):
        assert all(sentences(language).known(text) for text in said)
    again._heard("red", heard("red", {9: 0.9995}))
    for move in (
        "place red 2",
        "grab red B",
        "place red 3",
        "grab red D",
        "place red 4",
        "pass red",
        "pass blue",
    ):
        assert again.desk.play(move), move
    reasons = {}
    for count in (5, 6, 7):
        letter = await asked(again)
        assert again.desk.question is not None
        reasons[letter] = again.desk.question.text
        await answers(again, count)
    assert counts(again)["C"] == 9  # it was shaken once more
    assert list(reasons) == ["A", "B", "D"]
    assert [GONE in text for text in reasons.values()] == [heard_red, heard_red, False]
    for language in ("de", "fr", "it"):
        assert all(sentences(language).known(text) for text in reasons.values())
    await again.stop()
    again.journal.close()


async def test_what_a_restart_took_of_an_abandoned_game_is_said_when_that_is_taken_back(
    tmp_path: Path,
) -> None:
    """While it is abandoned nobody can shake anything once more."""
    book = tmp_path / "book.sqlite"
    table = room_of(book)
    for slot, card in enumerate(CARDS, 1):
        assert table.desk.play(f"deal {slot} {card}")
    for move in ("count", "grab red A"):
        assert table.desk.play(move)
    assert abandon(table.desk, "host")
    table.journal.close()
    again, told = room_of(book), list[Said]()
    again.listen(told.append)  # as the stream of events does
    again.start()
    assert again.pop is not None
    assert again.pop.ears.lost_before() is None
    for _ in range(2):
        assert again.desk.undo()
        await asyncio.sleep(0)
        assert abandon(again.desk, "host")
        await asyncio.sleep(0)
    assert again.desk.undo()
    await asyncio.sleep(0)
    events = [one.event for one in told]
    assert events == ["undo", "unheard", "abandoned", "undo", "abandoned", "undo"]  # once
    assert told[1].text.startswith(UNHEARD)
    assert told[1] in again.desk.said  # the page shows it
    await again.stop()


async def test_nothing_was_lost_of_a_game_that_was_abandoned_and_taken_back_in_one_go() -> None:
    table = room_of()
    table.start()
    for slot, card in enumerate(CARDS, 1):
        assert table.desk.play(f"deal {slot} {card}")
    for move in ("count", "grab red A"):
        assert table.desk.play(move)
    assert abandon(table.desk, "host")
    assert table.desk.undo()
    await asyncio.sleep(0)
    assert "unheard" not in [said.event for said in table.desk.said]
    await table.stop()


async def test_the_next_round_after_a_restart_has_lost_nothing(tmp_path: Path) -> None:
    book = tmp_path / "book.sqlite"
    table = await checked(None, book=book)
    table.journal.close()
    again = room_of(book)
    again.start()
    assert not [one for one in again.desk.said if one.text.startswith(UNHEARD)]  # nobody can shake any more
    assert again.desk.question is not None
    assert GONE in again.desk.question.text
    await answers(again, 5)
    for move in ("resolve", "deal 1 9", "count", "grab red A", "place red 2", "pass red", "pass blue"):
        assert again.desk.play(move), move
    assert await asked(again) == "A"
    assert "it was not heard" in again.desk.question.text
    await again.stop()
    again.journal.close()


async def test_back_in_a_round_that_was_left_nobody_is_told_that_it_was_never_heard() -> None:
    table = await checked({5: 0.9995})
    for move in ("resolve", "deal 1 9", "count"):
        assert table.desk.play(move), move
    while table.desk.view(None)["round"] == 2 or table.desk.view(None)["values"]["A"] is not None:
        assert table.desk.undo()
    assert await asked(table) == "A"
    assert table.desk.question is not None
    assert GONE in table.desk.question.text
