"""A book that can only be read: its disk is mounted read-only, or has no room for SQLite's files beside it.

The table then shows how it last stood and takes no move; with every act it tries again to write.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path


def copied(path: Path) -> sqlite3.Connection | None:
    """A copy of the book in memory, made without writing anything beside the book; None if the book is unreadable.

    Without a write-ahead log the file itself is complete, so SQLite may open it as immutable. With one, SQLite must be
    able to read the log as well.
    """
    log = path.with_name(path.name + "-wal")
    ways = ["mode=ro"]
    try:
        if path.stat().st_size == 0:
            return None
        if not log.exists() or log.stat().st_size == 0:
            ways.append("mode=ro&immutable=1")
    except OSError:
        return None
    for way in ways:
        memory = sqlite3.connect(":memory:", isolation_level=None)
        try:
            book = sqlite3.connect(f"{path.absolute().as_uri()}?{way}", uri=True, timeout=2.0)
            try:
                book.backup(memory)
            finally:
                book.close()
            memory.execute("PRAGMA query_only = ON")
            return memory
        except sqlite3.Error:
            memory.close()
    return None
