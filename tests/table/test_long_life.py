"""Years of evenings: the book never outgrows its quota, nothing under way is lost, and memory stays flat."""

from __future__ import annotations

import gc
import random
import tracemalloc
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

import pytest

from firmware_bridge.clock import VirtualClock
from table.access import Access
from table.config import Settings
from table.desk.desk import Desk
from table.games import GAMES
from table.journal import shelf
from table.journal.errors import JournalFull
from table.journal.shelf import tidied, tidy
from table.journal.store import Journal
from table.table_room import TableRoom
from tests.parts import proof
from tests.table.games import new_ice_cult, play_on

KIB = 1024
DAY = datetime(2026, 11, 21, tzinfo=UTC)


def stroll(desk: Desk, moves: int, seed: int) -> None:
    """Any legal moves: quicker than people who think."""
    chance = random.Random(seed)
    for _ in range(moves):
        if desk.sitting.over is None:
            assert desk.play(chance.choice(list(islice(desk.sitting.game.moves(desk.sitting.state), 30))))


def fill(journal: Journal, game: str) -> None:
    for number in range(10_000):
        journal.append(game, "note", {"n": number})  # small ones: no room is left for anything


def evenings(book: Path, first: int, games: int = 3) -> Desk:
    with Journal(book) as journal:
        for number in range(first, first + games):
            desk = new_ice_cult(journal, seed=number, name=f"game-{number}")
            stroll(desk, 40, number)
            if number < first + games - 1:
                desk.close("another game was begun")
        return desk


def test_a_full_book_is_put_away_and_the_game_under_way_comes_along(tmp_path: Path) -> None:
    book = tmp_path / "journal.sqlite"
    desk = evenings(book, 1)
    before = desk.sitting.fingerprint()
    with Journal(book) as journal:
        times = [entry.at for entry in journal.entries("game-3")]
    assert tidy(book, 100 * 2**20, DAY) is None  # far from full
    away = tidy(book, 64 * KIB, DAY)
    assert away == tmp_path / "journal-20261121-000000.sqlite"
    with Journal(book) as fresh:
        fresh.verify()
        assert fresh.games() == ["game-3"]
        assert [entry.at for entry in fresh.entries()] == times
        assert Desk.resume(fresh, GAMES, VirtualClock()).sitting.fingerprint() == before
    with Journal(away) as old:
        old.verify()
        assert old.games() == ["game-1", "game-2", "game-3"]


def test_a_book_of_nothing_but_the_game_on_the_table_stays_in_its_place(tmp_path: Path) -> None:
    """A game that has ended may lie there for weeks: put away at every start, it would throw out all evenings."""
    book, most = tmp_path / "journal.sqlite", 400 * KIB
    evenings(book, 1, 2)
    with Journal(book) as journal:
        desk = new_ice_cult(journal, name="game-3")
        assert desk.note("filler", x="y" * 150 * KIB)
        desk.close("abandoned by host")
    put = tidy(book, most, DAY)
    assert put is not None
    for day in range(1, 4):
        assert tidy(book, most, DAY + timedelta(days=day)) is None
    assert shelf.shelf(book) == [put]
    evenings(book, 4, 1)
    assert tidy(book, most, DAY + timedelta(days=9)) is not None  # another one is on the table


def test_a_time_that_nothing_can_follow_is_no_time_of_a_book(tmp_path: Path) -> None:
    book = tmp_path / "journal.sqlite"
    odd = tmp_path / "journal-99991231-235959.sqlite"
    odd.write_bytes(b"somebody's own")
    evenings(book, 1)
    assert tidy(book, 64 * KIB, DAY) == tmp_path / "journal-20261121-000000.sqlite"
    assert odd.read_bytes() == b"somebody's own"


def test_a_book_is_never_put_in_the_place_of_another_file(tmp_path: Path) -> None:
    """The last time that counts on the shelf is followed by one that counts no more."""
    book = tmp_path / "journal.sqlite"
    last = [tmp_path / f"journal-{when}.sqlite" for when in ("99981231-235959", "99990101-000000")]
    for path in last:
        path.write_bytes(b"somebody's own")
    evenings(book, 1)
    assert tidy(book, 64 * KIB, DAY) == tmp_path / "journal-99990101-000001.sqlite"
    assert last[1].read_bytes() == b"somebody's own"


