"""The one entry point: every command is there, explains itself, and refuses nonsense in one sentence."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from table.cli import COMMANDS, run
from table.leaving import asked

TALKING = "from table.cli import main; main(['cubes', 'mock', '--json', '--stats', '--seconds', '60'])"


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


def test_a_reader_that_leaves_early_is_no_failure() -> None:
    """`polartable … | head -1`: what is said once the reader has left has nobody to go to."""
    said = subprocess.Popen(
        [sys.executable, "-c", TALKING], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert said.stdout is not None
    assert said.stderr is not None
    assert said.stdout.readline().startswith("{")
    said.stdout.close()
    assert (said.wait(timeout=60), said.stderr.read()) == (0, "")
    said.stderr.close()


def test_the_first_ctrl_c_asks_and_the_second_ends() -> None:
    before = signal.getsignal(signal.SIGINT)
    with asked() as leave:
        assert not leave()
        signal.raise_signal(signal.SIGINT)
        assert leave()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_the_console_script_is_installed() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "table", "--help"], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0
    assert "polartable" in done.stdout
