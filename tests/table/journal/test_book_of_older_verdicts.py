"""A book in which refusals are told by other rules than today's is sound, and one game of it hides no other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from table.cli import run
from table.games import GAMES
from table.journal.errors import ReplayDiffers
from table.journal.replay import replay
from table.journal.store import Journal
from table.version import version
from tests.table.games import new_ice_cult, play_on


def refused(kind: str, rule: str | None) -> dict[str, object]:
    return {"move": "tilt n>Q", "seat": "yellow", "error": {"kind": kind, "rule": rule, "text": "no"}}


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Two games: one with refusals of an older version, one in which a position is another one."""
    file = tmp_path / "book.sqlite"
    with Journal(file) as kept:
        desk = new_ice_cult(kept)
        play_on(desk, 3)
        kept.append(desk.name, "refused", refused("illegal", "II-11"))
        kept.append(desk.name, "refused", refused("illegal", None))
        play_on(desk, 3)
    return file


def add_one_that_differs(book: Path, name: str) -> None:
    with Journal(book) as kept:
        desk = new_ice_cult(kept, name=name)
        kept.append(name, "play", {"move": "tilt n>S", "seat": "yellow", "by": "hand", "after": "0" * 16})
        assert not desk.sitting.steps


def test_a_refusal_by_another_rule_is_counted_and_the_game_goes_on(book: Path) -> None:
    with Journal(book) as kept:
        told: list[str] = []
        assert len(replay(kept.entries("evening-1"), GAMES, told).steps) == 6
        with pytest.raises(ReplayDiffers):
            replay(kept.entries("evening-1"), GAMES)
    assert len(told) == 2
    assert "was refused as illegal by II-11 and is now refused as" in told[0]
    assert "None" not in "".join(told)
    assert "refused as illegal and is now refused as" in told[1]


def test_verify_and_replay_tell_it_at_the_end(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["journal", "verify", "--journal", str(book)]) == 0
    assert (
        "all sound; 2 refusals told otherwise by this version (the first: entry " in capsys.readouterr().out
    )
    assert run(["journal", "replay", "evening-1", "--journal", str(book)]) == 0
    assert "6 moves, the same positions, 2 refusals told otherwise" in capsys.readouterr().out
    assert run(["journal", "replay", "evening-1", "--journal", str(book), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["reworded"] == 2


def test_verify_names_every_game_that_differs(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("evening-2", "evening-3"):
        add_one_that_differs(book, name)
    assert run(["journal", "verify", "--journal", str(book)]) == 1
    errors = capsys.readouterr().err.splitlines()
    assert [line.split(": PT-607")[0] for line in errors] == [
        "polartable: evening-2",
        "polartable: evening-3",
    ]
    assert run(["journal", "verify", "--journal", str(book), "--json"]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["sound"], line["game"]) for line in lines] == [(False, "evening-2"), (False, "evening-3")]


def test_a_game_says_by_which_version_it_was_recorded(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["journal", "show", "evening-1", "--journal", str(book)]) == 0
    assert f"recorded by Polartable {version()}" in capsys.readouterr().out.splitlines()[0]
