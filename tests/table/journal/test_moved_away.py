"""A book that is moved, deleted or replaced under the table that has it open."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from firmware_bridge.clock import VirtualClock
from table.games import GAMES
from table.journal.errors import JournalBusy, JournalError
from table.journal.holding import Hold
from table.journal.replay import replay
from table.journal.store import Journal
from tests.table.journal.served_books import ended, served, takes_nothing
from tests.table.journal.spoiled_books import read_only
from tests.table.rooms import legal


@pytest.mark.parametrize("ending", ["", "-wal", "-shm"])
def test_no_act_is_taken_that_no_start_would_find(data: Path, ending: str) -> None:
    table = served(data)
    assert table.desk.play(legal(table))
    assert table.health()["journal"] == "sound"
    (data / f"book.sqlite{ending}").unlink()
    takes_nothing(table)
    ended(table)


def test_another_file_in_its_place_is_not_the_book(data: Path) -> None:
    """A copy that is laid there with `mv`: SQLite would go on writing into the old one."""
    table = served(data)
    shutil.copy(data / "book.sqlite", data / "copy")
    (data / "copy").replace(data / "book.sqlite")
    takes_nothing(table)
    ended(table)


def test_a_folder_that_is_put_back_goes_on(data: Path) -> None:
    table = served(data)
    away = data.with_name("away")
    data.rename(away)
    takes_nothing(table)
    assert not data.exists()  # else it could not be put back
    away.rename(data)
    assert table.health()["journal"] == "sound"
    assert table.desk.play(legal(table))
    ended(table)
    with Journal(data / "book.sqlite") as kept:
        assert kept.verify() == 5
        replay(kept.entries("evening-1"), GAMES)


def test_no_second_table_is_served_in_an_emptied_folder(data: Path) -> None:
    """Its lock is deleted with the book by `rm journal.sqlite*`."""
    table = served(data)
    for file in data.iterdir():
        file.unlink()
    assert table.health()["healthy"] is False
    with pytest.raises(JournalBusy, match="another Polartable serves"):
        Hold(data / "book.sqlite")
    assert not (data / "book.sqlite").exists()
    ended(table)
    Hold(data / "book.sqlite").close()


def test_a_lock_that_was_deleted_is_had_again_before_the_next_act(data: Path) -> None:
    table = served(data)
    lock = data / "book.sqlite.lock"
    lock.unlink()
    assert table.desk.play(legal(table))
    with pytest.raises(JournalBusy):
        Hold(data / "book.sqlite")
    lock.unlink()
    other = Hold(data / "book.sqlite")  # quicker than we
    assert not table.desk.play(legal(table))
    assert "another Polartable serves" in table.desk.said[-1].text
    assert "PT-605" in table.health()["journal"]
    other.close()
    assert table.desk.play(legal(table))
    ended(table)


def test_a_table_that_was_moved_with_its_folder_is_no_others(data: Path) -> None:
    """Neither where the folder lies now nor where it lay, in a new folder of the same name."""
    table = served(data)
    away = data.with_name("away")
    data.rename(away)
    data.mkdir()
    takes_nothing(table)
    for folder in (data, away):
        with pytest.raises(JournalBusy):
            Hold(folder / "book.sqlite")
    ended(table)
    for folder in (data, away):
        Hold(folder / "book.sqlite").close()


async def test_it_is_said_at_once_and_once_and_that_it_is_back_too(data: Path) -> None:
    table = served(data)
    table.start()
    clock = table.clock
    assert isinstance(clock, VirtualClock)
    await clock.advance(1)
    data.rename(data.with_name("away"))
    heard = len(table.desk.said)
    await clock.advance(2)
    assert [said.text[:6] for said in table.desk.said[heard:]] == ["PT-609"]
    data.with_name("away").rename(data)
    await clock.advance(2)
    assert table.desk.said[-1].event == "journal-back"
    data.rename(data.with_name("away"))
    assert not table.desk.play(legal(table))
    await clock.advance(2)
    assert [said.text[:6] for said in table.desk.said[heard + 2 :]] == ["PT-609"]
    hold = table.journal._hold
    await table.stop()
    assert hold is not None
    hold.close()


def test_a_disk_that_is_not_there_any_more_gets_no_new_book(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that was mounted read-only: where it was mounted a folder is left, which can be written."""
    with read_only(monkeypatch):
        table = served(data)
    data.rename(data.with_name("away"))
    data.mkdir()
    takes_nothing(table)
    assert list(data.iterdir()) == []
    data.rmdir()
    data.with_name("away").rename(data)
    assert table.desk.play(legal(table))
    ended(table)


def test_a_book_that_nobody_serves_is_as_careful(data: Path) -> None:
    with Journal(data / "book.sqlite") as journal:
        (data / "book.sqlite").unlink()
        with pytest.raises(JournalError, match="was moved away, deleted or replaced"):
            journal.append("evening-1", "note", {})


def test_a_hold_is_not_in_its_own_way(data: Path) -> None:
    """A folder that was put aside for a moment: the hold on its lock was had all the time."""
    table = served(data)
    away = data.with_name("away")
    data.rename(away)
    data.mkdir()
    takes_nothing(table)
    shutil.rmtree(data)
    away.rename(data)
    assert table.desk.play(legal(table))
    with pytest.raises(JournalBusy):
        Hold(data / "book.sqlite")
    ended(table)
    Hold(data / "book.sqlite").close()


async def test_a_book_in_which_another_has_written_is_ours_no_more(data: Path) -> None:
    """He took the lock that was deleted, and ended: nothing that is shown here is how the table stands."""
    table = served(data)
    table.start()
    clock = table.clock
    assert isinstance(clock, VirtualClock)
    (data / "book.sqlite.lock").unlink()
    other = served(data)
    await clock.advance(1)
    assert other.desk.play(legal(other))
    ended(other)
    await clock.advance(1)
    assert not table.desk.play(legal(table))
    assert [said.event for said in table.desk.said].count("journal-back") == 0
    assert "start this table again" in table.desk.said[-1].text
    assert "start this table again" in table.health()["journal"]
    hold = table.journal._hold
    await table.stop()
    assert hold is not None
    hold.close()
