"""The check of the cards goes on after whatever was taken back: a question stays open until it is answered."""

from __future__ import annotations

import asyncio

from tests.table.desk.checked_cards import answers, asked, checked, counts
from tests.table.shakes import heard


async def test_a_slip_that_is_taken_back_is_asked_again_and_made_again_the_next_one_is() -> None:
    table = await checked(None, None)
    assert await asked(table) == "A"
    await answers(table, 11)
    assert await asked(table) == "B"
    assert table.desk.undo()
    assert await asked(table) == "A"
    assert table.desk.redo()
    assert await asked(table) == "B"
    assert table.desk.undo()
    assert await asked(table) == "A"
    await answers(table, 10)
    assert await asked(table) == "B"


async def test_what_the_ear_took_is_asked_about_when_it_is_taken_back_and_not_taken_again() -> None:
    table = await checked({5: 0.9995}, {9: 0.9995}, None)
    assert counts(table) == {"A": 5, "B": 9}
    assert await asked(table) == "C"
    assert table.desk.undo()
    assert await asked(table) == "B"
    assert counts(table) == {"A": 5}
    assert table.desk.undo()
    assert await asked(table) == "A"
    assert counts(table) == {}
    assert table.desk.redo()  # made again, and no more than that
    assert await asked(table) == "B"
    assert counts(table) == {"A": 5}
    await answers(table, 8)
    assert counts(table) == {"A": 5, "B": 8}
    assert await asked(table) == "C"


async def test_the_last_answer_that_is_taken_back_after_the_check_is_asked_again() -> None:
    table = await checked({5: 0.9995})
    assert counts(table) == {"A": 5}
    assert table.desk.question is None
    assert table.desk.undo()
    assert await asked(table) == "A"


async def test_nothing_is_asked_where_undoing_leads_out_of_the_check() -> None:
    table = await checked(None)
    assert await asked(table) == "A"
    assert table.desk.undo()
    await asyncio.sleep(0)
    assert table.desk.view(None)["phase"] == "shaking"
    assert table.desk.question is None


async def test_how_the_ear_did_is_said_once_however_much_it_says_itself() -> None:
    """It takes igloos after the last answer, and each that it takes settles the check once more."""
    table = await checked({5: 0.6, 6: 0.39}, {9: 0.9995}, {12: 0.9995})
    told: list[str] = []
    table.listen(lambda said: told.append(said.text) if said.event == "ear-report" else None)
    assert await asked(table) == "A"
    await answers(table, 6)
    await asyncio.sleep(0)
    assert counts(table) == {"A": 6, "B": 9, "C": 12}
    once = "Of 1 igloo that was turned over the ear had 0 exactly and 1 within one (A 5 for 6)."
    assert told == [once]
    for _ in "ABC":
        assert table.desk.undo()
        await asyncio.sleep(0)
    await answers(table, 5)
    await asyncio.sleep(0)
    assert told == [once, "Of 1 igloo that was turned over the ear had 1 exactly and 1 within one."]


async def test_of_two_rounds_alike_it_is_said_twice() -> None:
    table = await checked({5: 0.6, 6: 0.39})
    told: list[str] = []
    table.listen(lambda said: told.append(said.text) if said.event == "ear-report" else None)
    await answers(table, 5)
    for move in ("resolve", "deal 1 9", "count", "grab red A"):
        assert table.desk.play(move), table.desk.said[-1].text
    table._heard("red", heard("red", {5: 0.6, 6: 0.39}))
    for move in ("place red 2", "pass red", "pass blue"):
        assert table.desk.play(move), move
    await asyncio.sleep(0)
    await answers(table, 5)
    await asyncio.sleep(0)
    assert len(told) == 2
    assert told[0] == told[1]
