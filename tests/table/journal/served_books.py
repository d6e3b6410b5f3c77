"""A table that has a book open, and what it says when that is not its book any more."""

from __future__ import annotations

from pathlib import Path

from firmware_bridge.clock import VirtualClock
from table.config import Settings
from table.door.access import Access
from table.journal.holding import Hold
from table.journal.store import Journal
from table.room.table_room import TableRoom
from tests.table.rooms import legal


def served(data: Path) -> TableRoom:
    clock, book = VirtualClock(), data / "book.sqlite"
    journal = Journal(book, hold=Hold(book))
    return TableRoom(Settings.model_validate({}), clock, journal, Access(clock, lan=False))


def ended(table: TableRoom) -> None:
    table.journal.close()
    assert table.journal._hold is not None
    table.journal._hold.close()


def takes_nothing(table: TableRoom) -> None:
    before = table.desk.sitting
    assert not table.desk.play(legal(table))
    assert table.desk.said[-1].text.startswith("PT-609: ")
    assert table.desk.unwritten
    assert not table.desk.undo()
    assert table.desk.sitting == before
    health = table.health()
    assert not health["healthy"]
    assert health["journal"].startswith("PT-609: ")
