"""A take as the traps get it: a rattle, of a session and with a background by chance."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from calibration.recordings.folder import Recording
from calibration.takes.features import Row
from sensors.ear.frames.frontend import Envelopes, front_end_for
from sensors.ear.shakes.shake import shake_of
from tests.rattle import RATE, rattle


def row(beads: int, session: str, seed: int, loudness: float) -> Row:
    front = front_end_for("microphone", RATE)
    sound = loudness * rattle(beads, seed, seconds=0.8)[:, None]
    shake = shake_of(front, Envelopes(front, RATE, 1).push(sound.astype(np.float32)))
    assert shake is not None
    recording = Recording(Path(), f"{seed}", "microphone", beads, session=session)
    return Row(recording, RATE, shake, 40.0, False, -60.0 + float(np.random.default_rng(seed).normal()))
