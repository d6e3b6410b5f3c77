"""What is left out together: whole sessions, players or devices, never single takes of a sitting that is trained on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from calibration.recordings.folder import Recording
from calibration.recordings.one_shake import united

Unit = Literal["session", "device", "player"]
MOST_FOLDS = 24
LEAST_FOLDS = 3


def key_of(recording: Recording, unit: Unit) -> str:
    """The name of a recording's session (on its device), device or player."""
    if unit == "session":
        return recording.occasion
    return (recording.device if unit == "device" else recording.player) or ""


def number(keys: Sequence[str]) -> npt.NDArray[np.intp]:
    """Labels 0, 1, 2, … in the order of the sorted names."""
    _, numbers = np.unique(np.array(keys, dtype=str), return_inverse=True)
    return numbers.astype(np.intp)


def inner_folds(recordings: Sequence[Recording], unit: Unit | None) -> tuple[npt.NDArray[np.intp], str]:
    """Folds for choosing penalties, noise and threshold during a fit, and their unit in words. Figures on them are
    optimistic.

    The coarsest unit of which there are enough: three devices (two, where devices are asked for), three players or two
    sessions (or the unit asked for). With too few sessions, takes of one session are left out by turns, and the unit
    says so, because that flatters. All recordings of one shake are in one fold (`calibration.recordings.one_shake`).
    """
    units: list[Unit] = [unit] if unit is not None else ["device", "player"]
    for candidate in [*units, "session"] if "session" not in units else units:
        numbers = number(united(recordings, [key_of(r, candidate) for r in recordings]))
        if numbers.max(initial=0) + 1 >= (2 if candidate == "session" or unit == "device" else LEAST_FOLDS):
            return _at_most(numbers, MOST_FOLDS), str(candidate)
    sets = number(united(recordings, [r.set or r.file for r in recordings]))
    if sets.max(initial=0) + 1 < LEAST_FOLDS:
        # in the order of the list: file names often contain the count
        sets = number(united(recordings, [f"{i:09d}" for i in range(len(recordings))]))
    return _at_most(sets, 6), "takes of one session"


def _at_most(numbers: npt.NDArray[np.intp], most: int) -> npt.NDArray[np.intp]:
    if numbers.max(initial=0) < most:
        return numbers
    folded: npt.NDArray[np.intp] = numbers % most
    return folded
