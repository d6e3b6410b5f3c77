"""`polartable journal export` and `replay`: records of games, and what none of them is written over."""

from __future__ import annotations

import errno
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from table.journal.chain import Chain
from table.journal.entries import GENESIS, canonical, link
from table.journal.store import Journal
from table.report.contents import REDACTED
from tests.table.games import new_ice_cult, play_on
from tests.table.journal.journal_command import said
from tests.table.journal.spoiled_books import bend


def linked(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The entries with the chain that they would have been written with."""
    chain, out = GENESIS, []
    for e in entries:
        chain = link(chain, e["seq"], e["game"], e["kind"], e["at"], canonical(e["body"]))
        out.append(e | {"chain": chain})
    return out


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
    entries += linked([entry | {"game": "evening-2"} for entry in entries])
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


def spoil(entry: dict[str, Any]) -> None:
    """A line that leads to the same verdicts as before."""
    match entry["kind"]:
        case "play":
            entry["body"]["by"] = "ear"
        case "note":
            entry["body"]["by"] = "yellow"
        case _:
            entry["at"] = "2020-01-01T00:00:00.000+00:00"


@pytest.mark.parametrize("kind", ["new", "play", "note", "refused", "undo"])
@pytest.mark.parametrize("as_json", [False, True])
def test_a_line_that_was_changed_is_told_though_every_verdict_is_the_same(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str, as_json: bool
) -> None:
    entries = [json.loads(line) for line in said(capsys, "export", "evening-1", "--journal", str(book))[1]]
    changed = next(e for e in entries if e["kind"] == kind)
    spoil(changed)
    file = tmp_path / "changed.jsonl"
    file.write_text("\n".join(map(json.dumps, entries)))
    code, lines, error = said(capsys, "replay", str(file), *(["--json"] if as_json else []))
    assert (code, lines) == (1, [])
    assert error.splitlines() == [error.rstrip()]
    assert error.startswith(
        f"polartable: evening-1: PT-603: entry {changed['seq']} was changed after it was written"
    )


def test_a_line_of_the_book_itself_that_was_changed_is_told(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(book) as journal:
        entry = next(e for e in journal.entries() if e.kind == "play")
    bend(book, entry.seq, canonical({**entry.body, "by": "ear"}))
    code, lines, error = said(capsys, "replay", "evening-1", "--journal", str(book))
    assert (code, lines, len(error.splitlines())) == (1, [], 1)
    assert f"PT-603: entry {entry.seq} was changed" in error


def test_a_game_that_another_came_between_is_followed_as_far_as_it_can_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its lines are not one after the other in the book, and are as they were written all the same."""
    file = tmp_path / "book.sqlite"
    with Journal(file) as kept:
        one, other = new_ice_cult(kept, name="game-1"), new_ice_cult(kept, name="game-2")
        for desk in (one, other, one, other):
            play_on(desk, 2)
    for game in ("game-1", "game-2"):
        assert said(capsys, "replay", game, "--journal", str(file))[0] == 0


def test_what_a_report_took_out_of_a_note_is_no_change(book: Path) -> None:
    with Journal(book) as journal:
        entries = list(journal.entries())
    for kind in ("note", "play"):
        told = [replace(e, body={**e.body, "by": "[removed]"}) if e.kind == kind else e for e in entries]
        chain = Chain(but=REDACTED)
        assert list(chain.along(told)) == told
        assert (chain.damage() is None) == (kind == "note")


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_a_file_without_entries_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    """It was said of "that game", and the journal's list was no help."""
    file = tmp_path / "game.jsonl"
    file.write_text(text)
    assert said(capsys, "replay", str(file)) == (
        2,
        [],
        f"polartable: PT-606: {file} holds no entries – give a file written by: polartable journal export\n",
    )
