"""Another game at the same table: its name, its place in the book, who hears of it, and what stands after a restart."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.clock import VirtualClock
from table.config import Settings
from table.desk.said import Said
from table.door.access import Access
from table.games import GAMES
from table.journal.errors import JournalError
from table.journal.shelf import tidy
from table.journal.store import Journal
from table.room.table_room import TableRoom
from tests.mosquitto import Mosquitto
from tests.table.fleet.fleets import hub, told, until
from tests.table.fleet.fleets import table as fleet_table

KIB = 1024


def room(book: Path | Journal) -> TableRoom:
    clock = VirtualClock()
    journal = book if isinstance(book, Journal) else Journal(book)
    return TableRoom(Settings.read(None), clock, journal, Access(clock, lan=False))


@contextlib.contextmanager
def no_room(table: TableRoom, kind: str) -> Iterator[None]:
    """The disk takes no entry of that kind."""
    db = table.journal._db
    db.execute(
        f"CREATE TEMP TRIGGER full BEFORE INSERT ON entries WHEN NEW.kind = '{kind}' "
        "BEGIN SELECT RAISE(ABORT, 'no room'); END"
    )
    yield
    db.execute("DROP TRIGGER full")


def fill(table: TableRoom, kib: int) -> None:
    for _ in range(kib // 50):
        assert table.desk.note("filler", x="y" * 50 * KIB)


@pytest.mark.parametrize("games", [1, 3])
def test_after_a_book_was_put_away_no_name_is_given_twice(tmp_path: Path, games: int) -> None:
    """The new book holds one game; it is not the first of its name that counts, but the highest."""
    book = tmp_path / "journal.sqlite"
    table = room(book)
    for _ in range(games):
        table.new_game("ice-cult", ("yellow", "red"), {})
    assert table.desk.name == f"game-{games + 1}"
    fill(table, 300)
    table.journal.close()
    assert tidy(book, 1024 * KIB) is not None
    table = room(book)
    assert table.journal.games() == [f"game-{games + 1}"]
    table.new_game("igloo-pop", ("red", "blue"), {})
    assert table.desk.name == f"game-{games + 2}"
    assert table.desk.play("deal 1 5")
    table.journal.close()
    table = room(book)
    assert (table.desk.name, len(table.desk.sitting.steps)) == (f"game-{games + 2}", 1)


def test_the_old_game_is_closed_and_the_new_one_begun_in_one_go(tmp_path: Path) -> None:
    table = room(tmp_path / "journal.sqlite")
    table.new_game("igloo-pop", ("red", "blue"), {})
    assert [(e.game, e.kind) for e in table.journal.entries()] == [
        ("game-1", "new"), ("game-1", "close"), ("game-2", "new"),
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["new", "close"])
def test_a_game_that_the_disk_refuses_leaves_nothing_behind(tmp_path: Path, kind: str) -> None:
    book = tmp_path / "journal.sqlite"
    table = room(book)
    assert table.desk.play("tilt n>S")
    with no_room(table, kind):
        for _ in range(3):
            with pytest.raises(JournalError):
                table.new_game("igloo-pop", ("red", "blue"), {})
    assert table.desk.play("tilt s>N")
    assert table.journal.games() == ["game-1"]
    table.journal.close()
    with Journal(book) as kept:
        assert kept.verify() == 3
    again = room(book)
    assert [step.move for step in again.desk.sitting.steps] == ["tilt n>S", "tilt s>N"]
    again.new_game("igloo-pop", ("red", "blue"), {})
    assert again.desk.name == "game-2"


def test_whoever_listens_to_the_table_hears_another_game_begin(tmp_path: Path) -> None:
    """Pages, events over HTTP, lamps and the voice: not with its first move, at once."""
    table = room(tmp_path / "journal.sqlite")
    heard: list[Said] = []
    table.listen(heard.append)
    table.new_game("ice-cult", ("yellow", "red"), {})
    assert [said.event for said in heard] == ["set-up", "begins"]
    assert heard == table.desk.said
    assert table.desk.play("tilt n>S")
    assert [said.event for said in heard].count("set-up") == 1


async def test_the_fleet_hears_it_too_and_the_end_of_the_old_one_first(
    broker: Mosquitto, tmp_path: Path
) -> None:
    async with hub(broker) as (_, lines), fleet_table(broker, tmp_path / "journal.sqlite") as north:
        await until(lambda: told(lines) == [1])
        north.new_game("igloo-pop", ("red", "blue"), {})
        await until(lambda: told(lines) == [1, 2, 3])
        events = [(line["game"], line["kind"]) for line in lines if line["event"] == "told"]
        assert events == [("game-1", "new"), ("game-1", "close"), ("game-2", "new")]
        await until(lambda: [line for line in lines if line["event"] == "table"][-1].get("game") == "game-2")


def test_nobody_can_work_out_hidden_tiles_from_what_everybody_knows(tmp_path: Path) -> None:
    """Not from the game's name, which counts; the chance of each game is its own, and stands in the journal."""
    game, seeds = GAMES["igloo-igloo"], set[int]()
    for number in range(4):
        table = room(Journal(None))
        sitting = table.new_game("igloo-igloo", ("red", "blue"), {"mode": "digital"}).sitting
        seeds.add(next(table.journal.entries(sitting.name)).body["seed"])
        for guess in range(number + 4):
            guessed, _ = game.new(("red", "blue"), guess, {"mode": "digital"})
            assert game.to_json(guessed)["tiles"] != game.to_json(sitting.state)["tiles"]
    assert len(seeds) == 4
    assert all(0 <= seed < 2**53 for seed in seeds)  # a whole number in every reader of JSON
