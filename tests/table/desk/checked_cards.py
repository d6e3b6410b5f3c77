"""The check of the cards at a table with an ear: it is opened, asked about and answered."""

from __future__ import annotations

import asyncio
from pathlib import Path

from firmware_bridge.clock import VirtualClock
from table.config import Settings
from table.door.access import Access
from table.journal.store import Journal
from table.room.table_room import TableRoom
from tests.table.shakes import CARDS, heard

EAR = {"red": "no such microphone"}


def room_of(book: Path | None = None, sources: dict[str, str] = EAR) -> TableRoom:
    clock = VirtualClock()
    settings = Settings(game={"name": "igloo-pop", "players": ["red", "blue"]}, ear={"sources": sources})
    return TableRoom(settings, clock, Journal(book), Access(clock, lan=False))


async def checked(*likely: dict[int, float] | None, book: Path | None = None) -> TableRoom:
    """Red has noted igloos A, B, … of which that was heard; all have passed."""
    table = room_of(book)
    for slot, card in enumerate(CARDS, 1):
        assert table.desk.play(f"deal {slot} {card}")
    assert table.desk.play("count")
    for slot, (letter, of_it) in enumerate(zip("ABC", likely, strict=False), 1):
        assert table.desk.play(f"grab red {letter}")
        if of_it is not None:
            table._heard("red", heard("red", of_it))
        assert table.desk.play(f"place red {slot}")
    assert table.desk.play("pass red")
    assert table.desk.play("pass blue")
    await asyncio.sleep(0)
    return table


async def asked(table: TableRoom) -> str:
    """About which igloo."""
    await asyncio.sleep(0)
    question = table.desk.question
    assert question is not None
    return question.text.removeprefix("Look underneath igloo ")[0]


async def answers(table: TableRoom, count: int) -> None:
    question = table.desk.question
    assert question is not None
    index = next(i for i, choice in enumerate(question.choices) if choice.text == str(count))
    assert table.desk.answer(question.key, index)
    await asyncio.sleep(0)


def counts(table: TableRoom) -> dict[str, int]:
    return {k: v for k, v in table.desk.view(None)["values"].items() if v is not None}
