"""Whether a take is clipped does not depend on what is beside its shake: `evaluate` says what `listen` says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile

from calibration.recordings.folder import Recording
from calibration.takes.clipped import STEP_S, Clipped
from calibration.takes.features import hear
from sensors.ear.frames.clipping import SHARE
from sensors.ear.frames.frontend import front_end_for
from sensors.ear.listener import Listener
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.sources.sound_file import open_sound
from sensors.evidence import Heard
from tests.rattle import RATE, rattle

SHAKEN_S = 1.5


def in_play(path: Path) -> list[bool]:
    """What `listen` says of each shake."""
    file = open_sound(path)
    ear = Listener(load_shipped("microphone"), file.rate, file.channels, path.name, fine=file.fine)
    said = [*(one for block in file.blocks() for one in ear.push(block)), *ear.finish()]
    return [one.clipped for one in said if isinstance(one, Heard)]


@pytest.mark.parametrize(("part", "clipped"), [(1.15, True), (0.6, False)])
@pytest.mark.parametrize("beside_s", [0.0, 0.45, 0.9])
def test_silence_beside_a_shake_makes_it_no_longer(
    tmp_path: Path, beside_s: float, part: float, clipped: bool
) -> None:
    """`part`: of the samples that make a shake of that length clipped."""
    shake, path = rattle(7, 3, seconds=SHAKEN_S), tmp_path / "x.wav"
    cut_off = round(part * SHARE["microphone"] * SHAKEN_S * RATE)
    loud = np.clip(shake / np.sort(np.abs(shake))[-cut_off], -1, 1)
    quiet = 1e-5 * np.random.default_rng(1).standard_normal(round(beside_s * RATE))
    samples = np.concatenate([quiet, loud, quiet, np.zeros(RATE)])
    soundfile.write(path, samples.astype(np.float32), RATE, subtype="FLOAT")
    row = hear(Recording(tmp_path, "x.wav", "microphone", 7), front_end_for("microphone", RATE))
    assert [row.clipped] == in_play(path) == [clipped]


def test_what_is_clipped_beside_a_shake_is_not_the_shake_s() -> None:
    told, second = Clipped("microphone", RATE), np.zeros((RATE, 1), np.float32)
    blow = second.copy()
    blow[: RATE // 100] = 1.0
    told.push(np.concatenate([second, blow]))
    assert not told.during(0.0, 1.0 - STEP_S)
    assert not told.during(1.0 + STEP_S, 2.0)
    assert told.during(0.5, 1.5)
