"""A full book is put away while events wait for a broker: they come along, as many as leave room to play."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from firmware_bridge.clock import VirtualClock
from table.desk.desk import Desk
from table.games import GAMES
from table.journal.shelf import tidy
from table.journal.store import Journal
from tests.table.games import new_ice_cult, play_on

KIB = 1024
DAY = datetime(2026, 11, 21, tzinfo=UTC)


def test_events_that_wait_for_a_broker_come_along(tmp_path: Path) -> None:
    """Under the name and the numbers that they have, so that a hub takes them as it would have."""
    book = tmp_path / "journal.sqlite"
    with Journal(book) as journal:
        outbox = journal.open_outbox()
        new_ice_cult(journal).close("another game was begun")
        desk = new_ice_cult(journal, name="game-2")
        play_on(desk, 10)
        outbox.reach(3)
        before = outbox.after(0, 1000)
        assert len(before) > 5
    assert tidy(book, 64 * KIB, DAY) is not None
    with Journal(book) as journal:
        after = journal.open_outbox()
        assert (after.book, after.reached, after.newest) == (outbox.book, 3, outbox.newest)
        assert after.after(0, 1000) == before
        assert play_on(Desk.resume(journal, GAMES, VirtualClock()), 1)
        assert after.newest == outbox.newest + 1


def test_a_broker_that_was_never_there_fills_no_book(tmp_path: Path) -> None:
    """Of the events that wait the newest come along, as many as leave room to play; nobody has to wait for a broker."""
    book, most = tmp_path / "journal.sqlite", 512 * KIB
    with Journal(book) as journal:
        journal.open_outbox()
        new_ice_cult(journal)
        for _ in range(400):
            journal.append("club", "note", {}, {"said": ["x" * 400]})
    assert tidy(book, most, DAY) is not None
    with Journal(book) as journal:
        outbox = journal.open_outbox()
        assert outbox.newest == 401
        assert 100 < outbox.oldest < 300
        assert outbox.after(0, 1)[0].n == outbox.oldest
    assert tidy(book, most, DAY) is None


def test_a_broker_that_was_never_there_fills_no_book_of_one_long_game(tmp_path: Path) -> None:
    book, most = tmp_path / "journal.sqlite", 512 * KIB
    with Journal(book) as journal:
        journal.open_outbox()
        desk = new_ice_cult(journal)
        for _ in range(400):
            journal.append(desk.name, "note", {}, {"said": ["x" * 400]})
    assert tidy(book, most, DAY) is not None
    with Journal(book) as journal:
        assert 100 < journal.open_outbox().oldest < 300
    assert tidy(book, most, DAY) is None


def test_an_event_larger_than_all_the_room_keeps_its_number(tmp_path: Path) -> None:
    book = tmp_path / "journal.sqlite"
    with Journal(book) as journal:
        journal.open_outbox()
        new_ice_cult(journal)
        journal.append("club", "note", {}, {"said": ["x" * 40 * KIB]})
    assert tidy(book, 64 * KIB, DAY) is not None
    with Journal(book) as journal:
        assert (journal.open_outbox().oldest, journal.open_outbox().newest) == (2, 2)
