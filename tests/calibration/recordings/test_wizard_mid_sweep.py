"""What changes in the midst of the wizard's sweep: the disk is full, a microphone is mute or comes back slow."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.recordings import folder as store
from calibration.recordings.room import RecordingsFull
from firmware_bridge.clock import VirtualClock
from hw_mock.sound import MockCapture
from table.commands import calibrate_record, record_takes
from table.commands.record_source import OpenSource
from table.recording.asking import Question
from tests.calibration.recordings.wizard import SHAKEN, lines, unhurried
from tests.rattle import RATE, rattle


def sweep(folder: Path, monkeypatch: pytest.MonkeyPatch, opened: OpenSource, *answers: str) -> int:
    """The wizard with these answers, after which the input ends; returns how many takes it kept."""
    given = iter(answers)

    def ask(question: Question) -> str:
        try:
            return next(given)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr(calibrate_record, "opener", lambda *words: opened)
    return calibrate_record.record(
        folder / "mine", "mock", SHAKEN, (3, 6), 1, "D", "anna", "s", 2.0, False, ask
    )


@pytest.mark.parametrize(
    ("times", "answers", "kept"), [(1, ["", "q"], 1), (2, ["x", "", "", "q"], 1), (1, ["q"], 0), (1, [], 0)]
)
def test_a_take_that_was_to_be_kept_waits_for_room_on_the_disk(
    times: int, answers: list[str], kept: int, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """It was gone, though it was shaken and confirmed."""
    full, write = iter(range(times)), record_takes.write_whole

    def fills(path: Path, *words: Any) -> None:
        if next(full, None) is not None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(path, *words)

    monkeypatch.setattr(record_takes, "write_whole", fills)
    if kept:
        assert sweep(tmp_path, monkeypatch, unhurried("mock", 2.0), "", "", *answers) == 1
        (line,) = lines(tmp_path)
        assert line.path.exists()
    else:
        with pytest.raises(RecordingsFull, match="No space left"):
            sweep(tmp_path, monkeypatch, unhurried("mock", 2.0), "", "", *answers)
        assert not (tmp_path / "mine" / store.LIST).exists()
    said = capsys.readouterr().err
    assert said.count("This take is not written yet: ") == times
    assert "make room on the disk" in said


def test_a_microphone_that_comes_back_slow_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A headset that is a telephone's from the second take on: only the first was looked at."""
    clock, rates = VirtualClock(), iter([float(RATE), 22050.0])

    def opened(beads: int) -> Any:
        rate = next(rates)
        quiet = 3e-5 * np.random.default_rng(0).standard_normal(round(rate / 2)).astype(np.float32)
        sound = [quiet, rattle(beads, 2, rate=round(rate))]
        return MockCapture(sound, clock, lambda s: clock.set(clock.now() + s), rate=rate, endless=True)

    assert sweep(tmp_path, monkeypatch, opened, "", "", "", "") == 2
    assert capsys.readouterr().err.count("This recording has only 22050 Hz, without the highest bands") == 1


@pytest.mark.parametrize(("value", "noise", "mute"), [(0.0, 0.0, True), (0.3, 0.0, True), (0.0, 3e-5, False)])
def test_an_input_that_gives_one_value_is_mute(
    value: float, noise: float, mute: bool, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """It was said to be perhaps the wrong one."""
    clock = VirtualClock()
    sound = (value + noise * np.random.default_rng(0).standard_normal(70 * 16000)).astype(np.float32)

    def opened(beads: int) -> Any:
        return MockCapture([sound], clock, lambda s: clock.set(clock.now() + s), rate=16000.0)

    assert sweep(tmp_path, monkeypatch, opened, "", "q") == 0
    said = capsys.readouterr().err
    assert "Nothing was heard for a minute" in said
    assert ("the input gives one value throughout, as when it is muted" in said) == mute
    assert ("check that the right input is chosen" in said) != mute
