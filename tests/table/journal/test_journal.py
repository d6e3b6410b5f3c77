"""The journal: durable first, append-only, and a record that replays to the same verdicts."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from table.games import GAMES
from table.journal.errors import (
    JournalBusy,
    JournalDamaged,
    JournalError,
    JournalReadOnly,
    JournalTooNew,
    ReplayDiffers,
    from_sqlite,
)
from table.journal.fold import fold
from table.journal.holding import Hold
from table.journal.replay import export, read_export, replay
from table.journal.store import Journal
from tests.table.games import new_ice_cult, play_on


def test_a_game_that_was_played_is_found_again_as_it_stood(tmp_path: Path) -> None:
    file = tmp_path / "book.sqlite"
    desk = new_ice_cult(file)
    play_on(desk, 12)
    desk.undo()
    with Journal(file) as again:
        sitting = fold(again.entries("evening-1"), GAMES)
        assert sitting.state == desk.sitting.state
        assert [s.move for s in sitting.undone] == [s.move for s in desk.sitting.undone]
        assert again.verify() == 14  # the set-up, twelve moves, one taken back


def test_every_commit_waits_for_the_disk(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "book.sqlite")
    assert journal._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL


@pytest.mark.parametrize("statement", ["UPDATE entries SET kind = 'note'", "DELETE FROM entries"])
def test_entries_can_be_neither_changed_nor_deleted(tmp_path: Path, statement: str) -> None:
    file = tmp_path / "book.sqlite"
    play_on(new_ice_cult(file), 3)
    with sqlite3.connect(file) as db, pytest.raises(sqlite3.IntegrityError, match="append-only"):
        db.execute(statement)


def test_a_line_changed_behind_our_back_is_named(tmp_path: Path) -> None:
    file = tmp_path / "book.sqlite"
    play_on(new_ice_cult(file), 6)
    with sqlite3.connect(file) as db:
        db.executescript('DROP TRIGGER no_change; UPDATE entries SET body = \'{"move":"end"}\' WHERE seq = 4')
    with Journal(file) as journal, pytest.raises(JournalDamaged, match=r"entry 4 .* was changed"):
        journal.verify()


def test_a_record_replays_to_the_same_verdicts_refusals_included(tmp_path: Path) -> None:
    desk = new_ice_cult()
    play_on(desk, 5)
    assert not desk.play("tilt n>Q")
    assert not desk.play("end", "red" if desk.view(None)["to_act"] == ["yellow"] else "yellow")
    play_on(desk, 200)
    file = tmp_path / "game.jsonl"
    file.write_text("\n".join(export(desk._journal.entries())), encoding="utf-8")
    sitting = replay(read_export(file), GAMES)
    assert sitting.over == desk.sitting.over is not None


def test_a_record_that_was_touched_up_does_not_replay(tmp_path: Path) -> None:
    desk = new_ice_cult()
    play_on(desk, 8)
    lines = [json.loads(line) for line in export(desk._journal.entries())]
    moves = [line for line in lines if line["kind"] == "play"]
    first = moves[0]["body"]
    first["move"] = "tilt e>E" if first["move"] != "tilt e>E" else "tilt e>W"
    file = tmp_path / "game.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    with pytest.raises(ReplayDiffers):
        replay(read_export(file), GAMES)


def changed(tmp_path: Path, kind: str, **body: object) -> Path:
    """The record of a short game with a refusal, its last entry of that kind changed."""
    desk = new_ice_cult()
    assert not desk.play("tilt w")
    play_on(desk, 3)
    lines = [json.loads(line) for line in export(desk._journal.entries())]
    [line for line in lines if line["kind"] == kind][-1]["body"].update(body)
    file = tmp_path / "game.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return file


@pytest.mark.parametrize("move", [5, None, [], {}])
def test_an_entry_whose_move_is_no_text_is_named_and_what_python_says_of_it_is_not(
    tmp_path: Path, move: object
) -> None:
    with pytest.raises(JournalDamaged) as told:
        replay(read_export(changed(tmp_path, "play", move=move)), GAMES)
    assert told.value.cause == "entry 5 (play) is not as the journal writes such entries"


@pytest.mark.parametrize(
    ("kind", "rule", "how"),
    [
        ("illegal", "IC-7", "illegal by IC-7"),
        ("unreadable", None, "unreadable"),
        (None, None, "nothing known"),
    ],
)
def test_a_refusal_of_another_kind_is_named_by_both_kinds(
    tmp_path: Path, kind: str | None, rule: str | None, how: str
) -> None:
    with pytest.raises(ReplayDiffers) as told:
        replay(read_export(changed(tmp_path, "refused", error={"kind": kind, "rule": rule})), GAMES)
    assert told.value.cause == f"entry 2 was refused as {how} and is now refused as ambiguous"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "line 1 of"),
        ('{"kind":"play"}', "line 1 of"),
        ("[]\n", "line 1 of"),
        ('{"kind":"dance","body":{}}', "line 1 of"),
    ],
)
def test_a_file_that_is_no_record_is_refused_in_one_sentence(
    tmp_path: Path, content: str, words: str
) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(JournalDamaged, match=words):
        list(read_export(file))


def test_other_peoples_files_and_later_versions_are_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "photos.sqlite"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE photos (name TEXT)")
    with pytest.raises(JournalDamaged, match="a database of something else"):
        Journal(other)
    (tmp_path / "notes.txt").write_text("not a database at all, but long enough to look at")
    with pytest.raises(JournalDamaged):
        Journal(tmp_path / "notes.txt")
    file = tmp_path / "book.sqlite"
    Journal(file).close()
    with sqlite3.connect(file) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(JournalTooNew, match="later Polartable"):
        Journal(file)


def test_one_service_serves_a_book(tmp_path: Path) -> None:
    """The second one would show a board that grows stale. A lock that is left on the disk holds nothing."""
    book = tmp_path / "new" / "book.sqlite"
    first = Hold(book)
    with pytest.raises(JournalBusy, match=r"another Polartable serves .*book\.sqlite"):
        Hold(book)
    Hold(book.with_name("other.sqlite")).close()
    first.close()
    first.close()
    Hold(book).close()
    assert book.with_name("book.sqlite.lock").exists()
    with Journal(book) as one, Journal(book) as other:  # whoever only looks needs no hold
        assert one.games() == other.games() == []


def test_a_book_behind_a_link_is_one_book(tmp_path: Path) -> None:
    """Two locks beside two names of one book let two services at it."""
    (tmp_path / "stick").mkdir()
    book, link = tmp_path / "stick" / "book.sqlite", tmp_path / "book.sqlite"
    link.symlink_to(book)  # whose book is not there yet
    held = Hold(link)
    with pytest.raises(JournalBusy, match=r"another Polartable serves"):
        Hold(book)
    held.close()


def test_a_disk_behind_a_link_that_is_not_mounted_gets_no_folder(tmp_path: Path) -> None:
    """The evening's games would seem to be gone, and the disk would hide the new ones when it is mounted."""
    link = tmp_path / "book.sqlite"
    link.symlink_to(tmp_path / "stick" / "book.sqlite")
    Hold(link).close()
    with pytest.raises(JournalReadOnly, match="may not be written"):
        Journal(link)
    assert not (tmp_path / "stick").exists()
    circle = tmp_path / "circle.sqlite"
    circle.symlink_to(circle)
    Hold(circle).close()
    with pytest.raises(JournalError):
        Journal(circle)


