"""A shake in a long recording is the same shake: a phone left running for half a minute spoils no fit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile

from calibration.recordings.folder import Recording
from calibration.takes.features import Row, hear
from sensors.ear.frames.frontend import Sensor, front_ends_for
from sensors.ear.listener import Listener
from sensors.ear.profiles.profile import load_shipped
from sensors.evidence import Heard
from tests.rattle import RATE, rattle, shaken_sensor


def heard(path: Path, sensor: Sensor, beside_s: float) -> list[Row]:
    """The same shake with so much of its own background on either side."""
    shake, rate = (rattle(3, 1), RATE) if sensor == "microphone" else (shaken_sensor(3, 1), 1600)
    alone = shake.reshape(len(shake), -1)
    quiet, random = alone[: rate // 4], np.random.default_rng(1)
    many = round(beside_s * rate)
    before, after = (
        quiet.mean(axis=0) + quiet.std(axis=0) * random.standard_normal((many, alone.shape[1]))
        for _ in range(2)
    )
    soundfile.write(path, np.concatenate([before, alone, after]).astype(np.float32), rate, subtype="FLOAT")
    recording = Recording(path.parent, path.name, sensor, 3)
    return [hear(recording, front) for front in front_ends_for(sensor, rate)]


@pytest.mark.parametrize("sensor", ["microphone", "accelerometer"])
@pytest.mark.parametrize("beside_s", [5.0, 13.0])
def test_what_is_beside_a_shake_is_no_part_of_it(tmp_path: Path, sensor: Sensor, beside_s: float) -> None:
    alone, amid = (heard(tmp_path / "x.wav", sensor, beside) for beside in (0.0, beside_s))
    for one, other in zip(alone, amid, strict=True):
        assert other.shake.start_s - beside_s == pytest.approx(one.shake.start_s, abs=0.05)
        assert other.shake.seconds == pytest.approx(one.shake.seconds, abs=0.05)
        assert other.shake.strokes == one.shake.strokes
        assert other.snr_db == pytest.approx(one.snr_db, abs=2.0)


def test_a_shake_that_is_as_steady_as_a_noise_is_not_cut(tmp_path: Path) -> None:
    """So is a box with many small beads; a part of it was found, and the rest of what was shaken was left out."""
    random = np.random.default_rng(3)
    # hits beyond counting, over which a level that rises and falls for a second alone
    steady = 0.01 * random.standard_normal(8 * RATE) * (1 + 0.4 * random.random(8 * RATE))
    at = np.arange(3 * RATE, 4 * RATE)
    steady[at] *= 1 + 2 * (at % (RATE // 5) < RATE // 20)
    alone = Recording(tmp_path, "x.wav", "microphone", 3)
    soundfile.write(alone.path, steady.astype(np.float32), RATE, subtype="FLOAT")
    (front, *_) = front_ends_for("microphone", RATE)
    assert hear(alone, front).shake.seconds > 7.0


@pytest.mark.parametrize("sensor", ["microphone", "accelerometer"])
def test_it_is_known_how_a_stream_would_cut_it(tmp_path: Path, sensor: Sensor) -> None:
    row = heard(tmp_path / "x.wav", sensor, 1.5)[0]
    sound, rate = soundfile.read(tmp_path / "x.wav", dtype="float32", always_2d=True)
    ear = Listener(load_shipped(sensor), rate, sound.shape[1], "x", fine=True)
    (said,) = (said for said in (*ear.push(sound), *ear.finish()) if isinstance(said, Heard))
    assert row.in_play is not None
    (cut,) = row.in_play
    assert (cut.start_s, cut.end_s) == pytest.approx((said.start_s, said.end_s), abs=0.002)
    assert cut.snr_db == pytest.approx(said.snr_db, abs=0.02)