def test_all_books_together_stay_below_the_quota_and_the_oldest_goes_first(tmp_path: Path) -> None:
    book, most = tmp_path / "journal.sqlite", 160 * KIB
    put = []
    for month in range(9):
        evenings(book, 1 + 10 * month, 2)
        away = tidy(book, most, DAY + timedelta(days=30 * month))
        put += [away] if away is not None else []
        assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= most + 64 * KIB
    assert len(put) >= 4
    assert shelf.shelf(book) == put[-len(shelf.shelf(book)) :]
    assert put[0] not in shelf.shelf(book)


def test_a_clock_that_jumps_back_makes_no_new_book_the_oldest(tmp_path: Path) -> None:
    """Without a network a small computer may wake up in 1970: what was played tonight is not thrown out first."""
    book, most = tmp_path / "journal.sqlite", 100 * KIB
    for month in range(3):
        evenings(book, 1 + 10 * month)
        assert tidy(book, most, DAY + timedelta(days=30 * month)) is not None
    evenings(book, 71)
    away = tidy(book, most, datetime(1970, 1, 1, 0, 0, 30, tzinfo=UTC))
    assert away == shelf.shelf(book)[-1] == tmp_path / "journal-20270120-000001.sqlite"
    with Journal(away) as tonight:
        assert "game-73" in tonight.games()
    evenings(book, 81)
    assert tidy(book, most, DAY) == tmp_path / "journal-20270120-000002.sqlite"  # and in the same second


def test_a_book_behind_a_link_is_put_away_where_it_is(tmp_path: Path) -> None:
    """The link was put away in its place, and new games went to the disk that the book was moved from."""
    (tmp_path / "stick").mkdir()
    book, link = tmp_path / "stick" / "book.sqlite", tmp_path / "journal.sqlite"
    link.symlink_to(book)
    evenings(link, 1)
    away = tidy(link, 64 * KIB, DAY)
    assert away == book.with_name("book-20261121-000000.sqlite")
    assert link.is_symlink()
    assert book.is_file()
    assert shelf.shelf(link) == [away]
    with Journal(link) as fresh:
        assert fresh.games() == ["game-3"]


def test_a_copy_that_somebody_made_is_no_book_of_the_shelf(tmp_path: Path) -> None:
    book = tmp_path / "journal.sqlite"
    mine = [tmp_path / f"journal-{name}.sqlite" for name in ("2026-autumn", "1", "20269999-999999")]
    for copy in mine:
        copy.write_bytes(b"x" * 400 * KIB)
    for month in range(3):
        evenings(book, 1 + 10 * month)
        tidy(book, 160 * KIB, DAY + timedelta(days=30 * month))
    assert all(copy.exists() for copy in mine)
    assert not set(mine) & set(shelf.shelf(book))


