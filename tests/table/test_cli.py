"""The one entry point: every command is there, explains itself, and refuses nonsense in one sentence."""

from __future__ import annotations

import subprocess
import sys

import pytest

from table.cli import COMMANDS, run


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_explains_itself_with_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([name, "--help"]) == 0
    text = capsys.readouterr().out
    assert "Usage: polartable " + name in text
    assert "Example" in text


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    out = capsys.readouterr().out
    for name, (_, line) in COMMANDS.items():
        assert name in out
        assert line.split(",")[0] in " ".join(out.split())


@pytest.mark.parametrize(
    "arguments", [["lisen"], ["listen", "--no-such-option"], ["listen"], ["demo", "--port", "x"]]
)
def test_bad_usage_is_one_sentence_and_exit_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.strip().splitlines()) == 1
    assert captured.err.startswith("polartable: PT-101: ")


def test_a_misspelt_command_gets_the_right_one_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lisen"]) == 2
    assert "listen" in capsys.readouterr().err


def test_the_console_script_is_installed() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "table", "--help"], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0
    assert "polartable" in done.stdout
