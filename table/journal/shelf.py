"""The shelf beside the journal: rotates a full book onto it whole; on a full shelf the oldest books are deleted.

The game on the table is carried over into the new book, entry by entry with its original times. A book that holds
little else stays, since the new one would be just as full. A power cut may interrupt any step: until the last rename
the old book is in its place, and after it the new one.
"""

from __future__ import annotations

import glob
import logging
import os
import re
import sqlite3
from datetime import MAXYEAR, UTC, datetime, timedelta
from pathlib import Path

from firmware_bridge.host.durable import sync_directory
from table.journal.errors import JournalError
from table.journal.store import Journal

WHEN = "%Y%m%d-%H%M%S"  # UTC, part of a book's name on the shelf
SHARE = 4  # a book is full at this fraction (1/SHARE) of what all books together may take
LOG = logging.getLogger("polartable")


def tidy(book: Path, most_bytes: int, now: datetime | None = None) -> Path | None:
    """Put a full book on the shelf and delete the oldest ones of a full shelf. Returns where it went; None if it stays.

    Call it before the book is opened. Raises a JournalError if the disk does not allow it; the old book then stays
    where it was.
    """
    book = Path(os.path.realpath(book))  # resolve a link to another disk, so that the link stays
    _finish(book)
    put = None
    if book.exists() and book.stat().st_size > most_bytes // SHARE:
        put = _put_away(book, now or datetime.now(UTC), most_bytes)
    _throw_out(book, most_bytes)
    return put


def shelf(book: Path) -> list[Path]:
    """The books on the shelf, oldest first; a copy under another name belongs to somebody else."""
    book = Path(os.path.realpath(book))
    there = book.parent.glob(f"{glob.escape(book.stem)}-*{glob.escape(book.suffix)}")
    return sorted(path for path in there if _put_at(book, path) is not None)


def _put_at(book: Path, path: Path) -> datetime | None:
    """When it was put away, according to its name."""
    if re.fullmatch(r"\d{8}-\d{6}", when := path.stem.removeprefix(f"{book.stem}-")) is None:
        return None
    try:
        at = datetime.strptime(when, WHEN).replace(tzinfo=UTC)
    except ValueError:
        return None
    return at if at.year < MAXYEAR else None  # no calendar has a time after the last one


def _next(book: Path, now: datetime) -> Path:
    """A free name that sorts after all others, even if the clock has jumped back: books are deleted in this order."""
    newest = max((at for path in shelf(book) if (at := _put_at(book, path)) is not None), default=None)
    when = now if newest is None or newest < now.replace(microsecond=0) else newest + timedelta(seconds=1)
    while (path := book.with_name(f"{book.stem}-{when.astimezone(UTC):{WHEN}}{book.suffix}")).exists():
        when += timedelta(seconds=1)
    return path


def _fresh(book: Path) -> Path:
    return book.with_name(f".{book.name}.fresh")


def _finish(book: Path) -> None:
    """Recover from a power cut between the two renames: the new book is whole, and its place is empty."""
    fresh = _fresh(book)
    if fresh.exists() and not book.exists():
        fresh.replace(book)
        sync_directory(book.parent)


def _put_away(book: Path, now: datetime, most_bytes: int) -> Path | None:
    away, most_outbox = _next(book, now), most_bytes // SHARE // 2
    with Journal(book) as old:
        if not _worth_it(old, most_outbox):
            return None
        _carry_over(old, _fresh(book), most_outbox)
        old.into_one_file()
    book.replace(away)
    _fresh(book).replace(book)
    sync_directory(book.parent)
    LOG.info("the journal has grown full and was put away as %s", away)
    return away


def _worth_it(old: Journal, most_outbox: int) -> bool:
    """Whether putting the book away would leave anything behind.

    If everything is carried over, every start would put away the same book again. There must be twice as many bytes of
    waiting events as are carried over: otherwise a few new events would be enough to put a book away, evening after
    evening.
    """
    return len(old.games()) > 1 or old.outbox_bytes() > 2 * most_outbox


def _carry_over(old: Journal, path: Path, most_outbox: int) -> None:
    """Write the game on the table into a book of its own; also a finished game, so that its name is not reused.

    Events on their way to a broker are carried over under the same name and numbers: the newest `most_outbox` bytes.
    """
    for leftover in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
        leftover.unlink(missing_ok=True)
    at = [""]
    with Journal(path, today=lambda: at[0]) as new:
        game = old.begun_last()
        for entry in old.entries(game) if game is not None else ():
            at[0] = entry.at
            new.append(entry.game, entry.kind, entry.body)
        new.carry_outbox(old, most_outbox)
        new.into_one_file()


def _throw_out(book: Path, most_bytes: int) -> None:
    books = shelf(book)
    size = sum(path.stat().st_size for path in books) + (book.stat().st_size if book.exists() else 0)
    for path in books[:-1]:  # never the last one: it may have been put away a minute ago
        if size <= most_bytes:
            return
        size -= path.stat().st_size
        LOG.warning("the shelf is full: the oldest book %s was thrown out", path)
        path.unlink()


def tidied(book: Path, most_bytes: int) -> Path:
    """Like `tidy`, but it never stops the table: if tidying fails, that is logged, and the book is used as it is."""
    try:
        tidy(book, most_bytes)
    except (JournalError, OSError, sqlite3.Error) as error:
        LOG.warning("the journal could not be put away: %s", error)
    return book
