"""Whether the book is still where it was opened.

A file can be deleted, or moved away with its folder, while it is open. SQLite then goes on writing into a file that no
start will ever find again. The same goes for the write-ahead log beside it, which holds the last acts, and for that
log's index (without it a second process would write without seeing us).
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TypeAlias

from table.journal.errors import JournalGone

_BESIDE = ("-wal", "-shm")
_Which: TypeAlias = tuple[int, int]


class Place:
    """Where the book at `path` and its companion files are now, just after opening."""

    def __init__(self, path: Path) -> None:
        self._path = path
        book = Path(os.path.realpath(path))
        self._lying: list[tuple[Path, _Which]] = []
        for file in (path, *(book.with_name(book.name + suffix) for suffix in _BESIDE)):
            with contextlib.suppress(OSError):
                # on a disk that supports no write-ahead log these files do not exist
                if (which := _which(file)) is not None:
                    self._lying.append((file, which))

    def check(self) -> None:
        """Raises `JournalGone` if one of them is no longer there, or was replaced by another."""
        try:
            if all(_which(file) == which for file, which in self._lying):
                return
        except OSError:  # a folder without permission: SQLite will report whether it can write
            return
        raise gone(self._path)


def gone(path: Path) -> JournalGone:
    return JournalGone(
        f"the journal {path} was moved away, deleted or replaced while the table has it open; no act is taken",
        "put back what was moved, and the game goes on; or start the table again: it goes on with what it finds there",
    )


def _which(file: Path) -> _Which | None:
    """The file's device and inode; None if there is none. Raises an OSError if that cannot be determined."""
    try:
        stat = file.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return stat.st_dev, stat.st_ino
