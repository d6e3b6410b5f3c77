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
    old.write_text(older := '{"format": 1, "game": "ice-cult"}')
    assert table.hear(f"save {old}")
    assert "cannot be written" in said.getvalue()
    assert "File too large" in said.getvalue()
    assert old.read_text() == older
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
    assert "name another file" in said.getvalue() or "name a file in a folder" in said.getvalue()
    assert table.hear("score")


@pytest.mark.parametrize(
    "begins",
    [
        b'{"file": "D01/s3/0007.wav", "sensor": "microphone", "beads": 7}\n',
        b'{"format":"polartable-ear-profile","version":1}',
        b'{"seq": 1, "game": "game-1", "kind": "new"}\n',
        b"RIFF\x24\x00\x00\x00WAVE",
        b"[journal]\nfile = 1\n",
    ],
    ids=["recordings", "profile", "export", "sound", "settings"],
)
def test_what_is_no_record_is_never_written_over(
    table: Play, said: io.StringIO, tmp_path: Path, begins: bytes
) -> None:
    other = tmp_path / "mine"
    other.write_bytes(begins)
    assert table.hear(f"save {other}")
    assert "what is there is something else, and would be lost" in said.getvalue()
    assert other.read_bytes() == begins
    assert table.hear("score")


def test_a_folder_that_is_not_there_is_told_and_not_made(
    table: Play, said: io.StringIO, tmp_path: Path
) -> None:
    assert table.hear(f"save {tmp_path / 'evnings' / 'one.json'}")
    assert f"there is no folder {tmp_path / 'evnings'}" in said.getvalue()
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    "older",
    [
        "",
        '{"format":1,"game":"igloo"}',
        '{\n    "format": 1,\n "game": "igloo"}',
        '\ufeff{"format":1,"game":"igloo"}',
    ],
)
def test_an_empty_file_and_a_record_however_it_was_laid_out_are_replaced(
    table: Play, said: io.StringIO, tmp_path: Path, older: str
) -> None:
    file = tmp_path / "evening.json"
    file.write_text(older)
    assert table.hear(f"save {file}")
    assert json.loads(file.read_text())["game"] == "ice-cult"


def test_a_record_is_written_and_written_again(table: Play, said: io.StringIO, tmp_path: Path) -> None:
    file = tmp_path / "evening one.json"
    for move in ("tilt n>N", "tilt w>W"):
        table.hear(move)
        table.hear(f"save {file}")
    assert len(json.loads(file.read_text())["moves"]) == 2
    assert said.getvalue().count(f"the record is in {file}") == 2
