"""A book that could only be read when the table was started, and can be written later."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from firmware_bridge.clock import VirtualClock
from table.config import Settings
from table.desk.desk import Desk
from table.door.access import Access
from table.games import GAMES
from table.journal.errors import JournalBusy
from table.journal.holding import Hold
from table.journal.replay import replay
from table.journal.store import Journal
from table.room.table_room import TableRoom
from tests.mosquitto import Mosquitto
from tests.table.fleet.fleets import hub, table, told, until
from tests.table.games import new_ice_cult, play_on
from tests.table.journal.spoiled_books import read_only
from tests.table.rooms import legal


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Three moves of a game."""
    file = tmp_path / "book.sqlite"
    desk = new_ice_cult(file)
    play_on(desk, 3)
    desk._journal.close()
    return file


def room(journal: Journal, fleet: bool = False) -> TableRoom:
    clock = VirtualClock()
    values = {"fleet": {"broker": "mqtt://192.0.2.1", "table": "north"}} if fleet else {}
    return TableRoom(Settings.model_validate(values), clock, journal, Access(clock, lan=False))


def test_a_table_whose_book_was_written_by_another_never_writes_into_it(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It shows how the table stood before; a move there would not fit, and the book could not be read any more."""
    with read_only(monkeypatch):
        stale = room(Journal(book, hold=Hold(book)))
    other = room(Journal(book))
    assert other.desk.play(legal(other))
    other.journal.close()
    before = stale.desk.sitting
    for _ in range(3):
        assert not stale.desk.play(legal(stale))
        assert stale.desk.said[-1].text.startswith("PT-605")
        assert "start" in stale.desk.said[-1].text
    assert stale.desk.sitting == before
    Hold(book).close()  # nor does it keep the book from a table that is started now
    stale.journal.close()
    with Journal(book) as kept:
        assert kept.verify() == 5
        replay(kept.entries("evening-1"), GAMES)


def test_it_takes_the_hold_that_it_could_not_have(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with read_only(monkeypatch):
        hold = Hold(book)
        table = room(Journal(book, hold=hold))
    another = Hold(book)
    assert not table.desk.play(legal(table))
    assert "PT-605" in table.desk.said[-1].text
    another.close()
    assert table.desk.play(legal(table))
    with pytest.raises(JournalBusy, match="another Polartable serves"):
        Hold(book)
    hold.close()
    Hold(book).close()


def test_with_a_fleet_it_is_shown_as_well_and_tells_what_is_played_once_it_can_be_written(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with read_only(monkeypatch):
        table = room(Journal(book), fleet=True)
        assert len(table.desk.sitting.steps) == 3
        assert not table.desk.play(legal(table))
        assert "PT-602" in table.desk.said[-1].text
        assert table.journal.outbox is None
    assert table.desk.play(legal(table))
    assert table.journal.outbox is not None
    assert [event.seq for event in table.journal.outbox.after(0, 10)] == [5]


async def test_the_fleet_has_the_table_as_soon_as_its_book_can_be_written(
    broker: Mosquitto, book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with contextlib.ExitStack() as disk:
        disk.enter_context(read_only(monkeypatch))
        async with hub(broker) as (_, lines), table(broker, book) as north:
            assert not north.desk.play(legal(north))
            disk.close()
            assert north.desk.play(legal(north))
            await until(lambda: told(lines) == [1])


def test_health_follows_the_book_not_the_moves(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written without a sentence of the rules – a move taken back, another game – is written as well."""
    with read_only(monkeypatch):
        table = room(Journal(book))
        assert "PT-602" in str(table.health()["journal"])
        assert not table.desk.undo()
        assert not table.health()["healthy"]
    assert table.desk.undo()
    assert table.health()["journal"] == "sound"


def test_a_game_that_cannot_be_begun_is_no_fault_of_the_book() -> None:
    table = room(Journal(None))
    table.begin("ice-cult", ("mauve", "red"), {})
    assert table.desk.said[-1].tone == "fault"
    assert table.health()["journal"] == "sound"


def test_a_book_that_turns_read_only_is_read_and_takes_moves_when_it_may_be_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "book.sqlite"
    desk = new_ice_cult(file)
    moves = play_on(desk, 5)
    desk._journal.close()

    with read_only(monkeypatch):
        journal = Journal(file)
        assert journal.barred is not None
        desk = Desk.resume(journal, GAMES, VirtualClock())
        assert [step.move for step in desk.sitting.steps] == moves
        before = desk.sitting.fingerprint()
        assert not desk.play(next(desk.sitting.game.moves(desk.sitting.state)))
        assert desk.said[-1].text.startswith("PT-602: ")
        assert desk.sitting.fingerprint() == before
    assert play_on(desk, 1)
    with Journal(file) as again:
        assert again.verify() == 7
