"""One service a book: whoever serves a table holds its journal as long as it runs.

SQLite lets two services open one file; the second would show a board that grows stale until somebody moves there. The
hold is an advisory lock (flock(2)) on a file beside the book, which the kernel gives back however the holder ends.
Whoever only reads the book, or plays a game of its own into it, needs no hold.
"""

from __future__ import annotations

import contextlib
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
        if self._file is None:
            # not that of a disk which is not mounted behind a link
            with contextlib.suppress(OSError):
                self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._locked()

    def keep(self) -> bool:
        """Have it still; whether it is another file by now. Raises `JournalBusy`.

        A lock that was deleted with the book, or alone, holds nobody off. No folder is made for it: one that was moved
        away could not be moved back any more.
        """
        lock = _lock_of(self._path)
        if self._file is None or not lock.parent.is_dir() or _is(lock, self._file):
            return False
        here = next((file for file in self._elsewhere if _is(lock, file)), None)
        if here is not None:
            self._elsewhere.remove(here)
        else:
            here = self._locked()
        if here is None:
            return False
        if os.fstat(self._file).st_nlink:
            self._elsewhere.append(self._file)
        else:
            os.close(self._file)
        self._file = here
        return True

    def _locked(self) -> int | None:
        """The lock that lies there now, had; None where none can be. Raises `JournalBusy`."""
        file = None
        try:
            file = os.open(_lock_of(self._path), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if file is not None:
                os.close(file)
            if isinstance(error, BlockingIOError):
                raise JournalBusy(
                    f"another Polartable serves the table of the journal {self._path}",
                    "end the other one, or give this one a journal of its own: [journal] file, or POLARTABLE_DATA",
                ) from None
            # a disk that cannot be written, or keeps no locks: the book says so itself
            logging.getLogger("polartable").debug("the journal %s is not held: %s", self._path, error)
            return None
        return file

    def close(self) -> None:
        """Give it back; safe twice."""
        for file in (self._file, *self._elsewhere):
            if file is not None:
                os.close(file)
        self._file, self._elsewhere = None, []


def _lock_of(path: Path) -> Path:
    book = Path(os.path.realpath(path))  # one book, by whatever name
    return book.with_name(f"{book.name}.lock")


def _is(path: Path, file: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file))
    except OSError:
        return False
