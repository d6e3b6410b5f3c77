"""One service per book: whoever serves a table holds a lock on its journal as long as it runs.

SQLite lets two services open one file; the second would show a board that goes stale until somebody moves there. The
hold is an advisory lock (flock(2)) on a file beside the book; the kernel releases it however the holder ends. Whoever
only reads the book, or plays a game of its own into it, needs no hold.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
from pathlib import Path

from table.journal.errors import JournalBusy


class Hold:
    """The hold on the book at `path` (which need not exist yet). Raises `JournalBusy` if another service has it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None
        self._elsewhere: list[int] = []  # locks on a book that was moved away: still ours
        self.take()

    def take(self) -> None:
        """Take the lock unless we have it: a disk that was not writable may be so now. Raises `JournalBusy`."""
        if self._file is None:
            # mkdir fails behind a link to a disk that is not mounted
            with contextlib.suppress(OSError):
                self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._locked()

    def keep(self) -> bool:
        """Make sure that we still hold the lock; True if that is another lock file by now. Raises `JournalBusy`.

        A lock file that was deleted, with the book or alone, keeps nobody out. This creates no folder for it: a folder
        that was moved away could then not be moved back.
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
        """Lock the file that is there now. None if no lock is possible. Raises `JournalBusy`."""
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
            # a disk that is read-only or supports no locks: opening the book reports that
            logging.getLogger("polartable").debug("the journal %s is not held: %s", self._path, error)
            return None
        return file

    def close(self) -> None:
        """Release it; idempotent."""
        for file in (self._file, *self._elsewhere):
            if file is not None:
                os.close(file)
        self._file, self._elsewhere = None, []


def _lock_of(path: Path) -> Path:
    book = Path(os.path.realpath(path))  # the same book, whatever link it is opened by
    return book.with_name(f"{book.name}.lock")


def _is(path: Path, file: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file))
    except OSError:
        return False
