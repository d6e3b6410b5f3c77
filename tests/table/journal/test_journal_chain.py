"""`polartable journal replay` follows the chain from game to game of a record, and of a book."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from table.journal.entries import canonical
from table.journal.store import Journal
from tests.table.games import new_ice_cult, play_on
from tests.table.journal.journal_command import said
from tests.table.journal.spoiled_books import bend


def two_games(file: Path) -> list[dict[str, Any]]:
    """A book of two games, one after the other; its entries."""
    with Journal(file) as kept:
        for game in ("game-1", "game-2"):
            play_on(new_ice_cult(kept, name=game), 3)
        return [entry.to_json() for entry in kept.entries()]


def test_the_first_line_of_every_game_of_a_record_is_followed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = two_games(tmp_path / "book.sqlite")
    file = tmp_path / "two.jsonl"
    file.write_text("\n".join(map(json.dumps, entries)))
    assert said(capsys, "replay", str(file))[0] == 0
    first = next(e for e in entries if e["game"] == "game-2")
    first["at"] = "2020-01-01T00:00:00.000+00:00"
    file.write_text("\n".join(map(json.dumps, entries)))
    code, lines, error = said(capsys, "replay", str(file))
    assert (code, [line.partition(":")[0] for line in lines]) == (1, ["game-1"])
    assert error.startswith(f"polartable: game-2: PT-603: entry {first['seq']} was changed after it was")
    # whatever came of the game before it
    next(e for e in entries if e["kind"] == "play")["body"]["after"] = "0" * 16
    file.write_text("\n".join(map(json.dumps, entries)))
    code, lines, error = said(capsys, "replay", str(file))
    assert (code, lines) == (1, [])
    assert [line[:27] for line in error.splitlines()] == [
        "polartable: game-1: PT-607:", "polartable: game-2: PT-603:",
    ]  # fmt: skip


def test_what_is_wrong_with_one_game_is_not_told_of_the_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = two_games(tmp_path / "book.sqlite")
    next(e for e in entries if e["kind"] == "play")["body"]["by"] = "ear"
    file = tmp_path / "two.jsonl"
    file.write_text("\n".join(map(json.dumps, entries)))
    code, lines, error = said(capsys, "replay", str(file))
    assert (code, [line.partition(":")[0] for line in lines]) == (1, ["game-2"])
    assert [line[:27] for line in error.splitlines()] == ["polartable: game-1: PT-603:"]


def test_games_of_a_record_stand_in_any_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two exports that were put into one file, of one book or of two."""
    entries = two_games(tmp_path / "book.sqlite")
    one, other = ([e for e in entries if e["game"] == game] for game in ("game-1", "game-2"))
    file = tmp_path / "two.jsonl"
    for order in (other + one, one + one, other + other):
        file.write_text("\n".join(map(json.dumps, order)))
        assert said(capsys, "replay", str(file))[0] == 0
    one[0]["at"] = "2020-01-01T00:00:00.000+00:00"
    file.write_text("\n".join(map(json.dumps, other + one)))
    assert "game-1: PT-603: entry 1 was changed after it was" in said(capsys, "replay", str(file))[2]


def test_lines_of_one_game_that_changed_places_or_stand_there_twice_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book, file = tmp_path / "book.sqlite", tmp_path / "one.jsonl"
    with Journal(book) as kept:
        play_on(new_ice_cult(kept, name="game-1"), 3)
        for seat in ("red", "yellow"):
            kept.append("game-1", "note", {"note": "seat", "by": seat})
        entries = [entry.to_json() for entry in kept.entries()]
    *rest, one, other = entries
    for last in ([other, one], [one, other, one], [one, one, other]):
        file.write_text("\n".join(map(json.dumps, [*rest, *last])))
        code, _, error = said(capsys, "replay", str(file))
        assert code == 1
        assert f"PT-603: entry {one['seq']} was changed" in error


def test_of_several_lines_that_were_changed_the_first_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The entries before it are sound."""
    entries = two_games(tmp_path / "book.sqlite")
    first, *_, last = [e for e in entries if e["game"] == "game-1"]
    first["at"] = last["at"] = "2020-01-01T00:00:00.000+00:00"
    file = tmp_path / "two.jsonl"
    file.write_text("\n".join(map(json.dumps, entries)))
    code, _, error = said(capsys, "replay", str(file))
    assert code == 1
    assert f"PT-603: entry {first['seq']} was changed" in error


@pytest.mark.parametrize("which", [0, 1])
def test_a_line_of_the_book_is_followed_where_the_one_before_is_of_another_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], which: int
) -> None:
    """The first one of a game, and one that another game came between."""
    book = tmp_path / "book.sqlite"
    two_games(book)
    with Journal(book) as kept:
        kept.append("game-1", "note", {"note": "seat", "by": "red"})
        kept.append("game-2", "note", {"note": "seat", "by": "red"})
        entry = [e for e in kept.entries("game-2") if e.kind in ("new", "note")][-which]
    assert said(capsys, "replay", "game-2", "--journal", str(book))[0] == 0
    bend(book, entry.seq, canonical({**entry.body, "by": "yellow"}))
    code, lines, error = said(capsys, "replay", "game-2", "--journal", str(book))
    assert (code, lines, len(error.splitlines())) == (1, [], 1)
    assert f"PT-603: entry {entry.seq} was changed" in error


def test_no_other_version_is_asked_for_where_a_line_was_changed_or_stands_there_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = [e for e in two_games(tmp_path / "book.sqlite") if e["game"] == "game-1"]
    file, first = tmp_path / "one.jsonl", next(e for e in entries if e["kind"] == "play")
    at, mend = entries.index(first), "compare it with another copy of the record"
    other = json.loads(json.dumps(first))
    other["body"]["move"] = "abandon"
    for wrong in ([*entries[:at], other, *entries[at + 1 :]], [*entries[: at + 1], *entries[at:]]):
        file.write_text("\n".join(map(json.dumps, wrong)))
        code, _, error = said(capsys, "replay", str(file))
        assert code == 1
        assert "PT-607: " in error
        assert (
            f"entry {first['seq']} was changed after it was written, or stands there twice: {mend}" in error
        )
        assert "version" not in error
