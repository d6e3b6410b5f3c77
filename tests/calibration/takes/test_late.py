"""A take whose shake comes after all that is heard of it: it is told so, and not that its sensor is mute."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import soundfile

from calibration.recordings.folder import Recording
from calibration.takes.features import LONGEST_TAKE_S, hear
from sensors.ear.errors import SoundError
from sensors.ear.frames.frontend import Sensor, front_ends_for
from table.cli import run
from tests.rattle import RATE, Sound, rattle, shaken_sensor

SLOW = 1600
LATE = r"late\.wav holds nothing in its first 60 s, and no more of it is heard – cut it to the {0}"


def late(
    folder: Path, samples: Sound, rate: int, sensor: Sensor, before: float, noise: float = 0.0
) -> Recording:
    """With `before` (of each channel) for a minute and a bit before it."""
    random = np.random.default_rng(1)
    waited = np.full((round((LONGEST_TAKE_S + 1) * rate), *samples.shape[1:]), before, np.float32)
    waited += noise * random.standard_normal(waited.shape).astype(np.float32)
    soundfile.write(folder / "late.wav", np.concatenate([waited, samples]), rate, subtype="FLOAT")
    return Recording(folder, "late.wav", sensor, 7)


@pytest.mark.parametrize("gesture", [None, "knock"])
def test_a_shake_after_a_minute_is_told_as_that(tmp_path: Path, gesture: str | None) -> None:
    heard = late(tmp_path, rattle(7, 1), RATE, "microphone", 0.0)
    heard.more.update({} if gesture is None else {"gesture": gesture})
    with pytest.raises(SoundError, match=LATE.format(gesture or "shake")):
        hear(heard, front_ends_for("microphone", RATE)[0])


def test_an_accelerometer_that_lay_for_a_minute_is_not_mute(tmp_path: Path) -> None:
    felt = late(tmp_path, shaken_sensor(7, 1), SLOW, "accelerometer", 0.58)
    with pytest.raises(SoundError, match=LATE.format("shake")):
        hear(felt, front_ends_for("accelerometer", SLOW)[0])


def test_what_is_no_sound_for_a_minute_is_told_first(tmp_path: Path) -> None:
    mad = late(tmp_path, rattle(7, 1), RATE, "microphone", 0.0, 3e5)
    with pytest.raises(SoundError, match="far beyond full scale"):
        hear(mad, front_ends_for("microphone", RATE)[0])


def test_evaluate_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    late(tmp_path, rattle(7, 1), RATE, "microphone", 0.0)
    line = {"file": "late.wav", "sensor": "microphone", "beads": 7}
    (tmp_path / "recordings.jsonl").write_text(json.dumps(line) + "\n")
    assert run(["calibrate", "igloos", "evaluate", str(tmp_path), "--profile", "contact"]) == 2
    said = capsys.readouterr().err
    assert "holds nothing in its first 60 s" in said
    assert "check the plug" not in said
