"""What finds shakes, or gestures, among the levels of a sensor."""

from __future__ import annotations

from collections.abc import Callable

from sensors.ear.frames.finder import FADED_DB, SILENCE_S, Finder
from sensors.ear.frames.frontend import Sensor
from sensors.ear.frames.levels import silent_db
from sensors.ear.shakes.moves import MOVE_SILENCE_S

# Nobody else is felt on the shell, and no echo dies away there. Strokes of two to four beads differ by more than the
# 18 dB of a room, and were told as two shakes. Verdicts come some 10 ms later for it; with 30 dB, later still.
FELT_FADED_DB = 24.0


def finder_for(
    sensor: Sensor, hits: Callable[[int, int], bool], *, guided: bool, fine: bool = False
) -> Finder:
    """`hits`: as a `Finder` asks; `guided`: gestures, whose blows are further apart than strokes; `fine`: of a file of
    more than 16 bits."""
    silent = silent_db(sensor, fine)
    if guided:
        return Finder(silent, MOVE_SILENCE_S, hits)
    return Finder(silent, SILENCE_S, hits, FELT_FADED_DB if sensor == "accelerometer" else FADED_DB)
