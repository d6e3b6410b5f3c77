"""Letters that standard output has not: a line of JSON stays one, and people still read what is meant."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import termios
from pathlib import Path

import numpy as np
import pytest
import soundfile

from table.cli import run
from tests.rattle import RATE, rattle
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


STEERS = "red\x1b[31m\nshake"


@pytest.mark.parametrize(
    "words",
    [
        ("listen", f"{STEERS}.wav"),
        ("listen", f"{STEERS}-quiet.wav"),
        ("listen", f"missing {STEERS}.wav"),
        ("settings", "check", "--config", f"{STEERS}.toml"),
        ("settings", "show", "--config", f"{STEERS}.toml"),
        ("report", "--out", f"{STEERS}.zip"),
        ("calibrate", "igloos", "record", STEERS, "--source", "mock", "--player", "P1"),
        (
            *("simulate", "shakes", "--out", STEERS, "--devices", "1", "--players", "1", "--sessions", "1"),
            *("--counts", "3", "--sensor", "accelerometer"),
        ),
    ],
)
def test_a_name_does_not_steer_the_terminal(
    words: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It may come in an archive of somebody else's recordings."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("POLARTABLE_DATA", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    soundfile.write(f"{STEERS}.wav", rattle(5, 1), RATE)
    soundfile.write(f"{STEERS}-quiet.wav", 1e-3 * np.random.default_rng(1).standard_normal(3 * RATE), RATE)
    Path(f"{STEERS}.toml").write_text("")
    run([*words])
    said = "".join(capsys.readouterr())
    assert r"red\x1b[31m\nshake" in said
    assert "\x1b" not in said


def test_nor_does_one_that_is_too_long_or_met_a_defect(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    long = f"{STEERS}{'x' * 300}.wav"
    assert run(["listen", long]) == 2
    assert r"polartable: red\x1b[31m\nshakexxx" in capsys.readouterr().err

    def broken(_: str) -> None:
        raise LookupError(STEERS)

    monkeypatch.setattr("table.commands.listen.check_source", broken)
    monkeypatch.delenv("POLARTABLE_DEBUG", raising=False)
    assert run(["listen", "a.wav"]) == 1
    assert r"(LookupError: red\x1b[31m\nshake)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("listen", "missing.wav"), "polartable: PT-201: missing.wav does not exist – check the name"),
        (
            ("calibrate", "cubes", "mock", "--slot", "NW", "--out", "cubes.json"),
            "north-west: press Enter, then shake that cube alone. polartable: PT-101: the input ended",
        ),
    ],
)
def test_no_word_is_broken_at_the_edge_of_a_narrow_terminal(
    words: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    master, slave = os.openpty()
    termios.tcsetwinsize(slave, (24, 36))
    how = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    how["PYTHONPATH"] = str(Path(__file__).parents[3])
    with os.fdopen(master, "rb", buffering=0) as read:
        process = subprocess.Popen(
            [sys.executable, "-m", "table", *words],
            stdin=subprocess.DEVNULL,
            stdout=slave,
            stderr=slave,
            env=how,
        )
        process.wait(60)
        os.close(slave)
        told = read.read(100_000).decode().splitlines()
    assert said in " ".join(told)
    assert all(len(line) <= 36 for line in told)
