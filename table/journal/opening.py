"""Opens the book's file: a database of ours, of a known version, ready to be written safely."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from table.journal.errors import JournalDamaged, JournalError, JournalTooNew, from_sqlite

VERSION = 1
WAL_KEPT = 4 * 2**20  # bytes of write-ahead log that stay on the disk after a checkpoint
APPLICATION = 0x504F4C41  # "POLA": tells our file from any other SQLite file

_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE entries (
  seq INTEGER PRIMARY KEY, game TEXT NOT NULL, kind TEXT NOT NULL, at TEXT NOT NULL, body TEXT NOT NULL,
  chain TEXT NOT NULL
) STRICT;
CREATE INDEX entries_of_a_game ON entries (game, seq);
CREATE TRIGGER no_change BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER no_loss BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
COMMIT;
"""


def opened(path: Path | None, most_bytes: int | None) -> sqlite3.Connection:
    """Open the book at `path`; create it if there is none. None: in memory. `most_bytes`: its quota.

    Raises a `JournalError` if it cannot be opened or written.
    """
    name = ":memory:" if path is None else str(path)
    try:
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(name, isolation_level=None, timeout=2.0)
    except (sqlite3.Error, OSError) as error:
        raise _named(error, name) from error
    try:
        _prepare(db, name, most_bytes)
    except JournalError:
        db.close()
        raise
    except sqlite3.Error as error:
        db.close()
        raise from_sqlite(error, name) from error
    return db


def _prepare(db: sqlite3.Connection, name: str, most_bytes: int | None) -> None:
    application = db.execute("PRAGMA application_id").fetchone()[0]
    tables = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if tables and application != APPLICATION:
        raise JournalDamaged(f"{name} is a database of something else", "give another file as journal")
    if version > VERSION:
        raise JournalTooNew(
            f"{name} was written by a later Polartable (journal version {version}, known up to {VERSION})",
            "update Polartable, or give another file",
        )
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute(f"PRAGMA journal_size_limit = {WAL_KEPT}")
    if most_bytes is not None:
        page = int(db.execute("PRAGMA page_size").fetchone()[0])
        db.execute(f"PRAGMA max_page_count = {max(16, most_bytes // page)}")
    if not tables:
        db.executescript(_SCHEMA)


def _named(error: Exception, path: str) -> JournalError:
    if isinstance(error, sqlite3.Error):
        return from_sqlite(error, path)
    return from_sqlite(sqlite3.OperationalError(f"unable to open: {error}"), path)
