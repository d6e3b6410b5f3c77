"""The outbox in the journal: entry and event together or not at all, bounded, and numbered without a gap."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from table.journal import outbox as module
from table.journal.store import Journal
from tests.parts import ROOT
from tests.table.games import new_ice_cult

# plays until the disk is full, makes room, plays on, and is killed in the middle of it
PLAYER = """
import os, resource, signal, sys
from pathlib import Path
from table.journal.store import Journal
from tests.table.games import new_ice_cult
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
journal = Journal(Path(sys.argv[1]))
journal.open_outbox()
desk = new_ice_cult(journal)
room = (Path(sys.argv[1] + "-wal").stat().st_size + 200_000, resource.RLIM_INFINITY)
resource.setrlimit(resource.RLIMIT_FSIZE, room)
def move():
    return desk.play(next(desk.sitting.game.moves(desk.sitting.state)))
while move(): pass
assert desk.said[-1].text.startswith("PT-601")
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert move()
print("on", flush=True)
while move(): pass
"""


def test_entry_and_event_are_written_together_whatever_happens(tmp_path: Path) -> None:
    file = tmp_path / "book.sqlite"
    with subprocess.Popen(
        [sys.executable, "-c", PLAYER, str(file)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "on\n"
        process.kill()
    with Journal(file) as journal:
        journal.verify()
        entries = [entry for entry in journal.entries() if entry.kind != "refused"]
        events = journal.open_outbox().after(0, 100_000)
        assert [event.seq for event in events] == [entry.seq for entry in entries]
        assert [event.n for event in events] == list(range(1, len(entries) + 1))


def test_an_event_that_cannot_be_written_leaves_nothing_open(tmp_path: Path) -> None:
    """Whatever breaks in the middle of an act: the next one is taken, and of this one there is nothing."""
    deep: dict[str, Any] = {}
    for _ in range(3000):
        deep = {"a": deep}
    with Journal(tmp_path / "book.sqlite") as journal:
        outbox = journal.open_outbox()
        with pytest.raises(RecursionError):
            journal.append("game", "note", {"n": 1}, deep)
        journal.append("game", "note", {"n": 2}, {"said": []})
        assert journal.verify() == outbox.newest == 1
        assert [entry.body for entry in journal.entries()] == [{"n": 2}]


def test_an_hour_longer_than_the_outbox_the_oldest_give_way_and_the_journal_keeps_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "SWEEP", 10)
    with Journal(None) as journal:
        outbox = journal.outbox = module.Outbox(journal._db, kept=20, most_waiting=50)
        for _ in range(100):
            journal.append("game", "note", {}, {"said": []})
        assert (outbox.oldest, outbox.newest) == (51, 100)  # nobody has taken any: the newest fifty wait
        outbox.reach(95)
        for _ in range(10):
            journal.append("game", "note", {}, {"said": []})
        assert (outbox.oldest, outbox.newest) == (91, 110)  # of those that were taken, the newest twenty stay
        assert len(list(journal.entries())) == 110


def test_a_table_that_is_started_again_knows_where_it_was(tmp_path: Path) -> None:
    file = tmp_path / "book.sqlite"
    with Journal(file) as journal:
        book = journal.open_outbox().book
        new_ice_cult(journal)
        journal.open_outbox().reach(1)
    with Journal(file) as journal:
        again = journal.open_outbox()
        assert (again.book, again.newest, again.reached) == (book, 1, 1)
        assert again.after(again.reached, 10) == []
    with sqlite3.connect(file) as db:  # an older Polartable does not mind the two tables more
        assert {"outbox", "outbox_facts"} <= {row[0] for row in db.execute("SELECT name FROM sqlite_master")}


def test_a_late_word_of_the_broker_takes_nothing_back_and_an_empty_outbox_begins_after_the_newest(
    tmp_path: Path,
) -> None:
    file = tmp_path / "book.sqlite"
    with Journal(file) as journal:
        outbox = journal.open_outbox()
        assert (outbox.oldest, outbox.newest) == (1, 0)
        for _ in range(3):
            journal.append("game", "note", {}, {"said": []})
        outbox.reach(3)
        outbox.reach(2)  # it acknowledges out of order
        assert outbox.reached == 3
        assert [event.n for event in outbox.after(1, 1)] == [2]
        assert [event.n for event in outbox.after(1, 9)] == [2, 3]
    with Journal(file) as journal:
        assert journal.open_outbox().reached == 3
