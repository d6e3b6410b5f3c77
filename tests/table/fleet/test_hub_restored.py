"""Events that do not follow on what a hub has taken: of a restored journal, and of a copy of a table's card."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware_bridge.clock import VirtualClock
from table.fleet.address import Message
from table.fleet.hub import Hub, Line
from table.fleet.hub_book import Book
from tests.table.fleet.hub_messages import BOOK, event, online, state, told


def test_a_journal_restored_from_a_copy_is_said_and_its_new_events_are_taken() -> None:
    hub = Hub(Book(None), VirtualClock())
    lines = [
        *hub.take(state(0)),
        *hub.take(event(1)),
        *hub.take(event(2)),
        *hub.take(state(1, retained=True)),
    ]
    assert not [line for line in lines if line["event"] == "odd"]  # an old retained state says nothing
    lines += [*hub.take(state(1)), *hub.take(event(2))]
    assert told(lines) == [1, 2, 2]
    assert [line["text"] for line in lines if line["event"] == "odd"] == [
        "its journal went back: it was restored from a copy"
    ]


class Restored:
    """A hub, and a table that had played twenty events, was restored from a copy of ten and plays again."""

    def __init__(self, path: Path | None = None, newest: int = 15) -> None:
        self.clock, self.path, self.newest = VirtualClock(), path, newest
        self.lines: list[Line] = []
        self.hub = Hub(Book(path), self.clock)
        self.take(online(), state(0), *map(event, range(1, 21)), state(20))
        self.lines.clear()

    def event(self, n: int) -> Message:
        return event(n, at="2026-11-28T00:00:00Z") if n > 10 else event(n)

    def take(self, *messages: Message) -> None:
        for message in messages:
            self.lines += self.hub.take(message)

    async def asked(self) -> int | None:
        """From where on the hub asks, if it asks; and the table sends what it has from there on."""
        self.hub.wishes()
        await self.clock.advance(100)
        wishes = self.hub.wishes()
        if not wishes:
            return None
        start: int = json.loads(wishes[0][1])["from"]
        self.take(*map(self.event, range(start, self.newest + 1)))
        return start

    async def settled(self) -> bool:
        """Whether the hub wants nothing more, and has of this journal what the table has, once."""
        for _ in range(4):
            await self.asked()
        kept = [json.loads(text) for text in self.hub.book.last(BOOK, 50)]
        new = [one["n"] for one in kept if one["at"].startswith("2026-11-28")]
        assert [one["n"] for one in kept] == list(range(1, self.newest + 1))
        assert new == told(self.lines) == list(range(11, self.newest + 1))
        assert [one["text"] for one in self.lines if one["event"] == "odd"] == [
            "its journal went back: it was restored from a copy"
        ]
        return await self.asked() is None


async def test_events_of_a_restored_journal_are_no_repetitions() -> None:
    """What waited while there was no broker comes first, the state after it."""
    table = Restored()
    table.take(*(table.event(n) for n in range(9, 16)), state(15))
    assert told(table.lines) == [11, 12, 13, 14, 15]
    assert await table.settled()


async def test_where_a_restored_journal_parts_is_asked_for() -> None:
    """Only the last of its new events came through."""
    table = Restored()
    table.take(table.event(14), table.event(15), state(15))
    assert told(table.lines) == []  # what is before it may be new as well
    assert await table.settled()


async def test_the_state_of_a_restored_journal_is_enough() -> None:
    table = Restored()
    table.take(state(15))
    assert await table.settled()


async def test_a_hub_that_was_away_notices_a_restored_journal(tmp_path: Path) -> None:
    for newest in (15, 20, 25):
        table = Restored(tmp_path / f"{newest}.sqlite", newest)
        table.hub = Hub(Book(table.path), table.clock)
        table.take(online(), state(newest, retained=True))
        assert await table.settled()


async def test_an_old_retained_state_costs_one_question() -> None:
    table = Restored(newest=20)
    table.event = event  # type: ignore[method-assign]  # nothing was restored
    table.take(state(12, retained=True))
    assert await table.asked() == 12
    assert await table.asked() is None
    assert not [line for line in table.lines if line["event"] != "table"]


@pytest.mark.parametrize("lost", [False, True])
async def test_one_event_of_a_copied_card_does_not_end_the_listening(lost: bool) -> None:
    """It is not of this journal: what was taken under its number comes again, unchanged."""
    table = Restored(newest=20)
    table.event = event  # type: ignore[method-assign]  # nothing was restored
    table.take(event(5, at="2026-11-20T09:00:00Z"))
    if lost:  # the answer broke off after its first event: that answers nothing
        table.take(event(1))
    assert await table.asked() == 1
    assert await table.asked() is None
    table.newest = 22
    table.take(event(21), event(22), state(22))
    assert told(table.lines) == [21, 22]
    assert await table.asked() is None
    assert [line["text"] for line in table.lines if line["event"] == "odd"] == [
        "event 5 came that is not of its journal: does another table run on a copy of its card?"
    ]
