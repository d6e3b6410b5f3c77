"""Detects that somebody else wrote into the book's file in place: a copy laid over it, an editor, a truncation.

SQLite does not check for that: it goes on with its cached pages, and writes what no start could read. Comparing size
and modification time costs nothing. If they changed and we wrote nothing, another process may have done something
legitimate (`polartable play` into the same book, a checkpoint). So what follows our last entry is read at once, and the
whole book, as a start would read it, on its own thread while the table goes on.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TypeAlias

from table.journal.errors import JournalBusy, JournalError, JournalGone
from table.journal.found import Found, WholeRead, passes

_Looks: TypeAlias = tuple[tuple[int, int], ...]  # size in bytes and mtime in ns, of the book and of its log


class Untouched:
    """The book at `path` as it is now, just after opening.

    Whoever writes into it calls `check` before, and `written` after a successful transaction. A failed one may have
    changed the file as well, so the file is then read again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._book = Path(os.path.realpath(path))
        self._fault: JournalGone | None = None
        self._damaged = False  # a whole read found damage; only another whole read can clear that
        self._least = 0  # the book's size in bytes, below which it never shrinks
        self.whole: WholeRead | None = None  # a running read whose result was not fetched yet
        self._ending: list[WholeRead] = []  # cancelled reads that may not have ended yet
        self.written()

    def written(self) -> None:
        """We have written: the file as it is now counts as ours."""
        self._own(self._looks())

    def _own(self, looks: _Looks | None) -> None:
        self._ours = self._seen = looks
        if looks is not None:
            self._least = looks[0][0]

    def check(self, seq: int, chain: str) -> None:
        """Raises `JournalGone` if it was overwritten, another `JournalError` if that cannot be determined now.

        `seq` and `chain`: of our last entry.
        """
        now = self._looks()
        if now is not None and now not in (self._ours, self._seen):
            self._look(now, seq, chain)
        elif now is not None:
            if now == self._ours:
                self._fault = None
            self._heed(now)
        if self._fault is not None:
            raise self._fault

    def close(self) -> None:
        """Stop reading; idempotent."""
        self._give_up()
        for reading in self._ending:
            reading.join()
        self._ending = []

    def _look(self, now: _Looks, seq: int, chain: str) -> None:
        """Check at once what another process wrote after our last entry; start a whole read for the rest."""
        sound = self._follows(now[0][0], seq, chain)
        self._seen = now
        self._give_up()
        if not sound:
            self._fault = self._over()
            return
        self._read_whole()
        if not self._damaged:
            self._fault = None
            self._own(now)

    def _follows(self, size: int, seq: int, chain: str) -> bool:
        # the book never shrinks; beside an empty file SQLite would discard the log as one of another book
        if size < self._least:
            return False
        try:
            return Found(self._book, str(self._path)).goes_on_from(seq, chain)
        except JournalBusy:
            raise
        except JournalError as error:
            if not passes(error):
                return False
            raise JournalError(
                f"the journal {self._path} has changed and cannot be looked at now ({error.__cause__}); no act is "
                "taken until it can",
                "look whether the disk and the memory of this machine are sound, and whether too many files are open; "
                "it is tried again by itself",
            ) from error

    def _read_whole(self) -> None:
        self.whole = WholeRead(self._book, str(self._path))
        with contextlib.suppress(RuntimeError):  # no thread available: it is tried again at the next check
            self.whole.start()

    def _heed(self, now: _Looks) -> None:
        """Handle the result of the whole read, if it has ended."""
        if self.whole is None or self.whole.is_alive():
            return
        sound, self.whole = self.whole.sound, None
        if sound is None:
            self._read_whole()
        elif not sound:
            self._damaged, self._fault = True, self._over()
            self._ours, self._seen = None, now
        elif self._damaged:
            self._damaged, self._fault = False, None
            self._own(now)

    def _give_up(self) -> None:
        """Cancel the running read; it ends by itself."""
        reading, self.whole = self.whole, None
        if reading is not None:
            reading.give_up()
            self._ending = [ending for ending in (*self._ending, reading) if ending.is_alive()]

    def _over(self) -> JournalGone:
        return JournalGone(
            f"the journal {self._path} was written over by another program while the table has it open; no act is "
            "taken",
            "put back what stood there, and the game goes on; or end the table, and only then lay there the file that "
            "it is to go on with",
        )

    def _looks(self) -> _Looks | None:
        """The present size and time; zeros for a missing file. None if unknown: a folder without permission."""
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
