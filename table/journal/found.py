"""Reads what is in a book's file now, whoever wrote it: from one entry on, or whole in a thread."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from table.journal.errors import JournalError
from table.journal.pages import Pages

# errors that say nothing about the file's content: https://sqlite.org/rescode.html
_PASSING = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
}
_STEPS = 10_000  # SQLite VM instructions between two checks whether to go on


def passes(error: JournalError) -> bool:
    """Whether the error is transient: the file cannot be read now, whatever it contains."""
    code: int = getattr(error.__cause__, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    # a short read means a truncated, damaged file; the low byte of a code is the kind of error
    return code != sqlite3.SQLITE_IOERR_SHORT_READ and code & 0xFF in _PASSING


class Found(Pages):
    """The file `book`, called `name` in messages. Raises a `JournalError` if it cannot be read."""

    def __init__(self, book: Path, name: str) -> None:
        self._book, self._name = book, name

    def goes_on_from(self, seq: int, chain: str) -> bool:
        """Whether it holds that entry (0: none). Raises `JournalDamaged` if the following entries do not fit."""
        with self._opened():
            if seq and self.chain_of(seq) != chain:
                return False
            self.verify(seq, chain)
        return True

    def sound(self, given_up: Callable[[], bool]) -> bool:
        """Whether the book would pass the check at a start (every page, every entry); stops when `given_up` returns
        true."""
        with self._opened():
            self._db.set_progress_handler(given_up, _STEPS)
            if self._db.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
                return False
            self.verify()
        return True

    @contextmanager
    def _opened(self) -> Iterator[None]:
        with self._in_words():
            uri = f"{self._book.as_uri()}?mode=ro"
            with closing(sqlite3.connect(uri, uri=True, timeout=2.0)) as self._db:
                yield


class WholeRead(threading.Thread):
    """Reads a whole book on its own thread: 50,000 entries take about half a second, which would block the table."""

    def __init__(self, book: Path, name: str) -> None:
        super().__init__(name="polartable-book", daemon=True)
        self._found, self._given_up = Found(book, name), threading.Event()
        self.sound: bool | None = None  # set once it has ended; None: it could not be read

    def run(self) -> None:
        try:
            self.sound = self._found.sound(self._given_up.is_set)
        except JournalError as error:
            self.sound = None if passes(error) else False

    def give_up(self) -> None:
        self._given_up.set()
