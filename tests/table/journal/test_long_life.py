"""Years of evenings: the book never outgrows its quota, and nothing under way is lost."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from firmware_bridge.clock import VirtualClock
from table.desk.desk import Desk
from table.games import GAMES
from table.journal import shelf
from table.journal.errors import JournalFull
from table.journal.shelf import tidied, tidy
from table.journal.store import Journal
from tests.table.games import new_ice_cult, stroll

KIB = 1024
DAY = datetime(2026, 11, 21, tzinfo=UTC)


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
