"""The ear trainer in a terminal: what it says, hears and keeps."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from table.cli import run
from table.trainer.confusions import MOST_LEARNERS, Learners
from tests.table.trainer.own_recordings import folder_of


def test_the_trainer_in_a_terminal_hears_a_guess_tells_the_truth_and_keeps_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POLARTABLE_DATA", str(tmp_path))
    monkeypatch.setitem(sys.modules, "sounddevice", None)  # a machine without a loudspeaker
    monkeypatch.setattr("sys.stdin", io.StringIO("\nmany\n5\n5\nq\n"))
    shared = tmp_path / "shared"
    shared.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(shared))
    assert run(["train", str(folder_of([3, 5], tmp_path)), "--rounds", "9", "--json", "--name", "Ada"]) == 0
    said = capsys.readouterr()
    lines = [json.loads(line) for line in said.out.splitlines()]
    assert [line["event"] for line in lines] == ["guessed", "guessed", "table"]
    assert all(line["guess"] == 5 and line["beads"] in (3, 5) for line in lines[:2])
    assert lines[2]["total"] == 2
    (sound,) = set(re.findall(r"listen to (\S+) before you leave", said.err))
    assert (
        Path(sound).parent.parent == shared
    )  # in a folder of its own, which nobody can have made beforehand
    assert list(shared.iterdir()) == []  # and nothing of it stays
    assert "'many' is no number" in said.err
    assert Learners(tmp_path / "trainer.json").learner("Ada").own.total == 2


def test_a_table_that_could_not_be_kept_is_told_in_the_terminal_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").write_text("")
    monkeypatch.setenv("POLARTABLE_DATA", str(tmp_path / "data"))
    monkeypatch.setitem(sys.modules, "sounddevice", SimpleNamespace(play=lambda *_, **__: None))
    monkeypatch.setattr("sys.stdin", io.StringIO("5\nq\n"))
    assert run(["train", str(folder_of([3, 5], tmp_path))]) == 0
    said = capsys.readouterr()
    assert (
        f"{tmp_path / 'data' / 'trainer.json'} could not be written: what you guessed is not kept" in said.err
    )
    assert "of 1." in said.out


def test_who_finds_no_place_is_told_in_the_terminal_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    learners = Learners(tmp_path / "trainer.json")
    for n in range(MOST_LEARNERS):
        learners.learner(f"learner {n}").own.add(5, 6)
    assert learners.keep()
    monkeypatch.setenv("POLARTABLE_DATA", str(tmp_path))
    monkeypatch.setitem(sys.modules, "sounddevice", SimpleNamespace(play=lambda *_, **__: None))
    monkeypatch.setattr("sys.stdin", io.StringIO("5\nq\n"))
    assert run(["train", "--name", "late", str(folder_of([3, 5], tmp_path))]) == 0
    assert f"keeps the tables of {MOST_LEARNERS} people, and yours has no place" in capsys.readouterr().err


def test_what_the_sound_system_prints_stays_out_of_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def play(*_: object, **__: object) -> None:
        os.write(2, b"ALSA lib confmisc.c:855:(parse_card) cannot find card '0'\n")
        os.write(2, b"Expression 'ret' failed in 'src/hostapi/alsa/pa_linux_alsa.c', line: 1736\n")

    monkeypatch.setenv("POLARTABLE_DATA", str(tmp_path))
    monkeypatch.setitem(sys.modules, "sounddevice", SimpleNamespace(play=play))
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    assert run(["train", str(folder_of([3, 5], tmp_path))]) == 0
    asked = "An igloo is being shaken …\nHow many beads (3 or 5; Enter: again; q: leave)? "
    assert capfd.readouterr().err == asked