def test_where_no_lock_can_be_kept_the_book_speaks_for_itself(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    Hold(tmp_path / "file" / "book.sqlite").close()


def test_a_folder_is_no_book(tmp_path: Path) -> None:
    with pytest.raises(JournalReadOnly, match="is a folder – name a file in it"):
        Journal(tmp_path)


def test_a_fault_is_said_also_where_the_folder_may_not_be_looked_into(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def barred(self: Path, **_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "stat", barred)
    error = from_sqlite(sqlite3.OperationalError("unable to open database file"), "/data/book.sqlite")
    assert isinstance(error, JournalReadOnly)


def test_a_folder_that_may_not_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalReadOnly, match="may not be written"):
        Journal(tmp_path / "file" / "book.sqlite")


def test_one_record_stands_where_two_tables_write_the_same_book(tmp_path: Path) -> None:
    """The second table's line is refused, not written over the first one's."""
    file = tmp_path / "book.sqlite"
    first = new_ice_cult(file)
    second = new_ice_cult(Journal(file), name="evening-2")
    assert second.play("tilt n>S")
    assert not first.play("tilt n>S")
    assert first.said[-1].tone == "fault"
    assert "another process" in first.said[-1].text
    assert first.sitting.steps == ()
    assert Journal(file).verify() == 3
