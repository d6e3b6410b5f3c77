"""A book that another program writes into where it lies, between what we write ourselves."""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from table.journal import pages
from table.journal.chain import fits
from table.journal.entries import Act, Entry, canonical
from table.journal.errors import JournalFull, JournalGone
from table.journal.found import WholeRead
from table.journal.store import Journal
from tests.table.journal.spoiled_books import bend

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
        read_whole(book)
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


def touched(journal: Journal) -> Path:
    """The book, with a time of its last change that is not ours; nothing in it is another."""
    assert journal.path is not None
    later = journal.path.stat().st_mtime_ns + 1_000_000_000
    os.utime(journal.path, ns=(later, later))
    return journal.path


def failing(name: str, code: int, words: str) -> Callable[..., NoReturn]:
    """What SQLite does where it cannot open or read a file."""

    def fail(*_: object, **__: object) -> NoReturn:
        error = sqlite3.OperationalError(words)
        error.sqlite_errorname, error.sqlite_errorcode = name, code
        raise error

    return fail


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        ("SQLITE_CANTOPEN", 14, "unable to open database file"),
        ("SQLITE_IOERR_READ", 266, "disk I/O error"),
        ("SQLITE_FULL", 13, "database or disk is full"),
    ],
)
def test_what_cannot_be_looked_at_just_now_is_not_written_over(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, name: str, code: int, words: str
) -> None:
    book = touched(journal)
    with monkeypatch.context() as disk:
        disk.setattr(sqlite3, "connect", failing(name, code, words))
        for _ in range(2):
            lost = journal.lost()
            assert str(lost) == (
                f"PT-600: the journal {book} has changed and cannot be looked at now ({words}); no act is taken until "
                "it can – look whether the disk and the memory of this machine are sound, and "
                "whether too many files are open; it is tried again by itself"
            )
    assert journal.lost() is None
    assert journal.append(GAME, "note", {}).seq == 22


def test_no_handles_left_is_over_when_there_are_some_again(journal: Journal) -> None:
    touched(journal)
    few, many = resource.getrlimit(resource.RLIMIT_NOFILE)
    held: list[int] = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(few, 256), many))
    try:
        with contextlib.suppress(OSError):
            while True:
                held.append(os.open(os.devnull, os.O_RDONLY))
        lost = journal.lost()
    finally:
        for file in held:
            os.close(file)
        resource.setrlimit(resource.RLIMIT_NOFILE, (few, many))
    assert lost is not None
    assert lost.number == 600
    assert journal.lost() is None


def test_what_was_written_over_stays_so_while_it_cannot_be_looked_at(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_over(journal)
    assert isinstance(journal.lost(), JournalGone)
    journal.path.write_bytes(b"x" * 999_999)  # type: ignore[union-attr]
    with monkeypatch.context() as disk:
        disk.setattr(sqlite3, "connect", failing("SQLITE_CANTOPEN", 14, "unable to open database file"))
        assert journal.lost() is not None
    assert isinstance(journal.lost(), JournalGone)


def test_a_folder_that_may_not_be_looked_into_says_nothing(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with the place of the book: SQLite has it open, and says whether it can be written."""
    stat = Path.stat

    def barred(self: Path, **named: Any) -> os.stat_result:
        if self.name.startswith("book.sqlite"):
            raise PermissionError(errno.EACCES, "Permission denied")
        return stat(self, **named)

    with monkeypatch.context() as disk:
        disk.setattr(Path, "stat", barred)
        assert journal.lost() is None
        assert journal.append(GAME, "note", {}).seq == 22
    assert journal.lost() is None
    # if a read opens the book just when it is cut to nothing, SQLite deletes its log, and that is told instead
    read_whole(journal)
    with monkeypatch.context() as disk:
        disk.setattr(Path, "stat", barred)
        assert journal.append(GAME, "note", {}).seq == 23
        write_over(journal)
        assert journal.lost() is None
    assert isinstance(journal.lost(), JournalGone)
    with monkeypatch.context() as disk:
        disk.setattr(Path, "stat", barred)
        assert isinstance(journal.lost(), JournalGone)


# what another may do, and what only a whole look at the book finds out


def read_whole(journal: Journal) -> None:
    """Until the thread that reads the book has ended."""
    assert journal._untouched is not None
    assert journal._untouched.whole is not None
    journal._untouched.whole.join()


def append_as_another(journal: Journal) -> None:
    assert journal.path is not None
    with Journal(journal.path) as other:
        other.append("evening-2", "note", {"note": "of another game"})


def test_what_another_has_appended_is_all_that_is_read_at_once(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A book of years takes half a second, in which no page would be answered."""
    at_once, aside, here, go_on = list[int](), list[int](), threading.get_ident(), threading.Event()

    def looked_at(entry: Entry, before: str) -> bool:
        if threading.get_ident() == here:
            at_once.append(entry.seq)
        else:
            assert go_on.wait(60)
            aside.append(entry.seq)
        return fits(entry, before)

    append_as_another(journal)
    monkeypatch.setattr(pages, "fits", looked_at)
    for _ in range(3):
        assert journal.lost() is None
        assert journal.outbox is not None
        journal.outbox.reach(journal.outbox.reached + 1)
    go_on.set()
    read_whole(journal)
    assert at_once == [22]
    assert aside == list(range(1, 23))
    assert journal.lost() is None
    assert journal._untouched is not None
    assert journal._untouched.whole is None


def test_an_entry_that_another_changed_is_found_by_the_whole_look(journal: Journal) -> None:
    assert journal.path is not None
    body = next(journal.entries()).body
    bend(journal.path, 1, canonical({"note": "never begun"}))
    assert journal.lost() is None
    read_whole(journal)
    assert isinstance(journal.lost(), JournalGone)
    with pytest.raises(JournalGone, match="was written over"):
        journal.append(GAME, "note", {})
    touched(journal)  # which puts nothing back
    assert isinstance(journal.lost(), JournalGone)
    read_whole(journal)
    assert isinstance(journal.lost(), JournalGone)
    bend(journal.path, 1, canonical(body))
    assert isinstance(journal.lost(), JournalGone)
    read_whole(journal)
    assert journal.lost() is None
    assert journal.append(GAME, "note", {}).seq == 22


def test_what_another_has_appended_has_to_follow_our_last_entry(journal: Journal) -> None:
    assert journal.path is not None
    append_as_another(journal)
    bend(journal.path, 22, canonical({"note": "of no game"}))
    assert isinstance(journal.lost(), JournalGone)


def test_a_whole_look_that_meets_a_fault_of_the_disk_is_had_again(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert journal.path is not None
    bend(journal.path, 1, canonical({"note": "never begun"}))
    with monkeypatch.context() as disk:
        disk.setattr(WholeRead, "run", lambda self: None)
        assert journal.lost() is None
        read_whole(journal)
    assert journal.lost() is None
    read_whole(journal)
    assert isinstance(journal.lost(), JournalGone)


def test_a_book_that_is_closed_is_not_read_on(journal: Journal) -> None:
    readings = []
    for _ in range(3):
        touched(journal)
        assert journal.lost() is None
        assert journal._untouched is not None
        readings.append(journal._untouched.whole)
    journal.into_one_file()
    assert not any(reading is None or reading.is_alive() for reading in readings)
