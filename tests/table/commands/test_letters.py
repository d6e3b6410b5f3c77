"""Letters that standard output has not: a line of JSON stays one, and people still read what is meant."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.table.games import new_ice_cult

NAME = "Müller – 🐧"


def said(encoding: str, *words: str) -> bytes:
    how = os.environ | {"PYTHONIOENCODING": encoding}
    return subprocess.run(
        [sys.executable, "-m", "table", *words], env=how, capture_output=True, check=True, timeout=60
    ).stdout


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    file = tmp_path / "table.toml"
    file.write_text(f'[ear.sources]\nred = "{NAME}"\n', encoding="utf-8")
    return file


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_json_is_json_whatever_letters_there_are(settings: Path, encoding: str) -> None:
    lines = said(encoding, "settings", "show", "--config", str(settings), "--json").splitlines()
    values = {line["setting"]: line["value"] for line in map(json.loads, lines)}
    assert values["ear.sources"] == {"red": NAME}


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_an_exported_game_is_json_without_being_asked(tmp_path: Path, encoding: str) -> None:
    new_ice_cult(tmp_path / "book.sqlite").note("agreed", what=NAME)
    lines = said(encoding, "journal", "export", "evening-1", "--journal", str(tmp_path / "book.sqlite"))
    assert NAME in [json.loads(line)["body"].get("what") for line in lines.splitlines()]


def test_people_get_the_letters_that_there_are(settings: Path) -> None:
    text = said("latin-1", "settings", "show", "--config", str(settings)).decode("latin-1")
    assert r'"Müller \u2013 \U0001f427"' in text
