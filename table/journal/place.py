"""Whether the book still lies where it was opened.

A file can be deleted, or moved away with its folder, under whoever has it open: SQLite goes on writing into what no
start will ever find again. The same goes for the write-ahead log beside it, in which the last acts stand, and for that
log's index, without which a second process would write past us.
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
    """Where the book at `path` and what belongs to it lie now, just opened."""

    def __init__(self, path: Path) -> None:
        self._path = path
        book = Path(os.path.realpath(path))
        self._lying: list[tuple[Path, _Which]] = []
        for file in (path, *(book.with_name(book.name + suffix) for suffix in _BESIDE)):
            with contextlib.suppress(OSError):
                # a disk on which no write-ahead log can be kept has no such files
                if (which := _which(file)) is not None:
                    self._lying.append((file, which))

    def check(self) -> None:
        """Raises `JournalGone` where one of them lies there no more, or another one in its stead."""
        try:
            if all(_which(file) == which for file, which in self._lying):
                return
        except OSError:  # a folder that may not be looked into: whether it can be written, SQLite will say
            return
        raise gone(self._path)


def gone(path: Path) -> JournalGone:
    return JournalGone(
        f"the journal {path} was moved away, deleted or replaced while the table has it open; no act is taken",
        "put back what was moved, and the game goes on; or start the table again: it goes on with what it finds there",
    )


def _which(file: Path) -> _Which | None:
    """Which file that is, as the disk counts; None where there is none. Raises an OSError where it cannot be told."""
    try:
        stat = file.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return stat.st_dev, stat.st_ino
