"""A book that another program writes into where it lies, between what we write ourselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from table.journal.entries import Act
from table.journal.errors import JournalFull, JournalGone
from table.journal.store import Journal

GAME = "evening-1"


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """A book that tells a fleet, with room for some 400 kB and a copy of it from before it grew."""
    with Journal(tmp_path / "book.sqlite") as book:
        book.append(GAME, "note", {"note": "begun"})
    (tmp_path / "older").write_bytes((tmp_path / "book.sqlite").read_bytes())
    with Journal(tmp_path / "book.sqlite", most_bytes=400_000) as book:
        book.tell()
        for n in range(20):
            book.append(GAME, "note", {"note": f"{n} " * 1_000}, {"said": []})
        book._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert book.lost() is None
        yield book


def write_over(journal: Journal) -> bytes:
    """The older copy, laid over the book as `cp` does; what stands there then."""
    assert journal.path is not None
    older = journal.path.with_name("older").read_bytes()
    journal.path.write_bytes(older)
    return older


def append_in_vain(journal: Journal) -> None:
    with pytest.raises(JournalFull):
        journal.append_all([Act(GAME, "note", {}), Act(GAME, "note", {"note": "x" * 600_000})])


def test_an_act_that_failed_does_not_make_ours_what_another_writes(journal: Journal) -> None:
    """SQLite counts the lines that it took back as well."""
    append_in_vain(journal)
    write_over(journal)
    assert isinstance(journal.lost(), JournalGone)
    with pytest.raises(JournalGone, match="was written over"):
        journal.append(GAME, "note", {})


def test_after_an_act_that_failed_the_book_is_still_ours(journal: Journal) -> None:
    append_in_vain(journal)
    assert journal.lost() is None
    assert journal.append(GAME, "note", {}).seq == 22


def test_what_the_broker_has_is_not_written_into_a_book_that_is_ours_no_more(journal: Journal) -> None:
    assert journal.path is not None
    assert journal.outbox is not None
    older, log = write_over(journal), journal.path.with_name("book.sqlite-wal").read_bytes()
    journal.outbox.reach(3)
    assert journal.path.read_bytes() == older
    assert journal.path.with_name("book.sqlite-wal").read_bytes() == log
    assert isinstance(journal.lost(), JournalGone)


def test_what_the_broker_has_is_written_when_the_book_is_back(journal: Journal) -> None:
    assert journal.path is not None
    assert journal.outbox is not None
    whole = journal.path.read_bytes()
    write_over(journal)
    journal.outbox.reach(3)
    assert journal.outbox.reached == 3  # it has them all the same
    journal.path.write_bytes(whole)
    assert journal.lost() is None
    journal.outbox.reach(4)
    assert journal.open_outbox().reached == 4  # as a start finds it
