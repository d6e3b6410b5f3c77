"""The level of a room is taken of where nobody shook, and of no few moments beside a shake."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile

from calibration.recordings.folder import Recording
from calibration.takes.features import Row, hear
from sensors.ear.frames.frontend import front_end_for
from tests.rattle import RATE, rattle


def heard(path: Path, beside_s: float, noise: float, beads: int = 7) -> Row:
    """A shake with so much beside it, in noise of this strength."""
    quiet = np.zeros(round(abs(beside_s) * RATE))
    alone = rattle(beads, 3, seconds=1.5)
    sound = np.concatenate([quiet, alone, quiet]) if beside_s > 0 else alone[len(quiet) : -len(quiet)]
    sound += noise * np.random.default_rng(1).standard_normal(len(sound))
    soundfile.write(path, sound.astype(np.float32), round(RATE), subtype="FLOAT")
    return hear(Recording(path.parent, path.name, "microphone", beads), front_end_for("microphone", RATE))


def test_the_background_is_of_what_is_beside_the_shake(tmp_path: Path) -> None:
    soft, loud = (heard(tmp_path / "x.wav", 0.5, noise).quiet_db for noise in (1e-4, 1e-3))
    assert soft is not None
    assert loud is not None
    assert loud - soft == pytest.approx(20.0, abs=1.0)
    other = heard(tmp_path / "x.wav", 0.5, 1e-3, beads=13).quiet_db
    assert other == pytest.approx(loud, abs=1.0)  # no bead is in it


def test_what_is_moved_for_a_moment_beside_a_shake_is_not_the_room(tmp_path: Path) -> None:
    """The quieter quarter is: beads rattle on, and the igloo is put down."""
    alone = heard(tmp_path / "x.wav", 0.5, 1e-4).quiet_db
    sound, rate = soundfile.read(tmp_path / "x.wav")
    sound[-rate // 4 :] *= 10.0
    soundfile.write(tmp_path / "x.wav", sound, rate, subtype="FLOAT")
    again = hear(Recording(tmp_path, "x.wav", "microphone", 7), front_end_for("microphone", RATE)).quiet_db
    assert again == pytest.approx(alone, abs=0.5)


def test_of_a_take_that_is_cut_close_nobody_knows_it(tmp_path: Path) -> None:
    assert heard(tmp_path / "x.wav", -0.9, 1e-4).quiet_db is None
