"""The wizard is ended while it has a take in hand: by Ctrl-C as it writes what was just confirmed, which is kept whole,
and by a terminal that is closed before anybody said whether to keep it."""

from __future__ import annotations

import io
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import soundfile

from calibration.recordings import folder as store
from hw_mock.igloo.recordings import store as store_sound
from sensors.ear.profiles.profile import load_shipped
from table.commands import calibrate_record
from table.commands.record_way import Shaken
from tests.calibration.recordings.wizard import RECORD, unhurried
from tests.parts import ROOT


class Interrupts(io.BytesIO):
    """Ctrl-C comes while libsndfile calls Python to write into it."""

    def write(self, said: Any) -> int:
        if not self.tell():
            signal.raise_signal(signal.SIGINT)
        return super().write(said)


def first(what: Callable[..., Any]) -> Callable[..., Any]:
    """The same, after which Ctrl-C comes."""

    def done(*words: Any) -> Any:
        out = what(*words)
        signal.raise_signal(signal.SIGINT)
        return out

    return done


@pytest.mark.parametrize("within", ["sound", "list"])
def test_a_take_is_kept_with_its_line_and_counted(
    within: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(calibrate_record, "opener", unhurried)
    if within == "sound":
        monkeypatch.setattr("table.commands.record_takes.io", SimpleNamespace(BytesIO=Interrupts))
    else:
        monkeypatch.setattr(store, "append", first(store.append))
    way = Shaken(load_shipped("contact"), 2.0)
    with pytest.raises(KeyboardInterrupt):
        calibrate_record.record(
            tmp_path, "mock", way, (3, 6), 1, "D", "anna", "s", 2.0, False, lambda question: ""
        )
    said = capfd.readouterr().err
    assert "Traceback" not in said
    assert f"Stopped: 1 take of this run kept in {tmp_path}" in said
    (line,) = store.read(tmp_path, lambda error: pytest.fail(str(error)))
    assert line.rejected is None
    assert soundfile.info(line.path).duration > 1.5


def test_a_simulated_sound_is_written_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hw_mock.igloo.recordings.io", SimpleNamespace(BytesIO=Interrupts))
    sound = np.zeros(1000, np.float32)
    with pytest.raises(KeyboardInterrupt):
        store_sound(tmp_path / "one.flac", sound, 44100)
    assert not list(tmp_path.glob("*.flac"))


WIZARD = """
import sys
from table.cli import main
from table.commands import calibrate_record
from tests.calibration.recordings.wizard import unhurried
calibrate_record.opener = unhurried
sys.argv[0] = "polartable"
main()
"""


def at_a_terminal(folder: Path) -> tuple[subprocess.Popen[bytes], int]:
    """The wizard as the first process of a terminal's session, and the other end of that terminal."""
    master, slave = pty.openpty()
    # whoever opens a terminal first in a new session has it for his own
    opens = f"import os; os.open({os.ttyname(slave)!r}, os.O_RDWR)"
    words = [*RECORD, str(folder), "--source", "mock", "--counts", "3,6,9", "--seconds", "2"]
    process = subprocess.Popen(
        [sys.executable, "-c", opens + WIZARD, *words],
        stdin=slave, stdout=slave, stderr=slave, cwd=ROOT, start_new_session=True,
    )  # fmt: skip
    os.close(slave)
    return process, master


def until(master: int, words: str) -> None:
    said = b""
    while words.encode() not in said:
        said += os.read(master, 4096)


def test_a_take_in_hand_when_the_terminal_is_closed_is_there(tmp_path: Path) -> None:
    """It was gone, and half an empty folder was left."""
    process, master = at_a_terminal(tmp_path / "mine")
    until(master, "q: stop")
    os.write(master, b"\n")
    until(master, "q: keep and stop")
    os.close(master)
    assert process.wait(60) == -signal.SIGHUP
    (line,) = store.read(tmp_path / "mine", lambda error: pytest.fail(str(error)))
    assert line.rejected == "not confirmed"
    assert soundfile.info(line.path).duration > 1.5


def test_a_wizard_that_is_ended_before_the_first_take_leaves_no_folder(tmp_path: Path) -> None:
    process, master = at_a_terminal(tmp_path / "mine")
    until(master, "q: stop")
    process.terminate()
    until(master, "Stopped, for the input ended")
    assert process.wait(60) == -signal.SIGTERM
    assert not (tmp_path / "mine").exists()
    os.close(master)
