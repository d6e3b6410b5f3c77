"""A game that was abandoned stays on the table, over a restart too, until another one is begun or it is taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.clock import VirtualClock
from table.config import Settings
from table.desk.ending import abandon
from table.door.access import Access
from table.games import GAMES
from table.journal.replay import replay
from table.journal.shelf import tidy
from table.journal.store import Journal
from table.room.table_room import TableRoom
from tests.table.journal.journal_command import said


def room(folder: Path) -> TableRoom:
    clock = VirtualClock()
    access = Access(clock, lan=True, file=folder / "tokens.json")
    return TableRoom(Settings.read(None), clock, Journal(folder / "book.sqlite"), access)


@pytest.fixture
def abandoned(tmp_path: Path) -> TableRoom:
    """IGLOO, two secrets chosen."""
    table = room(tmp_path)
    table.new_game("igloo", ("A", "B"), {})
    assert table.desk.play("commit A red", "A")
    assert table.desk.play("commit B blue", "B")
    assert abandon(table.desk, "host")
    return table


def test_it_is_still_there_after_a_restart_with_everybody_in_his_seat(tmp_path: Path) -> None:
    table = room(tmp_path)
    table.new_game("igloo-igloo", ("red", "blue", "green"), {})
    token = table.access.pair(table.access.code, "10.0.0.1")
    table.access.sit(token, "green")
    assert abandon(table.desk, "host")
    table.journal.close()
    again = room(tmp_path)
    assert again.desk.name == "game-2"
    assert again.desk.sitting.closed == "abandoned by host"
    assert again.access.seat_of(token) == "green"
    assert "The game is abandoned, by host; nobody wins" in [s.text for s in again.desk.said]
    again.new_game("ice-cult", ("yellow", "red"), {})
    assert [e.kind for e in again.journal.entries("game-2")] == ["new", "close"]  # closed once
    again.journal.close()
    assert room(tmp_path).desk.name == "game-3"


def test_the_host_can_take_that_back_and_the_game_goes_on(abandoned: TableRoom, tmp_path: Path) -> None:
    before = abandoned.desk.sitting.fingerprint()
    for _ in range(2):
        assert abandoned.desk.undo()
        assert abandoned.desk.sitting.closed is None
        assert abandoned.desk.sitting.fingerprint() == before  # that, and no move
        assert abandoned.desk.said[-1].text == "Taken back: “abandon”, by host."
        assert abandon(abandoned.desk, "host")
    assert abandoned.desk.undo()
    assert abandoned.desk.undo()
    assert abandoned.desk.redo()
    game, state = abandoned.desk.sitting.game, abandoned.desk.sitting.state
    assert abandoned.desk.play(next(game.moves(state, "A")), "A")
    abandoned.journal.close()
    again = room(tmp_path)
    assert len(again.desk.sitting.steps) == 3
    assert again.journal.verify() > 5
    replay(again.journal.entries("game-2"), GAMES)


def test_nothing_else_is_changed_in_it(abandoned: TableRoom) -> None:
    assert abandoned.desk.undo()
    assert abandoned.desk.undo()
    assert abandon(abandoned.desk, "host")
    before, kinds = abandoned.desk.sitting, [e.kind for e in abandoned.journal.entries()]
    assert not abandoned.desk.redo()
    assert "this game was closed" in abandoned.desk.said[-1].text
    assert not abandoned.desk.correct(0, "commit A yellow")
    assert "this game was closed" in abandoned.desk.said[-1].text
    assert abandoned.desk.sitting == before
    assert [e.kind for e in abandoned.journal.entries()] == [*kinds, "refused"]
    replay(abandoned.journal.entries("game-2"), GAMES)


def test_a_book_of_before_in_which_moves_were_taken_back_behind_the_end_is_read_as_it_was(
    abandoned: TableRoom,
) -> None:
    whole = abandoned.desk.sitting.taken_back()
    body = {"by": "host", "move": "commit B blue", "after": whole.fingerprint()}
    abandoned.journal.append("game-2", "undo", body)
    sitting = replay(abandoned.journal.entries("game-2"), GAMES)
    assert (len(sitting.steps), sitting.closed) == (1, "abandoned by host")


def test_it_comes_along_when_the_book_is_put_away(abandoned: TableRoom, tmp_path: Path) -> None:
    abandoned.journal.close()
    assert tidy(tmp_path / "book.sqlite", 16 * 1024) is not None
    table = room(tmp_path)
    assert (table.desk.name, table.desk.sitting.closed) == ("game-2", "abandoned by host")
    assert table.desk.undo()


def test_an_end_that_was_taken_back_takes_no_number(
    abandoned: TableRoom, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    abandoned.desk.undo()
    abandoned.desk.undo()
    _, lines, _ = said(capsys, "show", "game-2", "--journal", str(tmp_path / "book.sqlite"))
    shown = [line.split("+00:00  ")[1] for line in lines]
    assert shown[-3:] == [
        "close abandoned by host", "undo abandon  [host]", "undo step 2: commit B blue  [host]",
    ]  # fmt: skip
