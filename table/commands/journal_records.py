"""Finds recorded games for `polartable journal`: in a journal, an exported file, or a report."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path

from table.journal.chain import Chain
from table.journal.entries import Entry
from table.journal.errors import NoSuchGame
from table.journal.replay import games_in, read_export
from table.journal.store import Journal
from table.last_good import load
from table.places import default_file
from table.report.contents import REDACTED
from table.report.unpacking import Report
from table.settings.faults import SettingsError


def records_of(
    record: str, journal: Path | None, config: Path | None
) -> Iterator[tuple[str, Iterable[Entry], Chain]]:
    """Yields for each requested game: a prefix for its output line, its entries, and the chain that checks them."""
    chain = Chain()
    path = Path(record)
    if not path.is_file():
        file = book_file(journal, config)
        if not file.exists():
            raise NoSuchGame(
                f"{record!r} is no file, and there is no journal {file} that may hold a game of that name",
                "give an exported file, a report, or the journal with --journal",
            )
        with opened_book(file) as book:
            if record not in book.games():
                raise NoSuchGame(
                    f"{record!r} is no file, and no game of the journal {file}",
                    "see: polartable journal list",
                )
            chain = Chain(elsewhere=book.chain_of)
            yield "", chain.along(book.entries(record)), chain
    elif is_zip(path):
        chain = Chain(but=REDACTED)
        with Report(path) as report:
            for name, entries in report.games():
                yield f"{name}: ", chain.along(entries), chain
    else:
        empty = True
        for name, entries in games_in(read_export(path)):
            empty, followed = False, chain.along(entries)
            yield f"{name}: ", followed, chain
            # after a differing verdict the rest of the game was not read, but the chain needs it for the next game
            deque(followed, maxlen=0)
        if empty:
            raise NoSuchGame(f"{path} holds no entries", "give a file written by: polartable journal export")


def is_zip(path: Path) -> bool:
    """By its first bytes: even a torn report has to be recognized as one."""
    with path.open("rb") as start:
        return start.read(2) == b"PK"


def book_file(given: Path | None, config: Path | None) -> Path:
    """The journal's file; while the settings cannot be read, the one used when the table last ran well."""
    if given is not None:
        return given
    try:
        return load(config or default_file()).settings.journal.book
    except SettingsError as error:
        raise SettingsError(error.cause, f"{error.mend}; or name the journal with --journal") from error


def opened_book(path: Path) -> Journal:
    """Open the journal at `path` without creating one. Raises `NoSuchGame` if there is none, else a `JournalError`."""
    mend = "play a game first, or name it with --journal, or the settings with --config"
    if not path.exists():
        raise NoSuchGame(f"there is no journal {path}", mend)
    why = ""
    if not path.is_file():
        why = "is a folder" if path.is_dir() else "is a device or a pipe"
    elif path.stat().st_size == 0:  # SQLite would create a new database in it
        why = "is empty"
    if why:
        raise NoSuchGame(f"{path} {why}, and no journal", mend)
    return Journal(path)


def no_such_game(game: str) -> NoSuchGame:
    return NoSuchGame(f"the journal holds no game {game!r}", "see: polartable journal list")
