"""Ctrl-C while the wizard writes a take that was just confirmed: it is kept whole, and Ctrl-C is heard right after."""

from __future__ import annotations

import io
import signal
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
from tests.calibration.recordings.wizard import unhurried


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
