"""A profile that knows the rattle of these tests."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from calibration.fitting.fit import fit
from calibration.recordings.folder import Recording
from calibration.takes.features import Row
from sensors.ear.frames.frontend import Envelopes, front_end_for
from sensors.ear.profiles.profile import Profile
from sensors.ear.shakes.shake import shake_of
from tests.rattle import RATE, rattle, shaken_sensor


@cache
def rattle_profile(sensor: str = "microphone") -> Profile:
    """Fitted on rattles of 2…13 by three "people"; on fewer of an accelerometer, for whose hand beads are imagined."""
    rows = []
    for session in range(3):
        for beads in range(2, 14) if sensor == "microphone" else (2, 5, 8, 11):
            sound = (
                rattle(beads, session)[:, None] if sensor == "microphone" else shaken_sensor(beads, session)
            )
            rate = RATE if sensor == "microphone" else 1600
            front = front_end_for(sensor, rate)  # type: ignore[arg-type]
            shake = shake_of(front, Envelopes(front, rate, sound.shape[1]).push(sound))
            assert shake is not None
            recording = Recording(Path(), f"{session}-{beads}", sensor, beads, session=f"s{session}")  # type: ignore[arg-type]
            rows.append([Row(recording, rate, shake, 40.0, False, -80.0)])
    return fit(rows).profile
