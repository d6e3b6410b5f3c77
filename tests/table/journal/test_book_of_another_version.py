"""A book whose last game holds a move that this version judges otherwise: it is kept, and people play on."""

from __future__ import annotations

from pathlib import Path

from firmware_bridge.clock import VirtualClock
from table.config import Settings
from table.doctor.checks import journal as looked_at
from table.door.access import Access
from table.journal.store import Journal
from table.room.table_room import TableRoom
from tests.table.games import new_ice_cult, play_on

REFUSED_NOW = {"move": "tilt n>Q", "seat": "yellow", "by": "hand", "after": "0" * 64}


async def test_the_game_is_kept_another_begins_and_it_is_told_why(tmp_path: Path) -> None:
    book, clock = tmp_path / "journal.sqlite", VirtualClock()
    desk = new_ice_cult(book)
    play_on(desk, 3)
    desk._journal.append(desk.name, "play", REFUSED_NOW)
    kept = len(list(desk._journal.entries(desk.name)))
    desk._journal.close()
    found = looked_at(book)
    assert found.state == "look"
    assert "tilt n>Q" in found.what

    opened = Journal(book)
    room = TableRoom(Settings(), clock, opened, Access(clock, lan=False))
    assert room.desk.name != desk.name
    assert len(list(opened.entries(desk.name))) == kept
    assert any(said.event == "not-resumed" for said in room.desk.said)
    play_on(room.desk, 3)
    opened.close()
    assert looked_at(book).state == "good"


async def test_an_empty_book_is_no_other_versions(tmp_path: Path) -> None:
    clock = VirtualClock()
    room = TableRoom(Settings(), clock, Journal(tmp_path / "j.sqlite"), Access(clock, lan=False))
    assert not any(said.event == "not-resumed" for said in room.desk.said)
