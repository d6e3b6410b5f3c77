"""What the tests of the journal share."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from table.journal.store import Journal
from tests.table.games import new_ice_cult, play_on


@pytest.fixture(scope="session")
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


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with a book of three moves."""
    desk = new_ice_cult(tmp_path / "data" / "book.sqlite")
    play_on(desk, 3)
    desk._journal.close()
    return tmp_path / "data"
