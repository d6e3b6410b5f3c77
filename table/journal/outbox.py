"""A transactional outbox in the journal's own file: each event is written together with the entry it reports.

An event counts as sent once the broker has acknowledged it. It stays a while longer (`KEPT`), for a hub that asks
again. While the broker is away, events wait. If more than `MOST_WAITING` wait, the oldest are dropped: they are still
in the journal, and `oldest` tells every reader how many it will not get.
"""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from table.journal.entries import Entry, canonical, storable

KEPT = 2_000  # events kept after the broker has them; an evening has a few hundred
MOST_WAITING = 200_000  # events waiting for a broker; at half a kilobyte each, about a hundred megabytes
_ROW = 100  # bytes of an event besides its telling
_BYTES = f"length(CAST(telling AS BLOB)) + {_ROW}"  # size of one event
SWEEP = 256  # number of new events between two sweeps

_SCHEMA = """
CREATE TABLE IF NOT EXISTS outbox (
  n INTEGER PRIMARY KEY, seq INTEGER NOT NULL, game TEXT NOT NULL, kind TEXT NOT NULL, at TEXT NOT NULL,
  telling TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS outbox_facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
"""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One event: `n` counts from 1 without gaps; `seq` is the journal entry it reports."""

    n: int
    seq: int
    game: str
    kind: str
    at: str
    telling: Mapping[str, Any]


def _there(db: sqlite3.Connection) -> bool:
    """Whether that book has an outbox."""
    return db.execute("SELECT 1 FROM sqlite_master WHERE name = 'outbox'").fetchone() is not None


def weight(db: sqlite3.Connection) -> int:
    """The size of that book's events, in bytes, as `carry` measures them."""
    if not _there(db):
        return 0
    return int(db.execute(f"SELECT coalesce(sum({_BYTES}), 0) FROM outbox").fetchone()[0])


def carry(old: sqlite3.Connection, new: sqlite3.Connection, most_bytes: int) -> None:
    """Continue the old book's outbox in the new one: its name, its numbers, and its newest events, up to `most_bytes`.

    Events without room are reported as missed, as when too many wait. The last one is always carried over: new events
    are numbered from it.
    """
    if not _there(old):
        return
    new.executescript(_SCHEMA)
    new.execute("BEGIN IMMEDIATE")
    new.executemany(
        "INSERT INTO outbox_facts VALUES (?,?)", old.execute("SELECT name, value FROM outbox_facts")
    )
    size = f"sum({_BYTES}) OVER (ORDER BY n DESC)"
    fitting = f"SELECT n FROM (SELECT n, {size} AS size FROM outbox) WHERE size <= ?"
    rows = old.execute(
        f"SELECT * FROM outbox WHERE n IN ({fitting}) OR n = (SELECT max(n) FROM outbox) ORDER BY n",
        (most_bytes,),
    )
    new.executemany("INSERT INTO outbox VALUES (?,?,?,?,?,?)", rows)
    new.execute("COMMIT")


class Outbox:
    """The events of one journal. `book` is the journal's permanent name; together with `n` it makes an event's id.

    Raises SQLite's errors; the journal translates them. `writing`: a context around each write outside an entry's
    transaction; it yields whether writing is allowed.
    """

    def __init__(
        self,
        db: sqlite3.Connection,
        kept: int = KEPT,
        most_waiting: int = MOST_WAITING,
        writing: Callable[[], AbstractContextManager[bool]] = lambda: nullcontext(True),
    ) -> None:
        self._db, self._kept, self._most_waiting, self._writing = db, kept, most_waiting, writing
        db.executescript(_SCHEMA)
        db.execute("INSERT OR IGNORE INTO outbox_facts VALUES ('book', ?)", (uuid.uuid4().hex,))
        db.execute("INSERT OR IGNORE INTO outbox_facts VALUES ('reached', '0')")
        facts = dict(db.execute("SELECT name, value FROM outbox_facts"))
        self.book: str = facts["book"]
        self.reached = int(facts["reached"])  # the broker has acknowledged everything up to here
        self.newest = int(db.execute("SELECT coalesce(max(n), 0) FROM outbox").fetchone()[0])

    @property
    def oldest(self) -> int:
        """The first event that can still be sent; one more than the newest if there is none."""
        first = self._db.execute("SELECT min(n) FROM outbox").fetchone()[0]
        return self.newest + 1 if first is None else int(first)

    def put(self, nth: int, entry: Entry, telling: Mapping[str, Any]) -> None:
        """Write the `nth` event (from 1) of a transaction; call it only inside the one that writes `entry`."""
        n = self.newest + nth
        row = (n, entry.seq, entry.game, entry.kind, entry.at, storable(canonical(telling)))
        self._db.execute("INSERT INTO outbox VALUES (?,?,?,?,?,?)", row)
        if n % SWEEP == 0:
            self._sweep(n)

    def written(self, events: int) -> None:
        """A transaction with that many events is on the disk."""
        self.newest += events

    def after(self, n: int, limit: int) -> list[Outgoing]:
        """Up to `limit` events after event `n`, in order."""
        rows = self._db.execute(
            "SELECT n, seq, game, kind, at, telling FROM outbox WHERE n > ? ORDER BY n LIMIT ?", (n, limit)
        )
        return [Outgoing(n, seq, game, kind, at, json.loads(text)) for n, seq, game, kind, at, text in rows]

    def reach(self, n: int) -> None:
        """The broker has acknowledged everything up to `n`.

        While the book is not ours this is not written, only with the next call. After a restart before that, those
        events are sent again.
        """
        if n > self.reached:
            with self._writing() as may:
                if may:
                    self._db.execute("UPDATE outbox_facts SET value = ? WHERE name = 'reached'", (str(n),))
            self.reached = n

    def _sweep(self, newest: int) -> None:
        done = min(self.reached, newest - self._kept)
        self._db.execute("DELETE FROM outbox WHERE n <= ?", (max(done, newest - self._most_waiting),))
