"""The book on disk: SQLite in WAL mode with `synchronous=FULL`, one transaction per act.

`append` returns only after the entry is on the disk: with FULL an fsync of the write-ahead log follows every commit, so
a power cut loses nothing that was acknowledged (https://sqlite.org/pragma.html#pragma_synchronous). Rows can be neither
changed nor deleted: triggers refuse it, and the hash chain reveals it if somebody bypassed them.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from table.journal.copied import copied
from table.journal.entries import GENESIS, Act, Entry, Kind, canonical, link, storable
from table.journal.errors import JournalBusy, JournalError, JournalFull, JournalReadOnly, from_sqlite
from table.journal.holding import Hold
from table.journal.opening import opened
from table.journal.outbox import Outbox, carry, weight
from table.journal.pages import Pages
from table.journal.place import Place, gone
from table.journal.quota import quota_reached
from table.journal.untouched import Untouched

_LAST = "SELECT seq, chain FROM entries ORDER BY seq DESC LIMIT 1"
_INSERT = "INSERT INTO entries VALUES (?,?,?,?,?,?)"


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Journal(Pages):
    """The book. `path` None: in memory, for tests and for a demo that leaves nothing behind.

    Every method raises a `JournalError` if the disk is full, read-only, or the file is damaged. A book that exists but
    cannot be written is opened all the same (`barred`); then only writing raises. `hold`: a service's lock. On such a
    disk the service may not have got it yet; then it is taken before the first write.
    """

    def __init__(
        self,
        path: Path | None,
        today: Callable[[], str] = utc_now,
        most_bytes: int | None = None,
        hold: Hold | None = None,
    ) -> None:
        self.path, self._most_bytes, self._hold = path, most_bytes, hold
        self._today = today
        self._name = ":memory:" if path is None else str(path)
        self.outbox: Outbox | None = None  # of a table that reports to a fleet
        self._telling = False
        self.barred: JournalError | None = None  # why the book can only be read
        self._fault: JournalError | None = None  # why the last act was not taken
        self._place: Place | None = None  # watches where the file being written is
        self._untouched: Untouched | None = None  # watches whether others write into it
        self._free = False  # the lock was gone for a moment, so another service may have taken it
        try:
            self._open()
        except (JournalReadOnly, JournalFull) as error:
            memory = copied(path) if path is not None else None
            if memory is None:
                raise
            self._db, self.barred, self._fault = memory, error, error
            self._find_end()

    def _open(self) -> None:
        self._db = opened(self.path, self._most_bytes)
        try:
            self._find_end()
        except sqlite3.Error as error:
            self._db.close()
            raise from_sqlite(error, self._name) from error
        if self.path is not None:
            self._place, self._untouched = Place(self.path), Untouched(self.path)

    def _find_end(self) -> None:
        row = self._db.execute(_LAST).fetchone()
        self._last: tuple[int, str] = row or (0, GENESIS)

    def _write_again(self) -> None:
        """Open the file for writing after all. Raises the `JournalError` that it was barred with, or a new one."""
        memory, last = self._db, self._last
        assert self.path is not None
        # its disk is not mounted any more: opening would create another book on another disk
        if not self.path.exists():
            raise gone(self.path)
        try:
            if self._hold is not None:
                self._hold.take()
            self._open()
            if self._last != last:  # what we show is not what the book says, and never will be
                if self._hold is not None:
                    self._hold.close()
                raise JournalBusy(
                    f"another process wrote the journal {self._name} while it could only be read here, and what is "
                    "shown is how the table stood before",
                    "start this table again",
                )
            if self._telling:
                self.open_outbox()
        except JournalError:
            if self._db is not memory:
                self._db.close()
            self._db, self._last, self.outbox = memory, last, None
            self._let_be()
            raise
        memory.close()
        self.barred = None

    @property
    def fault(self) -> JournalError | None:
        """Why the last act was not taken, or the next one would not be; None: the book is sound."""
        return self.lost() or self._fault

    def lost(self) -> JournalError | None:
        """Why an open book is no longer ours: moved away, or taken over by another service. Renews a deleted lock."""
        try:
            if self._hold is not None and self._hold.keep():
                self._free = True
            if self._place is not None:
                self._place.check()
            if self._untouched is not None:
                self._untouched.check(*self._last)
            if self._free and self._place is not None:
                self._check_alone()
        except JournalError as error:
            return error
        return None

    def _check_alone(self) -> None:
        """Raises `JournalBusy` if another service wrote the book while its lock was gone."""
        with self._in_words():
            last = self._db.execute(_LAST).fetchone() or (0, GENESIS)
        if tuple(last) != tuple(self._last):
            raise JournalBusy(
                f"another Polartable wrote the journal {self._name} while its lock was gone, and what is shown is how "
                "the table stood before",
                "start this table again",
            )
        self._free = False

    def tell(self) -> None:
        """Keep an outbox from now on; if the book can only be read, from when it can be written."""
        self._telling = True
        if self.barred is None:
            self.open_outbox()

    def open_outbox(self) -> Outbox:
        """From now on, also queue each entry with a telling for a broker."""
        lost = self.lost()
        if lost is not None:
            raise lost
        with self._in_words():
            self.outbox = Outbox(self._db, writing=self._writing)
        self._written()
        return self.outbox

    @contextmanager
    def _writing(self) -> Iterator[bool]:
        """Yields whether the book is ours, so that the block may write; its writes then count as ours."""
        ours = self.lost() is None
        yield ours
        if ours:
            self._written()

    def _written(self) -> None:
        if self._untouched is not None:
            self._untouched.written()

    def append(
        self, game: str, kind: Kind, body: Mapping[str, Any], telling: Mapping[str, Any] | None = None
    ) -> Entry:
        """Write one entry and return it once it is on the disk.

        `telling`: what everybody may know of it; with an outbox it is written in the same transaction.
        """
        return self.append_all([Act(game, kind, body, telling)])[0]

    def append_all(self, acts: Sequence[Act]) -> list[Entry]:
        """Write several entries, all or none, and return them once they are on the disk."""
        lost = self.lost()
        if lost is not None:  # not a fault of the record: once it is put back, it is sound
            raise lost
        try:
            written = self._append(acts)
        except JournalError as error:
            self._fault = error
            raise
        self._fault = None
        return written

    def _append(self, acts: Sequence[Act]) -> list[Entry]:
        if self.barred is not None:
            self._write_again()
        (seq, chain), written = self._last, list[tuple[Entry, str, Act]]()
        for act in acts:
            before, seq, at, text = chain, seq + 1, self._today(), canonical(act.body)
            chain = link(before, seq, act.game, act.kind, at, text)
            written.append((Entry(seq, act.game, act.kind, at, json.loads(text), chain), text, act))
        try:
            self._write(written)
        except sqlite3.IntegrityError as error:  # another process wrote a line with our number
            raise from_sqlite(sqlite3.OperationalError("database is locked"), self._name) from error
        except sqlite3.Error as error:
            size = sum(len(text) + len(canonical(act.telling)) for _, text, act in written)
            full = None if self._most_bytes is None else quota_reached(self._db, self._name, error, size)
            raise full or from_sqlite(error, self._name) from error
        self._last = (seq, chain)
        return [entry for entry, _, _ in written]

    def _write(self, written: Sequence[tuple[Entry, str, Act]]) -> None:
        told = 0
        self._db.execute("BEGIN IMMEDIATE")
        try:
            for entry, text, act in written:
                row = (entry.seq, entry.game, entry.kind, entry.at, storable(text), entry.chain)
                self._db.execute(_INSERT, row)
                if self.outbox is not None and act.telling is not None:
                    told += 1
                    self.outbox.put(told, entry, act.telling)
            self._db.execute("COMMIT")
        except BaseException:  # whatever the error: a transaction left open would refuse everything after it
            if self._db.in_transaction:  # on a full disk SQLite has already rolled back
                self._db.execute("ROLLBACK")
            raise
        if self.outbox is not None:
            self.outbox.written(told)
        self._written()

    def outbox_bytes(self) -> int:
        """The size of the events in its outbox, in bytes, as `carry_outbox` measures them."""
        with self._in_words():
            return weight(self._db)

    def carry_outbox(self, old: Journal, most_bytes: int) -> None:
        """Continue the outbox of another journal, if it has one, with at most that many bytes of its events."""
        with self._in_words():
            carry(old._db, self._db, most_bytes)

    def into_one_file(self) -> None:
        """Move everything from the write-ahead log into the file, so that it can be moved; then close."""
        self._let_be()
        with self._in_words():
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._db.execute("PRAGMA journal_mode = DELETE")
        self.close()

    def close(self) -> None:
        self._let_be()  # closing removes SQLite's log
        self._db.close()

    def _let_be(self) -> None:
        """Stop watching the file."""
        if self._untouched is not None:
            self._untouched.close()
        self._place = self._untouched = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
