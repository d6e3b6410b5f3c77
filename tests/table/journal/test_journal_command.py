"""`polartable journal`: what was played, on the command line."""

from __future__ import annotations

import errno
import json
import shutil
from pathlib import Path

import pytest

from table.cli import run
from table.journal.store import Journal
from table.last_good import keep, load
from tests.table.games import new_ice_cult, play_on


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with one finished game in which somebody was refused and somebody took a move back."""
    file = tmp_path_factory.mktemp("played") / "book.sqlite"
    with Journal(file) as kept:  # closed, or SQLite tidies it up whenever Python throws it away
        desk = new_ice_cult(kept)
        play_on(desk, 6)
        desk.play("tilt n>Q")
        desk.undo()
        desk.note("agreed", what="undo", by="red", agreed=["red", "yellow"])
        play_on(desk, 500)
        assert desk.sitting.over is not None
    return file


@pytest.fixture
def book(played: Path, tmp_path: Path) -> Path:
    """A test's own copy of it."""
    return Path(shutil.copy(played, tmp_path))


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str], str]:
    code = run(["journal", *arguments])
    out = capsys.readouterr()
    return code, out.out.splitlines(), out.err


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


def test_an_exported_game_replays_elsewhere(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "game.jsonl"
    assert said(capsys, "export", "evening-1", "--journal", str(book), "--out", str(out))[0] == 0
    code, lines, _ = said(capsys, "replay", str(out), "--json")
    assert code == 0
    assert json.loads(lines[0])["over"]["winners"]
    assert said(capsys, "verify", "--journal", str(book))[0] == 0


def test_an_exported_game_that_windows_saved_is_read_or_called_that(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "\n".join(said(capsys, "export", "evening-1", "--journal", str(book))[1])
    file = tmp_path / "game.jsonl"
    file.write_text(text, encoding="utf-8-sig")
    assert said(capsys, "replay", str(file))[0] == 0
    file.write_text(text, encoding="utf-16")
    assert said(capsys, "replay", str(file)) == (
        2, [], f"polartable: PT-603: {file} is written in UTF-16 – save it as UTF-8\n",
    )  # fmt: skip


@pytest.mark.parametrize("before", ["[", "[\n", "\ufeff["])
def test_a_list_of_entries_is_told_to_be_one_and_how_to_write_it(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], before: str
) -> None:
    lines = said(capsys, "export", "evening-1", "--journal", str(book))[1]
    file = tmp_path / "game.json"
    file.write_text(before + ",\n".join(lines) + "]\n")
    code, _, error = said(capsys, "replay", str(file))
    assert code == 2
    assert f"{file} is one JSON list – write one entry a line" in error


@pytest.mark.parametrize("spoiled", [None, "evening-1", "evening-2"])
def test_every_game_of_a_record_is_told_by_its_name(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], spoiled: str | None
) -> None:
    _, lines, _ = said(capsys, "export", "evening-1", "--journal", str(book))
    entries = [json.loads(line) for line in lines]
    entries += [entry | {"game": "evening-2"} for entry in entries]
    for entry in entries:
        if entry["kind"] == "play" and entry["game"] == spoiled:
            entry["body"] = entry["body"] | {"after": "0" * 16}
    file = tmp_path / "two.jsonl"
    file.write_text("\n".join(map(json.dumps, entries)))
    code, lines, error = said(capsys, "replay", str(file), "--json")
    sound = [name for name in ("evening-1", "evening-2") if name != spoiled]
    assert [json.loads(line)["game"] for line in lines] == sound
    assert code == (0 if spoiled is None else 1)
    assert spoiled is None or error.startswith(f"polartable: {spoiled}: PT-607: ")
    assert [line.partition(": ")[0] for line in said(capsys, "replay", str(file))[1]] == sound


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", ".lock"])
def test_a_journal_is_never_written_over_by_its_own_record(
    book: Path, capsys: pytest.CaptureFixture[str], ending: str
) -> None:
    out = book.with_name(book.name + ending)
    before = book.read_bytes()
    code, _, error = said(capsys, "export", "evening-1", "--journal", str(book), "--out", str(out))
    assert code == 2
    assert len(error.splitlines()) == 1
    assert "journal" in error
    assert book.read_bytes() == before
    assert not out.exists() or not out.read_bytes().startswith(b"{")


@pytest.mark.parametrize("linked", [False, True])
def test_nor_is_another_journal(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], linked: bool
) -> None:
    other, out = tmp_path / "other.sqlite", tmp_path / "other.sqlite"
    with Journal(other) as kept:
        new_ice_cult(kept)
    if linked:
        out = tmp_path / "link.jsonl"
        out.symlink_to(other)
    before = other.read_bytes()
    code, _, error = said(capsys, "export", "evening-1", "--journal", str(book), "--out", str(out))
    assert code == 2
    assert str(out) in error
    assert other.read_bytes() == before


@pytest.mark.parametrize(
    "begins",
    ['{"file": "a.wav", "sensor": "microphone", "beads": 7}\n', '{"format": 1, "game": "igloo"}', "RIFF"],
)
def test_nor_is_what_is_no_exported_game(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], begins: str
) -> None:
    out = tmp_path / "recordings.jsonl"
    out.write_text(begins)
    code, _, error = said(capsys, "export", "evening-1", "--journal", str(book), "--out", str(out))
    assert code == 2
    assert f"{out} cannot be written (what is there is something else, and would be lost)" in error
    assert out.read_text() == begins


def test_a_record_goes_into_a_pipe_and_takes_the_place_of_an_older_one_whole(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = "export", "evening-1", "--journal", str(book), "--out"
    assert said(capsys, *arguments, "/dev/null")[0] == 0
    assert Path("/dev/null").is_char_device()
    out = tmp_path / "game.jsonl"
    old = '{"seq": 1, "game": "evening-0", "kind": "new"}\n'
    out.write_text(old)

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr("os.fsync", full)
        code, _, error = said(capsys, *arguments, str(out))
    assert (code, out.read_text()) == (2, old)
    assert "No space left on device" in error
    assert said(capsys, *arguments, str(out))[0] == 0
    assert len(out.read_text().splitlines()) > 50


def test_a_record_with_another_outcome_is_exit_1_and_one_sentence(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, lines, _ = said(capsys, "export", "evening-1", "--journal", str(book))
    entries = [json.loads(line) for line in lines]
    played = [e for e in entries if e["kind"] == "play"]
    played[-1]["body"]["after"] = "0" * 16
    file = tmp_path / "other.jsonl"
    file.write_text("\n".join(map(json.dumps, entries)))
    code, _, error = said(capsys, "replay", str(file))
    assert code == 1
    assert len(error.splitlines()) == 1
    assert "PT-607" in error


def test_another_beginning_is_told_without_a_move(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, *more = said(capsys, "export", "evening-1", "--journal", str(book))[1]
    entry = json.loads(first)
    entry["body"]["after"] = "0" * 16
    file = tmp_path / "other.jsonl"
    file.write_text("\n".join([json.dumps(entry), *more]))
    code, _, error = said(capsys, "replay", str(file))
    assert code == 1
    assert f"after entry {entry['seq']} (new) the position is another one" in error


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
