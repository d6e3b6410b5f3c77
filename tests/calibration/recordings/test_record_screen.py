"""The wizard in terminals: its live meter, of any width, and when keys are answers."""

from __future__ import annotations

import os
import sys
import termios
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from calibration.recordings.recorder import Coaching, Meter
from table.commands import record_screen
from table.commands.record_screen import ask_person, draw, tell
from table.recording.asking import KEEP, RETAKE, Question


def test_the_meter_shows_the_band_and_covers_what_was_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    draw(Meter(-10.0, 0.8, "enough"), (0.7, 1.4))
    draw(Meter(-40.0, None, "wait"), (0.7, 1.4))
    _, full, short = capsys.readouterr().err.split("\r")
    assert full.split("]")[1].rstrip() == "  enough   strength 0.8 (aim for 0.7–1.4)"
    assert short.split() == ["[####", "]", "begin"]  # "wait" would be read by who is to shake
    assert len(full) == len(short) == 79


@pytest.mark.parametrize("columns", [20, 28, 40, 58, 66, 80, 120])
def test_the_coachs_word_is_there_in_narrow_terminals(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(columns))
    for word in get_args(Coaching):
        draw(Meter(-10.0, 0.8, word), (0.3, 2.0))
        line = capsys.readouterr().err.removeprefix("\r")
        assert len(line) == columns - 1
        assert (word in line) == (word != "wait")
        assert word != "wait" or "begin" in line
        assert columns < 40 or ("0.8 (aim" in line and "0.3–2.0)" in line)


@pytest.mark.parametrize(
    ("strength", "shown"),
    [
        (0.28, "0.28 (aim for 0.31–1.96)"),  # "0.3 (aim for 0.3–2.0)" beside "faster" is no reason
        (0.33, "0.3 (aim for 0.3–2.0)"),
        (1.98, "1.98 (aim for 0.31–1.96)"),
        (2.4, "2.4 (aim for 0.3–2.0)"),
    ],
)
def test_a_strength_outside_the_band_is_shown_outside_it(
    strength: float, shown: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    draw(Meter(-10.0, strength, "faster"), (0.31, 1.96))
    assert capsys.readouterr().err.rstrip().endswith(f"faster   strength {shown}")


def answered(
    monkeypatch: pytest.MonkeyPatch, write: Callable[[bytes], object], before: str, after: str
) -> str:
    """What is answered where `before` was typed before the question, and `after` once it stood there."""
    monkeypatch.setattr(record_screen, "tell", lambda question: write(after.encode()))
    write(before.encode())
    return ask_person(Question("", (KEEP, RETAKE)))


@pytest.mark.parametrize("early", ["\n", "q\nq\n", "\nhalf a line"])
def test_what_was_typed_while_it_was_shaken_is_no_answer(early: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An impatient Enter kept a take that nobody had judged, and recorded the next while hands were on the way."""
    master, slave = os.openpty()
    with os.fdopen(slave) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        assert answered(monkeypatch, lambda keys: os.write(master, keys), early, "r\n") == "r"
    os.close(master)


def test_what_a_file_answers_waits_for_its_question(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    answers = tmp_path / "answers"
    answers.write_text("\nq\n")
    with answers.open() as given:
        monkeypatch.setattr(sys, "stdin", given)
        assert [ask_person(Question("?", (KEEP,))), ask_person(Question("?", (KEEP,)))] == ["", "q"]


COMMAND = "`polartable calibrate igloos fit /srv/anna/igloos/autumn --sensor microphone --out autumn.profile`"


def test_no_word_is_broken_at_the_edge_of_a_narrow_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"\nNothing was heard for a minute: check that the microphone is not muted. {COMMAND} does it."
    monkeypatch.setenv("COLUMNS", "60")
    tell(text)
    assert capsys.readouterr().err == text + "\n"  # a log has no edge
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    tell(text)
    before, *lines = capsys.readouterr().err.removesuffix("\n").split("\n")
    assert before == ""
    assert " ".join(lines) == text.strip()
    assert COMMAND in lines  # it can be copied as it stands
    assert all(len(line) <= 60 for line in lines if line != COMMAND)
    assert len(lines) == 4
    tell("")
    tell("Müller’s\x1b[31m")
    assert capsys.readouterr().err == "\nMüller’s\\x1b[31m\n"


def test_the_width_is_the_terminals_though_its_lines_go_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """As with `--json > takes.jsonl`: standard output is no terminal then."""
    master, slave = os.openpty()
    termios.tcsetwinsize(slave, (24, 50))
    monkeypatch.delenv("COLUMNS", raising=False)
    with os.fdopen(slave, "w") as stderr:
        monkeypatch.setattr(sys, "stderr", stderr)
        monkeypatch.setattr(sys, "__stdout__", None)
        tell("pick it up, and put it down " * 4)
        told = os.read(master, 1000).decode().splitlines()
    os.close(master)
    assert max(map(len, told)) in range(40, 51)
