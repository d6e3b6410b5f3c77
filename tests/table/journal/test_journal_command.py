"""`polartable journal`: what was played, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from table.last_good import keep, load
from tests.table.games import new_ice_cult
from tests.table.journal.journal_command import said


def test_games_are_listed_and_shown(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, _ = said(capsys, "list", "--journal", str(book), "--json")
    assert code == 0
    game = json.loads(lines[0])
    assert game["game"] == "evening-1"
    assert game["kind"] == "ice-cult"
    assert game["result"].endswith(("wins", "share the victory"))
    code, lines, _ = said(capsys, "show", "evening-1", "--journal", str(book))
    assert code == 0
    refused = [line for line in lines if "tilt n>Q refused" in line]
    assert [line.rpartition("; ")[2] for line in refused] == ["w, e to E or W)"]  # no rule is behind it
    assert any("undo " in line and "[host]" in line for line in lines)
    assert any(line.endswith("note agreed: agreed red and yellow, by red, what undo") for line in lines)


def test_the_book_that_the_settings_name_is_read(
    book: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = book.with_name("table.toml")
    settings.write_text(f'[journal]\nfile = "{book}"\n')
    monkeypatch.setenv("POLARTABLE_DATA", str(book.parent / "elsewhere"))
    monkeypatch.setenv("POLARTABLE_CONFIG", str(settings))
    assert said(capsys, "list")[1][0].startswith("evening-1")
    monkeypatch.delenv("POLARTABLE_CONFIG")
    assert said(capsys, "list")[0] == 2
    assert said(capsys, "list", "--config", str(settings))[1][0].startswith("evening-1")


def test_settings_that_cannot_be_meant_do_not_shut_the_book(
    book: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = book.with_name("table.toml")
    settings.write_text(f'[journal]\nfile = "{book}"\n')
    monkeypatch.setenv("POLARTABLE_DATA", str(book.parent))
    good = load(settings)
    settings.write_text(f'[journal]\nfiel = "{book}"\n')
    code, _, error = said(capsys, "list", "--config", str(settings))
    assert code == 2
    assert "--journal" in error
    keep(good)
    assert said(capsys, "list", "--config", str(settings))[1][0].startswith("evening-1")


def test_a_single_move_is_one_move(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = tmp_path / "book.sqlite"
    new_ice_cult(book).play("tilt n>S")
    (line,) = said(capsys, "list", "--journal", str(book))[1]
    assert "  1 move  " in line
    (line,) = said(capsys, "replay", "evening-1", "--journal", str(book))[1]
    assert line.startswith("1 move, the same verdicts")


def test_moves_have_the_numbers_by_which_they_are_put_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page's list, “Corrected: step 1 is …” and this list count alike; set-up, refusals and notes count nothing."""
    file = tmp_path / "book.sqlite"
    desk = new_ice_cult(file)
    desk.play("tilt n>Q")
    desk.play("tilt n>S")
    desk.play("tilt w>E")
    desk.undo()
    desk.redo()
    desk.undo()
    desk.play("tilt w>W")
    desk.correct(0, "tilt s>S")
    _, lines, _ = said(capsys, "show", "evening-1", "--journal", str(file))
    told = [line.strip().split("  ")[2] for line in lines]
    assert told[0].startswith("ice-cult for")
    assert told[1].startswith("tilt n>Q refused")
    assert told[2:] == [
        "step 1: tilt n>S",
        "step 2: tilt w>E",
        "undo step 2: tilt w>E",
        "redo step 2: tilt w>E",
        "undo step 2: tilt w>E",
        "step 2: tilt w>W",
        "step 1 is tilt s>S, not tilt n>S",
    ]


def test_after_a_correction_the_count_goes_on_from_what_still_fitted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "book.sqlite"
    desk = new_ice_cult(file)
    for move in ("tilt n>S", "tilt n>S", "tilt n>N"):
        desk.play(move)
    desk.correct(0, "tilt n>N")  # the second tilt would undo it, and is to be made again
    assert len(desk.sitting.steps) == 1
    desk.play("tilt w>W")
    _, lines, _ = said(capsys, "show", "evening-1", "--journal", str(file))
    assert "step 2: tilt w>W" in lines[-1]


def test_a_list_of_one_is_counted_as_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "book.sqlite"
    new_ice_cult(file)
    assert said(capsys, "verify", "--journal", str(file))[1] == ["1 entry of 1 game, all sound"]


@pytest.mark.parametrize(
    ("arguments", "number"),
    [
        (["list"], "PT-606"),
        (["show", "nothing"], "PT-606"),
        (["export", "nothing"], "PT-606"),
        (["replay", "x"], "PT-606"),
    ],
)
def test_what_is_not_there_is_exit_2_and_one_sentence(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], number: str
) -> None:
    file = tmp_path / "missing.sqlite" if arguments == ["list"] else book
    code, lines, error = said(capsys, *arguments, "--journal", str(file))
    assert code == 2
    assert lines == []
    assert error.startswith(f"polartable: {number}: ")
    assert len(error.splitlines()) == 1


def test_what_is_neither_file_nor_game_is_named(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "missing.sqlite"
    for journal in (book, missing):
        code, _, error = said(capsys, "replay", "nosuch.jsonl", "--journal", str(journal))
        assert code == 2
        assert error.startswith("polartable: PT-606: 'nosuch.jsonl' is no file")
        assert str(journal) in error


@pytest.mark.parametrize("command", ["show", "export"])
def test_the_examples_name_a_game_as_tables_name_theirs(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"polartable journal {command} game-1" in " ".join(said(capsys, command, "--help")[1])


@pytest.mark.parametrize("command", ["list", "show evening-1", "verify", "replay evening-1"])
def test_what_is_no_journal_is_told_as_that_and_stays_as_it_was(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty.sqlite"
    empty.touch()
    for file, why in (
        (tmp_path, "is a folder"),
        (Path("/dev/null"), "is a device or a pipe"),
        (Path(), "is a folder"),
        (empty, "is empty"),
    ):
        code, lines, error = said(capsys, *command.split(), "--journal", str(file))
        assert (code, lines) == (2, [])
        assert error == (
            f"polartable: PT-606: {file} {why}, and no journal – play a game first, or name it with --journal, "
            "or the settings with --config\n"
        )
    assert [one.name for one in tmp_path.iterdir()] == ["empty.sqlite"]
    assert empty.stat().st_size == 0
