"""The one entry point: every command is there, explains itself, and refuses nonsense in one sentence."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest
import soundfile

from sensors.ear.verdicts.reasons import TOO_SHORT
from sensors.evidence import Heard
from table.cli import COMMANDS, main, run
from table.leaving import asked
from tests.rattle import RATE, rattle

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


def test_it_tells_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"polartable {metadata.version('polartable')}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["lisen"],
        ["listen", "--no-such-option"],
        ["listen"],
        ["demo", "--port", "x"],
        ["demo", "--seed", "-1"],
    ],
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


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_leaves_early_is_no_failure(unbuffered: str) -> None:
    """`polartable … | head -1`: what is said once the reader has left has nobody to go to."""
    how = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    said = subprocess.Popen(
        [sys.executable, "-c", TALKING], env=how, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert said.stdout is not None
    assert said.stderr is not None
    assert said.stdout.readline().startswith("{")
    said.stdout.close()
    assert (said.wait(timeout=60), said.stderr.read()) == (0, "")
    said.stderr.close()


@pytest.mark.parametrize(
    ("closed", "code", "said"),
    [
        ("devices >&-", 2, "polartable: PT-101: standard output is closed, so nothing can be said"),
        ("referee <&-", 0, ""),
        ("settings check no-such-file 2>&-", 2, ""),
    ],
)
def test_what_is_closed_swallows_no_answer_and_gets_none_of_anothers(
    closed: str, code: int, said: str
) -> None:
    command = f"{shlex.quote(sys.executable)} -m table {closed}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith(said)
    assert bool(done.stderr) == bool(said)


@pytest.mark.parametrize("at", ["typer", "sensors.interrupted", "table.letters"])
def test_ctrl_c_while_it_starts_is_no_traceback(at: str) -> None:
    """In the imports; the interrupt comes when `at` is looked for."""
    program = f"""
import signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {at!r}:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Finder())
from table.cli import main
sys.exit(main())
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_ctrl_c_before_typer_listens_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("table.cli._open_what_is_closed", lambda: signal.raise_signal(signal.SIGINT))
    with pytest.raises(SystemExit) as left:
        main(["devices"])
    assert left.value.code == 130


def test_the_first_ctrl_c_asks_and_the_second_ends() -> None:
    before = signal.getsignal(signal.SIGINT)
    with asked() as leave:
        assert not leave()
        signal.raise_signal(signal.SIGINT)
        assert leave()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    with asked():
        signal.raise_signal(signal.SIGTERM)
        with pytest.raises(KeyboardInterrupt):  # the second one ends it, whichever it is
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_what_a_script_ignores_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with asked() as leave:
            signal.raise_signal(signal.SIGINT)
            assert not leave()
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_ctrl_c_while_a_compiled_module_is_loaded_is_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def loading(*_: object) -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:  # as pybind11 does
            raise ImportError("initialization failed") from error

    monkeypatch.setattr("table.cli.importlib.import_module", loading)
    assert run(["devices"]) == 130
    assert capsys.readouterr().err == ""


def test_a_file_that_was_not_heard_to_its_end_is_not_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    soundfile.write(tmp_path / "a.wav", np.zeros(48000), 48000)

    def interrupted(*_: object) -> Iterator[Heard]:
        yield Heard("a.wav", 0.0, 2.0, "unsure", {7: 1.0}, 30.0, False, "", TOO_SHORT)
        raise KeyboardInterrupt

    monkeypatch.setattr("table.listening.files.hear_file", interrupted)
    assert run(["listen", str(tmp_path / "a.wav")]) == 130
    assert "broken off by Ctrl-C; 1 shake heard until then" in capsys.readouterr().err


def test_another_pipe_that_breaks_is_no_reader_that_left(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    soundfile.write(tmp_path / "a.wav", np.zeros(48000), 48000)

    def broken(*_: object) -> Iterator[Heard]:
        raise BrokenPipeError(32, "Broken pipe")
        yield

    monkeypatch.setattr("table.listening.files.hear_file", broken)
    assert run(["listen", str(tmp_path / "a.wav")]) == 1
    assert "a defect of ours" in capfd.readouterr().err


def test_what_a_file_held_until_it_broke_off_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.wav"
    soundfile.write(path, rattle(7, 3), RATE, subtype="PCM_16")
    path.write_bytes(path.read_bytes()[:-2])
    assert run(["listen", str(path)]) == 2
    said = capsys.readouterr()
    assert "a.wav breaks off in the middle" in said.err
    assert said.out.startswith("a.wav ")


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_behind_standard_output_is_told(unbuffered: str) -> None:
    command = [sys.executable, "-m", "table", "simulate", "--help"]
    how = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, env=how, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "PT-601: there is no room to write" in done.stderr


@pytest.mark.parametrize("unbuffered", ["1", ""])
def test_a_full_log_does_not_change_how_it_ends(unbuffered: str) -> None:
    program = "from table.cli import main; main(['settings', 'check', 'no-such-file'])"
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([sys.executable, "-c", program], stderr=full, env=environment, check=False)
    assert done.returncode == 2


def test_the_console_script_is_installed() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "table", "--help"], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0
    assert "polartable" in done.stdout
