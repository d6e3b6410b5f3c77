"""The hub's own book: which events it has of which journal, so that none is taken twice, even after a restart."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from table.fleet.errors import HubBook

APPLICATION = 0x504F4C48  # "POLH"
KEPT = 500  # events kept of each journal; older ones are in the table's own

_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS journals (book TEXT PRIMARY KEY, name TEXT NOT NULL, high INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS events (book TEXT NOT NULL, n INTEGER NOT NULL, event TEXT NOT NULL, PRIMARY KEY (book, n))
  STRICT, WITHOUT ROWID;
PRAGMA application_id = {APPLICATION};
"""


class Book:
    """SQLite; `path` None: in memory. Every method raises `HubBook`."""

    def __init__(self, path: Path | None) -> None:
        self._name = ":memory:" if path is None else str(path)
        with self._said():
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self._name, isolation_level=None, timeout=2.0)
            application = self._db.execute("PRAGMA application_id").fetchone()[0]
            tables = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if tables and application != APPLICATION:
                raise sqlite3.DatabaseError("it is a database of something else")
            self._db.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;" + _SCHEMA)

    def journals(self) -> dict[str, tuple[str, int]]:
        """Journal → its table's name and the newest event that was taken from it."""
        with self._said():
            rows = self._db.execute("SELECT book, name, high FROM journals").fetchall()
        return {book: (name, high) for book, name, high in rows}

    def take(self, book: str, n: int, event: str) -> None:
        with self._said():
            self._db.execute("INSERT OR REPLACE INTO events VALUES (?,?,?)", (book, n, event))
            if n % 64 == 0:
                self._db.execute("DELETE FROM events WHERE book = ? AND n <= ?", (book, n - KEPT))

    def event(self, book: str, n: int) -> str | None:
        """That event as it was taken; None if it is not kept."""
        with self._said():
            row = self._db.execute("SELECT event FROM events WHERE book = ? AND n = ?", (book, n)).fetchone()
        return None if row is None else str(row[0])

    def oldest(self, book: str) -> int | None:
        """The number of the oldest event kept of that journal."""
        with self._said():
            row = self._db.execute("SELECT min(n) FROM events WHERE book = ?", (book,)).fetchone()
        return None if row[0] is None else int(row[0])

    def forget(self, book: str, after: int) -> None:
        """Delete everything of that journal after that event."""
        with self._said():
            self._db.execute("DELETE FROM events WHERE book = ? AND n > ?", (book, after))

    def reach(self, book: str, name: str, high: int) -> None:
        with self._said():
            self._db.execute("INSERT OR REPLACE INTO journals VALUES (?,?,?)", (book, name, high))

    def last(self, book: str, count: int) -> list[str]:
        """The newest events of a journal, in order."""
        with self._said():
            rows = self._db.execute(
                "SELECT event FROM events WHERE book = ? ORDER BY n DESC LIMIT ?", (book, count)
            ).fetchall()
        return [event for (event,) in reversed(rows)]

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """A transaction: what the block writes is on the disk afterwards, all or nothing."""
        with self._said():
            self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            with self._said():
                self._db.execute("COMMIT")
        finally:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")

    def close(self) -> None:
        self._db.close()

    @contextlib.contextmanager
    def _said(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise HubBook(
                f"the hub's book {self._name} cannot be used ({error})",
                "make room on the disk, or name another with --book; the tables keep their events meanwhile",
            ) from error
