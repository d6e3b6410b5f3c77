"""Reading the book: entries in their order, games, the hash chain."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from typing import cast

from table.journal.chain import fits
from table.journal.entries import GENESIS, KINDS, Entry, Kind
from table.journal.errors import JournalDamaged, from_sqlite


class Pages:
    """An open book. Every method raises a `JournalError` if the file is damaged or cannot be read."""

    _db: sqlite3.Connection
    _name: str  # the file's name, for error messages

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        """What SQLite meets within is raised as the `JournalError` that says it."""
        try:
            yield
        except sqlite3.Error as error:
            raise from_sqlite(error, self._name) from error

    def entries(self, game: str | None = None, after: int = 0) -> Generator[Entry, None, None]:
        """All entries, or those of one game, in order, after entry `after` (0: from the first); read as a stream."""
        which: list[tuple[str, str | int]] = [] if game is None else [("game = ?", game)]
        which += [("seq > ?", after)] if after else []
        where = f" WHERE {' AND '.join(term for term, _ in which)}" if which else ""
        with self._in_words():
            cursor = self._db.execute(
                f"SELECT seq, game, kind, at, body, chain FROM entries{where} ORDER BY seq",
                [value for _, value in which],
            )
            for seq, name, kind, at, body, chain in cursor:
                yield _entry(self._name, seq, name, kind, at, body, chain)

    def chain_of(self, seq: int) -> str | None:
        """The chain value of that entry; None if there is none, or it cannot be read."""
        with self._in_words():
            row = self._db.execute("SELECT chain FROM entries WHERE seq = ?", (seq,)).fetchone()
        return row[0] if row is not None and isinstance(row[0], str) else None

    def games(self) -> list[str]:
        """The names of all games, oldest first."""
        with self._in_words():
            rows = self._db.execute("SELECT game FROM entries GROUP BY game ORDER BY min(seq)").fetchall()
        return [row[0] for row in rows]

    def begun_last(self) -> str | None:
        """The game that was begun last: the one on the table. None in an empty book."""
        with self._in_words():
            row = self._db.execute(
                "SELECT game FROM entries WHERE kind = 'new' ORDER BY seq DESC LIMIT 1"
            ).fetchone()
        return None if row is None else str(row[0])

    def written_last(self) -> str | None:
        """When the last entry was written (`Entry.at`). None in an empty book."""
        with self._in_words():
            row = self._db.execute("SELECT at FROM entries ORDER BY seq DESC LIMIT 1").fetchone()
        return None if row is None else str(row[0])

    def verify(self, after: int = 0, before: str = GENESIS) -> int:
        """Follow the chain after entry `after`, which has the chain value `before`; return the last entry's number.

        Raises `JournalDamaged` naming the first line that does not fit.
        """
        expected = after + 1
        # close at once: otherwise a kept exception would keep the file open
        with closing(self.entries(after=after)) as entries:
            for entry in entries:
                try:
                    sound = fits(entry, before)
                except RecursionError:  # nested so deeply that it could only just be parsed
                    raise _unreadable(self._name, entry.seq) from None
                if entry.seq != expected or not sound:
                    raise JournalDamaged(
                        f"entry {expected} of {self._name} is missing or was changed after it was written",
                        "restore the file from a copy; the entries before it are sound",
                    )
                before, expected = entry.chain, expected + 1
        return expected - 1


def _entry(path: str, seq: int, *columns: object) -> Entry:
    """An entry from SQLite's row; in a damaged page the columns may hold anything."""
    game, kind, at, body, chain = columns
    try:
        value = json.loads(cast("str", body))
    except (ValueError, TypeError, RecursionError):
        value = None
    texts = all(isinstance(text, str) for text in (game, at, chain))
    if kind not in KINDS or not isinstance(value, dict) or not texts:
        raise _unreadable(path, seq)
    return Entry(seq, cast("str", game), cast("Kind", kind), cast("str", at), value, cast("str", chain))


def _unreadable(path: str, seq: int) -> JournalDamaged:
    return JournalDamaged(f"entry {seq} of {path} cannot be read", "restore the file from a copy")
