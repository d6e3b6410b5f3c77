"""`save` in the terminal: whole or not at all, and over nothing that would be lost."""

from __future__ import annotations

import io
import json
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules import games
from rules.protocol.timeline import Timeline
from table.terminal.play import Play, Screen
from tests.table.games import new_ice_cult


@pytest.fixture
def said() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def table(said: io.StringIO) -> Play:
    timeline = Timeline.new(games.game("ice-cult"), ["yellow", "red"], 1, {})
    return Play(timeline, Screen(file=said, width=400))


@pytest.fixture
def little_room() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_an_older_record_stays_where_there_is_no_room_for_the_new_one(
    table: Play, said: io.StringIO, tmp_path: Path, little_room: None
) -> None:
    old = tmp_path / "old.json"
    old.write_text('{"a": "record"}')
    assert table.hear(f"save {old}")
    assert "cannot be written" in said.getvalue()
    assert "File too large" in said.getvalue()
    assert old.read_text() == '{"a": "record"}'
    assert [file.name for file in tmp_path.iterdir()] == ["old.json"]


def test_a_journal_is_never_written_over(table: Play, said: io.StringIO, tmp_path: Path) -> None:
    book = tmp_path / "book.sqlite"
    new_ice_cult(book)._journal.into_one_file()
    before = book.read_bytes()
    assert table.hear(f"save {book}")
    assert "is a journal" in said.getvalue()
    assert book.read_bytes() == before


@pytest.mark.parametrize("name", ["\0x", "x" * 300, ".", "/dev/full"])
def test_a_name_that_is_none_ends_no_game(table: Play, said: io.StringIO, name: str) -> None:
    assert table.hear(f"save {name}")
    assert "the record is in" not in said.getvalue()
    assert "name another file" in said.getvalue()
    assert table.hear("score")


def test_a_record_is_written_and_written_again(table: Play, said: io.StringIO, tmp_path: Path) -> None:
    file = tmp_path / "evening one.json"
    for move in ("tilt n>N", "tilt w>W"):
        table.hear(move)
        table.hear(f"save {file}")
    assert len(json.loads(file.read_text())["moves"]) == 2
    assert said.getvalue().count(f"the record is in {file}") == 2
