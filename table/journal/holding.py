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
        self.take()

    def take(self) -> None:
        """Have it, if it is not had already: a disk that could not be written may let us now. Raises `JournalBusy`."""
        if self._file is not None:
            return
        path, book = self._path, Path(os.path.realpath(self._path))  # one book, by whatever name
        lock = book.with_name(f"{book.name}.lock")
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

    def close(self) -> None:
        """Give it back; safe twice."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