@pytest.mark.parametrize("rename", [1, 2])
def test_a_plug_pulled_while_it_is_put_away_loses_nothing(
    tmp_path: Path, rename: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = tmp_path / "journal.sqlite"
    before = evenings(book, 1).sitting.fingerprint()
    replace, count = Path.replace, [0]

    def pulled(self: Path, target: Path) -> Path:
        count[0] += 1
        if count[0] == rename:
            raise KeyboardInterrupt
        return replace(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", pulled)
        with pytest.raises(KeyboardInterrupt):
            tidy(book, 64 * KIB, DAY)
    tidied(book, 64 * KIB)
    with Journal(book) as journal:
        journal.verify()
        assert Desk.resume(journal, GAMES, VirtualClock()).sitting.fingerprint() == before
    assert len(shelf.shelf(book)) == 1


def test_events_that_wait_for_a_broker_come_along(tmp_path: Path) -> None:
    """Under the name and the numbers that they have, so that a hub takes them as it would have."""
    book = tmp_path / "journal.sqlite"
    with Journal(book) as journal:
        outbox = journal.open_outbox()
        new_ice_cult(journal).close("another game was begun")
        desk = new_ice_cult(journal, name="game-2")
        play_on(desk, 10)
        outbox.reach(3)
        before = outbox.after(0, 1000)
        assert len(before) > 5
    assert tidy(book, 64 * KIB, DAY) is not None
    with Journal(book) as journal:
        after = journal.open_outbox()
        assert (after.book, after.reached, after.newest) == (outbox.book, 3, outbox.newest)
        assert after.after(0, 1000) == before
        assert play_on(Desk.resume(journal, GAMES, VirtualClock()), 1)
        assert after.newest == outbox.newest + 1


def test_a_broker_that_was_never_there_fills_no_book(tmp_path: Path) -> None:
    """Of the events that wait the newest come along, as many as leave room to play; nobody has to wait for a broker."""
    book, most = tmp_path / "journal.sqlite", 512 * KIB
    with Journal(book) as journal:
        journal.open_outbox()
        new_ice_cult(journal)
        for _ in range(400):
            journal.append("club", "note", {}, {"said": ["x" * 400]})
    assert tidy(book, most, DAY) is not None
    with Journal(book) as journal:
        outbox = journal.open_outbox()
        assert outbox.newest == 401
        assert 100 < outbox.oldest < 300
        assert outbox.after(0, 1)[0].n == outbox.oldest
    assert tidy(book, most, DAY) is None


def test_a_broker_that_was_never_there_fills_no_book_of_one_long_game(tmp_path: Path) -> None:
    book, most = tmp_path / "journal.sqlite", 512 * KIB
    with Journal(book) as journal:
        journal.open_outbox()
        desk = new_ice_cult(journal)
        for _ in range(400):
            journal.append(desk.name, "note", {}, {"said": ["x" * 400]})
    assert tidy(book, most, DAY) is not None
    with Journal(book) as journal:
        assert 100 < journal.open_outbox().oldest < 300
    assert tidy(book, most, DAY) is None


def test_an_event_larger_than_all_the_room_keeps_its_number(tmp_path: Path) -> None:
    book = tmp_path / "journal.sqlite"
    with Journal(book) as journal:
        journal.open_outbox()
        new_ice_cult(journal)
        journal.append("club", "note", {}, {"said": ["x" * 40 * KIB]})
    assert tidy(book, 64 * KIB, DAY) is not None
    with Journal(book) as journal:
        assert (journal.open_outbox().oldest, journal.open_outbox().newest) == (2, 2)


@pytest.mark.parametrize("kib", [60, 9, 3, 0])
def test_a_quota_is_told_as_one_however_large_the_entry(tmp_path: Path, kib: int) -> None:
    """There is room on the disk; what helps is another start, or more of it."""
    with Journal(tmp_path / "journal.sqlite", most_bytes=512 * KIB) as journal:
        desk = new_ice_cult(journal)
        while desk.note("filler", x="y" * kib * KIB):
            pass
        assert "has reached its quota" in desk.said[-1].text
        assert "start the table again" in desk.said[-1].text


def test_the_quota_is_kept_when_writing_and_says_what_to_do(tmp_path: Path) -> None:
    book = tmp_path / "journal.sqlite"
    with Journal(book, most_bytes=64 * KIB) as journal:
        desk = new_ice_cult(journal)
        with pytest.raises(JournalFull, match=r"quota of 0 MiB.*put away") as caught:
            fill(journal, desk.name)
        assert "\n" not in str(caught.value)
        assert desk.play("tilt n>S") is False  # refused with the same sentence, and nothing has changed
        assert "quota" in desk.said[-1].text
        journal.verify()
    assert book.stat().st_size <= 64 * KIB
    tidied(book, 256 * KIB - 1)
    with Journal(book, most_bytes=128 * KIB) as journal:
        assert Desk.resume(journal, GAMES, VirtualClock()).play("tilt n>S")  # it has room


async def test_a_month_of_evenings_leaves_memory_flat(tmp_path: Path) -> None:
    """Every evening the table is switched on, plays whole games with refusals and corrections, and is switched off."""
    book = tmp_path / "journal.sqlite"
    settings, sizes = Settings.read(None), list[int]()
    tracemalloc.start()
    try:
        for evening in range(proof(5, 30)):
            clock = VirtualClock()
            room = TableRoom(settings, clock, Journal(tidied(book, 4 * 2**20)), Access(clock, lan=False))
            room.start()
            for game in range(proof(1, 6)):
                desk = room.new_game("ice-cult", ("yellow", "red"), {})
                stroll(desk, 20, 100 * evening + game)
                desk.play("tilt n>N", None)
                desk.undo()
                await clock.advance(120.0)
            await room.stop()
            del room, desk
            gc.collect()
            sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert sizes[-1] - sizes[1] < 64 * KIB, sizes  # after the first evenings every cache is filled


async def test_one_evening_that_never_ends_leaves_memory_flat() -> None:
    """A club's table that is never switched off: hundreds of games in one run."""
    clock = VirtualClock()
    room = TableRoom(Settings.read(None), clock, Journal(None), Access(clock, lan=False))
    sizes = []
    tracemalloc.start()
    try:
        for game in range(proof(30, 300)):
            desk = room.new_game("ice-cult", ("yellow", "red"), {})
            stroll(desk, 20, game)
            if game % 10 == 9:
                gc.collect()
                sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
        await room.stop()
    assert sizes[-1] - sizes[0] < 64 * KIB, sizes
