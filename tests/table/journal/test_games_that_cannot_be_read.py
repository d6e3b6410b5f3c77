"""A book or record some of whose games cannot be read: each is told in a sentence, and the others are looked at."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from table.games import GAMES
from table.journal.errors import JournalDamaged
from table.journal.fold import fold
from table.journal.store import Journal
from tests.table.games import new_ice_cult, play_on
from tests.table.journal.journal_command import said
from tests.table.journal.spoiled_books import bend

UNSOUND = {"game-2": 606, "game-3": 607, "game-4": 603}


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Two good games; between them one of a later version, one that is judged otherwise now, one not well formed."""
    file = tmp_path / "book.sqlite"
    with Journal(file) as kept:
        play_on(new_ice_cult(kept, name="game-1"), 2)
        kept.append("game-2", "new", {"game": "nim", "players": ["a"], "seed": 1, "options": {}})
        for name, move in (("game-3", "tilt n>Q"), ("game-4", 5)):
            play_on(new_ice_cult(kept, name=name), 1)
            kept.append(name, "play", {"move": move, "seat": "yellow", "by": "hand"})
        play_on(new_ice_cult(kept, name="game-5"), 2)
    return file


def numbers(error: str) -> dict[str, int]:
    """Of each game that a sentence names: which error."""
    found = [re.match(r"polartable: (game-\d): PT-(\d+): ", line) for line in error.splitlines()]
    return {one[1]: int(one[2]) for one in found if one is not None}


def test_every_game_is_verified(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, error = said(capsys, "verify", "--journal", str(book))
    assert (code, lines, numbers(error)) == (1, [], UNSOUND)
    assert len(error.splitlines()) == 3
    code, lines, error = said(capsys, "verify", "--journal", str(book), "--json")
    told = [json.loads(line) for line in lines]
    assert (code, error) == (1, "")
    assert {line["game"]: line["number"] for line in told} == UNSOUND
    assert all(set(line) == {"sound", "number", "text", "mend", "game"} for line in told)


def test_every_game_is_listed(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, error = said(capsys, "list", "--journal", str(book), "--json")
    games = [json.loads(line) for line in lines]
    assert (code, error) == (0, "")
    assert [(game["game"], game["moves"]) for game in games] == [
        ("game-1", 2),
        ("game-2", None),
        ("game-3", None),
        ("game-4", None),
        ("game-5", 2),
    ]
    assert all(list(game) == ["game", "begun", "kind", "players", "moves", "result"] for game in games)
    _, lines, _ = said(capsys, "list", "--journal", str(book))
    assert [re.split(" {2}", line)[4:] for line in lines] == [
        ["2 moves", "still open"],
        ["? moves", "cannot be played again by this version"],
        ["? moves", "cannot be played again by this version"],
        ["? moves", "is damaged: see polartable journal verify"],
        ["2 moves", "still open"],
    ]


@pytest.mark.parametrize("body", ["{", "[]", '{"game": "ice-cult", "players": 5}', '{"game": "ice-cult"}'])
def test_a_game_whose_set_up_is_damaged_is_listed_by_its_name(
    book: Path, capsys: pytest.CaptureFixture[str], body: str
) -> None:
    bend(book, 1, body)
    code, lines, error = said(capsys, "list", "--journal", str(book))
    assert (code, error, len(lines)) == (0, "", 5)
    assert lines[0].startswith("game-1  ")
    assert lines[0].endswith("  ? moves  is damaged: see polartable journal verify")


@pytest.mark.parametrize("unsound", [*UNSOUND, None])
def test_every_game_of_a_record_is_played_again(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], unsound: str | None
) -> None:
    wanted = UNSOUND if unsound is None else {unsound: UNSOUND[unsound]}
    record = list[str]()
    for name in ("game-1", *wanted, "game-5"):
        record += said(capsys, "export", name, "--journal", str(book))[1]
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join(record))
    code, lines, error = said(capsys, "replay", str(file), "--json")
    assert [json.loads(line)["game"] for line in lines] == ["game-1", "game-5"]
    assert numbers(error) == wanted
    assert code == (1 if unsound == "game-3" else 2)  # another verdict; what cannot be read is bad input


def test_two_games_of_one_name_in_a_record_are_two(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As where the books of two tables were put into one file."""
    once = said(capsys, "export", "game-1", "--journal", str(book))[1]
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join([*once, *once[:-1]]))
    code, lines, _ = said(capsys, "replay", str(file), "--json")
    assert code == 0
    assert [(line["game"], line["moves"]) for line in map(json.loads, lines)] == [
        ("game-1", 2),
        ("game-1", 1),
    ]


class Trusting:
    """Rules that take a move for a text without asking."""

    def __init__(self) -> None:
        self.new = GAMES["ice-cult"].new

    def play(self, state: Any, move: Any, seat: str | None) -> Any:
        raise AssertionError(move.split())


def test_what_rules_stumble_over_is_told_as_damage() -> None:
    with Journal(None) as kept:
        desk = new_ice_cult(kept)
        kept.append(desk.name, "play", {"move": 5})
        games: Any = {"ice-cult": Trusting()}
        with pytest.raises(JournalDamaged, match=r"entry 2 \(play\) is not as the journal writes such"):
            fold(kept.entries(), games)
