"""A journal with a line that is none of ours: every command says so in a sentence, and shows what it can."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from table.journal.errors import JournalDamaged
from table.journal.replay import read_export
from table.journal.store import Journal
from tests.table.games import new_ice_cult, play_on
from tests.table.journal.journal_command import said
from tests.table.journal.spoiled_books import bend

COMMANDS = (["list"], ["show", "evening-1"], ["verify"], ["export", "evening-1"], ["replay", "evening-1"])
DEEP = "[" * 100_000 + "]" * 100_000
# what each kind of entry holds, in the order in which the book below was written
KEYS = {
    1: ("game", "players", "seed", "options", "after"),
    2: ("move", "seat", "by", "after"),
    3: ("move", "seat", "error", "at"),
    5: ("by", "move", "after"),
    6: ("by", "move", "after"),
    7: ("at", "move", "was", "dropped", "by"),
    8: ("note", "seat"),
    9: ("why",),
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One entry of every kind."""
    file = tmp_path_factory.mktemp("sound") / "book.sqlite"
    desk = new_ice_cult(file)
    desk.play("tilt n>S")
    desk.play("tilt n>Q")
    desk.play("tilt s>N")
    desk.undo()
    desk.redo()
    assert desk.correct(0, "tilt n>N")
    desk.seat("red", "taken")
    desk.close("late")
    desk._journal.into_one_file()
    return file


@pytest.fixture
def book(sound: Path, tmp_path: Path) -> Path:
    """A test's own copy of it."""
    return Path(shutil.copy(sound, tmp_path))


def in_a_sentence(book: Path, capsys: pytest.CaptureFixture[str]) -> list[int]:
    """The exit codes of all commands, none of which met anything unforeseen."""
    codes = []
    for command in COMMANDS:
        code, _, error = said(capsys, *command, "--journal", str(book))
        assert "PT-100" not in error, (command, error)
        assert len(error.splitlines()) == (0 if code == 0 else 1)
        codes.append(code)
    return codes


def test_the_book_is_sound_as_long_as_nobody_touches_it(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(book) as journal:
        kinds = [entry.kind for entry in journal.entries()]
    assert kinds == ["new", "play", "refused", "play", "undo", "redo", "correct", "note", "close"]
    assert in_a_sentence(book, capsys) == [0] * len(COMMANDS)


@pytest.mark.parametrize("value", [None, 5, "x", [1], {"a": 1}, -(10**30), 1.5, True])
@pytest.mark.parametrize("seq", KEYS)
def test_a_value_of_another_kind(
    book: Path, seq: int, value: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(book) as journal:
        was = next(entry.body for entry in journal.entries() if entry.seq == seq)
    for key in KEYS[seq]:
        bend(book, seq, json.dumps({**was, key: value}))
        in_a_sentence(book, capsys)
        bend(book, seq, json.dumps({k: v for k, v in was.items() if k != key}))
        in_a_sentence(book, capsys)


@pytest.mark.parametrize(
    "body", [DEEP, '{"move":' + DEEP + "}", "[]", "null", "", "{", '{"move": NaN}', "\0" * 40]
)
def test_a_body_that_is_none(book: Path, body: str, capsys: pytest.CaptureFixture[str]) -> None:
    bend(book, 2, body)
    assert 2 in in_a_sentence(book, capsys)


def test_a_page_of_the_file_that_is_all_zeros(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As cards leave them that lost a block."""
    size = book.stat().st_size
    for start in range(4096, size, 4096):
        whole = book.read_bytes()
        book.write_bytes(whole[:start] + bytes(4096) + whole[start + 4096 :])
        in_a_sentence(book, capsys)
        book.write_bytes(whole)


def test_half_a_character_is_kept_as_it_was_said(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """JSON can name what UTF-8 cannot hold."""
    bend(book, 2, '{"by": "hand", "move": "tilt \\ud800", "seat": null}')
    codes = in_a_sentence(book, capsys)
    assert codes[2] == 1  # it was changed behind our back
    with Journal(None) as journal:
        journal.tell()
        journal.append("g", "note", {"note": "\ud800é"}, {"said": ["\udfff"]})
        assert next(journal.entries()).body == {"note": "\ud800é"}
        assert journal.verify() == 1


def test_a_record_keeps_it_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = tmp_path / "book.sqlite", tmp_path / "game.jsonl"
    desk = new_ice_cult(file)
    assert not desk.play("tilt \ud800")
    play_on(desk, 2)
    desk._journal.close()
    code, _, _ = said(capsys, "export", "evening-1", "--journal", str(file), "--out", str(out))
    assert code == 0
    assert [entry.body.get("move") for entry in read_export(out)][1] == "tilt \ud800"
    assert in_a_sentence(file, capsys) == [0] * len(COMMANDS)


def test_what_stands_in_no_column_is_damage(book: Path) -> None:
    with sqlite3.connect(book) as db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute(
            "UPDATE sqlite_master SET sql = replace(replace(sql, ' NOT NULL', ''), 'STRICT', '') WHERE name = 'entries'"
        )
    db.close()
    for column in ("body", "game", "kind", "at", "chain"):
        with sqlite3.connect(book) as db:
            db.execute("DROP TRIGGER IF EXISTS no_change")
            was = db.execute(f"SELECT {column} FROM entries WHERE seq = 2").fetchone()[0]
            db.execute(f"UPDATE entries SET {column} = NULL WHERE seq = 2")
        db.close()
        with Journal(book) as journal, pytest.raises(JournalDamaged, match="entry 2"):
            journal.verify()
        with sqlite3.connect(book) as db:
            db.execute(f"UPDATE entries SET {column} = ? WHERE seq = 2", (was,))
        db.close()


# a program asks whether the book is sound


def test_a_book_that_was_changed_is_told_from_one_that_is_not_there(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(capsys, "verify", "--journal", str(book.with_name("bok.sqlite")), "--json")[0] == 2
    bend(book, 2, '{"move": "end"}')
    code, lines, error = said(capsys, "verify", "--journal", str(book), "--json")
    assert (code, error) == (1, "")
    line = json.loads(lines[0])
    assert (line["sound"], line["number"]) == (False, 603)
    assert line["text"].startswith("entry 2 of ")
    code, lines, error = said(capsys, "verify", "--journal", str(book))
    assert (code, lines) == (1, [])
    assert error.startswith("polartable: PT-603: entry 2 of ")


def test_a_verdict_that_comes_out_otherwise_is_no_sound_book(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its chain is whole, as if another version had judged."""
    file = tmp_path / "book.sqlite"
    desk = new_ice_cult(file)
    desk.play("tilt n>S")
    desk._journal.append(
        desk.name, "play", {"move": "tilt w>E", "seat": "yellow", "by": "hand", "after": "x"}
    )
    code, lines, _ = said(capsys, "verify", "--journal", str(file), "--json")
    assert code == 1
    assert [json.loads(line)["number"] for line in lines] == [607]


def test_a_file_that_is_no_journal_is_no_sound_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.sqlite"
    file.write_text("no database at all\n" * 100)
    assert said(capsys, "verify", "--journal", str(file))[0] == 1
