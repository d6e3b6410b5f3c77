"""Where `polartable journal` finds recorded games: in a journal, an exported file, a report."""

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
    """The games that were asked for, each with what stands before its line, and what follows its lines in passing."""
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
            # of a game that came out otherwise the last line was not reached, and the next one's first follows it
            deque(followed, maxlen=0)
        if empty:
            yield "", (), chain


def is_zip(path: Path) -> bool:
    """By its first bytes: a torn report is still to be called one."""
    with path.open("rb") as start:
        return start.read(2) == b"PK"


def book_file(given: Path | None, config: Path | None) -> Path:
    """Where the games are; while the settings cannot be read, where they were when the table last ran well."""
    if given is not None:
        return given
    try:
        return load(config or default_file()).settings.journal.book
    except SettingsError as error:
        raise SettingsError(error.cause, f"{error.mend}; or name the journal with --journal") from error


def opened_book(path: Path) -> Journal:
    """The journal at `path`; none is begun there. Raises `NoSuchGame` where there is none, else a `JournalError`."""
    mend = "play a game first, or name it with --journal, or the settings with --config"
    if not path.exists():
        raise NoSuchGame(f"there is no journal {path}", mend)
    why = ""
    if not path.is_file():
        why = "is a folder" if path.is_dir() else "is a device or a pipe"
    elif path.stat().st_size == 0:  # to SQLite a new one, which it would begin
        why = "is empty"
    if why:
        raise NoSuchGame(f"{path} {why}, and no journal", mend)
    return Journal(path)


def no_such_game(game: str) -> NoSuchGame:
    return NoSuchGame(f"the journal holds no game {game!r}", "see: polartable journal list")
