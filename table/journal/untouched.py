"""Whether nobody else wrote into the book's file where it lies: a copy that is laid over it, an editor, a truncation.

SQLite does not look: it goes on with the pages that it remembers, and writes what no start could read. To compare size
and time of the last change costs nothing. Where they are others and we wrote nothing, another process may have done
what it may (`polartable play` into the same book, a checkpoint), so the book is read as a start would read it.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import TypeAlias

from table.journal.errors import JournalBusy, JournalError, JournalGone
from table.journal.pages import Pages

_Looks: TypeAlias = tuple[tuple[int, int], ...]  # bytes and ns, of the book and of its log
# what says nothing of what stands in the file: https://sqlite.org/rescode.html
_PASSING = {
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
}


class Untouched:
    """The book at `path` as it is now, just opened.

    Whoever writes into it calls `check` before, and `written` after a transaction that went well. One that failed may
    have changed the file as well, so that it is read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._book = Path(os.path.realpath(path))
        self._fault: JournalGone | None = None
        self._least = 0  # bytes of the book, of which it loses none
        self.written()

    def written(self) -> None:
        """We have written: as it is now it is ours."""
        looks = self._looks()
        self._ours = self._seen = looks
        if looks is not None:
            self._least = looks[0][0]

    def check(self, seq: int, chain: str) -> None:
        """Raises `JournalGone` where it was written over, another `JournalError` where that cannot be told just now.

        `seq` and `chain`: of our last entry.
        """
        now = self._looks()
        if now is None:
            pass
        elif now == self._ours:
            self._fault = None
        elif now != self._seen:
            self._fault, self._seen = self._look(now[0][0], seq, chain), now
            if self._fault is None:
                self.written()
        if self._fault is not None:
            raise self._fault

    def _look(self, size: int, seq: int, chain: str) -> JournalGone | None:
        """Read it as a start would: from our first entry to our last, whatever came after."""
        over = JournalGone(
            f"the journal {self._path} was written over by another program while the table has it open; no act is "
            "taken",
            "put back what stood there, and the game goes on; or end the table, and only then lay there the file that "
            "it is to go on with",
        )
        # it never shrinks; and beside an empty one SQLite would throw the log away, as one of another book
        if size < self._least:
            return over
        try:
            fits = Found(self._book, str(self._path)).goes_on_from(seq, chain)
        except JournalBusy:
            raise
        except JournalError as error:
            if not _passes(error.__cause__):
                return over
            raise JournalError(
                f"the journal {self._path} has changed and cannot be looked at now ({error.__cause__}); no act is "
                "taken until it can",
                "look whether the disk and the memory of this machine are sound, and whether too many files are open; "
                "it is tried again by itself",
            ) from error
        return None if fits else over

    def _looks(self) -> _Looks | None:
        """Of a file that is not there: nothing. None where it cannot be told: a folder that may not be looked into."""
        out = []
        for file in (self._book, self._book.with_name(self._book.name + "-wal")):
            try:
                stat = file.stat()
                out.append((stat.st_size, stat.st_mtime_ns))
            except (FileNotFoundError, NotADirectoryError):
                out.append((0, 0))
            except OSError:
                return None
        return tuple(out)


def _passes(error: BaseException | None) -> bool:
    """Whether the file cannot be read just now, whatever stands in it."""
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    # one that ends too early is damaged; the last byte is the kind of an error
    return code != sqlite3.SQLITE_IOERR_SHORT_READ and code & 0xFF in _PASSING


class Found(Pages):
    """What stands in a file now."""

    def __init__(self, book: Path, name: str) -> None:
        self._book, self._name = book, name

    def goes_on_from(self, seq: int, chain: str) -> bool:
        """Whether it is sound and holds that entry (0: none). Raises a `JournalError` where it cannot be read."""
        with self._in_words():
            self._db = sqlite3.connect(f"{self._book.as_uri()}?mode=ro", uri=True, timeout=2.0)
            try:
                sound = self._db.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",)
                self.verify()
                there = self._db.execute("SELECT chain FROM entries WHERE seq = ?", (seq,)).fetchone()
            finally:
                self._db.close()
        return sound and (seq == 0 or there == (chain,))
