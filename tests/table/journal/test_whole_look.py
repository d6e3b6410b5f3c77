"""What is seen of a book that another program wrote into, page by page and at a glance."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from table.journal.entries import Act
from table.journal.errors import JournalGone
from table.journal.found import WholeRead
from table.journal.store import Journal

GAME = "evening-1"


@pytest.fixture
def years(tmp_path: Path) -> Path:
    """A book of many entries."""
    with Journal(tmp_path / "years.sqlite") as book:
        book.append_all([Act(GAME, "note", {"note": n}) for n in range(3_000)])
    return tmp_path / "years.sqlite"


def test_a_whole_look_that_nobody_waits_for_is_given_up_in_its_midst(years: Path) -> None:
    """A table that is ended does not wait until a book of years is read."""
    to_the_end, left_off = (WholeRead(years, "the book") for _ in range(2))
    left_off.give_up()
    for reading in (to_the_end, left_off):
        reading.run()
    assert (to_the_end.sound, left_off.sound) == (True, None)


def test_pages_that_no_entry_lies_on_are_looked_at_as_well(years: Path) -> None:
    """How many pages are free stands in the book's header (https://sqlite.org/fileformat.html): a start asks for it."""
    whole = years.read_bytes()
    years.write_bytes(whole[:39] + bytes([whole[39] + 1]) + whole[40:])
    reading = WholeRead(years, "the book")
    reading.run()
    assert reading.sound is False


def test_a_book_that_was_emptied_is_gone_and_its_log_is_left_to_go_on_with(tmp_path: Path) -> None:
    """SQLite throws a log away that lies beside an empty book: what is not in the book yet would be gone with it."""
    with Journal(tmp_path / "book.sqlite") as book:
        book.append(GAME, "note", {"note": "begun"})
    with Journal(tmp_path / "book.sqlite") as book:
        assert book.path is not None
        book.append(GAME, "note", {"note": "in the log alone"})
        whole, log = book.path.read_bytes(), book.path.with_name("book.sqlite-wal")
        written = log.read_bytes()
        os.truncate(book.path, 0)
        for _ in range(2):
            assert isinstance(book.lost(), JournalGone)
        assert log.read_bytes() == written
        book.path.write_bytes(whole)
        assert book.lost() is None
        assert book.append(GAME, "note", {}).seq == 3


def test_a_book_without_an_entry_may_be_begun_by_another(tmp_path: Path) -> None:
    with Journal(tmp_path / "book.sqlite") as book:
        with Journal(tmp_path / "book.sqlite") as other:
            other.append("evening-2", "note", {"note": "begun"})
        assert book.lost() is None
