"""A book that stays where it is, and is written into by somebody else while a table has it open."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from table.games import GAMES
from table.journal.replay import replay
from table.journal.store import Journal
from table.journal.untouched import Untouched
from tests.parts import ROOT
from tests.table.journal.served_books import ended, served, takes_nothing
from tests.table.rooms import legal


@pytest.fixture
def older(data: Path) -> bytes:
    """The book as it was before it grew by some pages."""
    book = data / "book.sqlite"
    before = book.read_bytes()
    with Journal(book) as journal:
        for _ in range(8):
            journal.append("evening-1", "note", {"note": "x" * 5_000})
    return before


@pytest.mark.parametrize("ending", ["", "-wal"])
@pytest.mark.parametrize("how", ["emptied", "older", "torn", "text"])
def test_what_is_written_over_in_its_place_takes_no_act(
    data: Path, older: bytes, ending: str, how: str
) -> None:
    """By `cp`, by an editor: SQLite does not notice, and writes what no start could read."""
    table = served(data)
    assert table.desk.play(legal(table))
    file = data / f"book.sqlite{ending}"
    with_that = {"emptied": b"", "older": older, "torn": file.read_bytes()[:5000], "text": b"x" * 99_000}
    file.write_bytes(with_that[how])
    takes_nothing(table)
    assert "was written over" in table.health()["journal"]
    ended(table)


def test_what_was_written_over_can_be_put_back(data: Path, older: bytes) -> None:
    table = served(data)
    book = data / "book.sqlite"
    assert table.desk.play(legal(table))
    whole = book.read_bytes()
    book.write_bytes(older)
    takes_nothing(table)
    book.write_bytes(whole)
    assert table.health()["journal"] == "sound"
    assert table.desk.play(legal(table))
    ended(table)
    with Journal(book) as kept:
        assert kept.verify() == 14
        replay(kept.entries("evening-1"), GAMES)


AS_USUAL = """
import sqlite3, sys
from pathlib import Path
from table.cli import run
book = Path(sys.argv[1])
assert run(["journal", "verify", "--journal", str(book)]) == 0
with sqlite3.connect(book) as db:
    assert db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()[0] == 0
"""


def test_a_book_that_others_read_tidy_up_or_touch_is_ours(data: Path) -> None:
    table = served(data)
    assert table.desk.play(legal(table))
    before = (data / "book.sqlite").stat().st_mtime_ns
    subprocess.run([sys.executable, "-c", AS_USUAL, str(data / "book.sqlite")], check=True, cwd=ROOT)
    assert (data / "book.sqlite").stat().st_mtime_ns != before
    assert table.health()["journal"] == "sound"
    assert table.desk.play(legal(table))
    for ending in ("", "-wal"):
        (data / f"book.sqlite{ending}").touch()
        assert table.health()["journal"] == "sound"
    assert table.desk.play(legal(table))
    ended(table)


def test_what_we_write_ourselves_is_not_looked_at(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many pages, so that SQLite brings its log into the file several times."""
    monkeypatch.setattr(Untouched, "_look", lambda self, seq, chain: pytest.fail("the book was read"))
    with Journal(data / "book.sqlite") as journal:
        journal.tell()
        assert journal.outbox is not None
        size = (data / "book.sqlite").stat().st_size
        for n in range(300):
            journal.append("evening-1", "note", {"note": "x" * 20_000}, {"said": []})
            journal.outbox.reach(n + 1)
            assert journal.lost() is None
        assert (data / "book.sqlite").stat().st_size > size
