"""One service a book: whoever serves a table holds its journal as long as it runs.

SQLite lets two services open one file; the second would show a board that grows stale until somebody moves there. The
hold is an advisory lock (flock(2)) on a file beside the book, which the kernel gives back however the holder ends.
Whoever only reads the book, or plays a game of its own into it, needs no hold.
"""

from __future__ import annotations

import fcntl
import logging
import os
from pathlib import Path

from table.journal.errors import JournalBusy


class Hold:
    """The hold on the book at `path` (which need not exist yet). Raises `JournalBusy` where another service has it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None
        self._elsewhere: list[int] = []  # had on a book that was moved away: it is still ours
        self.take()

    def take(self) -> None:
        """Have it, if it is not had already: a disk that could not be written may let us now. Raises `JournalBusy`."""
        if self._file is not None:
            return
        path, book = self._path, Path(os.path.realpath(self._path))  # one book, by whatever name
        lock = _lock_of(book)
        try:
            # not that of a disk which is not mounted behind a link
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.close()
            raise JournalBusy(
                f"another Polartable serves the table of the journal {path}",
                "end the other one, or give this one a journal of its own: [journal] file, or POLARTABLE_DATA",
            ) from None
        except OSError as error:  # a disk that cannot be written, or keeps no locks: the book says so itself
            self.close()
            logging.getLogger("polartable").debug("the journal %s is not held: %s", path, error)

    def keep(self) -> None:
        """Have it still: a lock that was deleted with the book, or alone, holds nobody off. Raises `JournalBusy`.

        No folder is made for it: one that was moved away could not be moved back any more.
        """
        if self._file is None:
            return
        book = Path(os.path.realpath(self._path))
        try:
            if os.path.samestat(_lock_of(book).stat(), os.fstat(self._file)):
                return
        except OSError:
            if not book.parent.is_dir():
                return
        held, self._file = self._file, None
        try:
            self.take()
        finally:
            if self._file is None:
                self._file = held
            elif os.fstat(held).st_nlink:
                self._elsewhere.append(held)
            else:
                os.close(held)

    def close(self) -> None:
        """Give it back; safe twice."""
        for file in (self._file, *self._elsewhere):
            if file is not None:
                os.close(file)
        self._file, self._elsewhere = None, []


def _lock_of(book: Path) -> Path:
    return book.with_name(f"{book.name}.lock")
