"""What the hand did otherwise with fuller igloos, within sittings: it tells the count, and is no bead.

A fit learns that whoever shook harder held more, leaving sessions out shows nothing of it, and igloos that are shaken
alike are told wrongly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.recordings.sweep import LEAST_TAKES
from calibration.takes.features import Row
from sensors.ear.frames.frontend import Floats

CLEAR = 0.6  # correlation within sittings
STANDARD_ERRORS = 4.0  # of none


@dataclass(frozen=True, slots=True)
class AlongCounts:
    """So closely (a correlation) does `what` go with the count within sittings."""

    what: str
    correlation: float
    takes: int

    @property
    def clear(self) -> bool:
        """Is it much, and more than chance would do?"""
        return abs(self.correlation) >= max(CLEAR, STANDARD_ERRORS / float(np.sqrt(max(1, self.takes))))

    def sentence(self) -> str:
        return (
            f"{self.what} goes with the count within sittings (correlation {self.correlation:.2f}): a fit takes "
            "that for beads, and figures say nothing of igloos that are shaken alike, even with whole sessions left "
            "out; record sweeps, all igloos shaken as hard and as long"
        )


def along_counts(rows: Sequence[Row]) -> list[AlongCounts]:
    """What goes with the counts of these takes, the most clear first; empty where nothing does."""
    known = [r for r in rows if r.recording.beads and r.recording.rejected is None]
    # only where it is felt: of what is heard alone it is strokes a second, and those of few beads are often missed
    felt = [r for r in known if r.shake.front.hand]
    found = [
        _asked("how hard the hand shook", felt, [r.shake.strength for r in felt]),
        _asked("how long the shake was", known, [float(np.log(r.shake.seconds)) for r in known]),
    ]
    return sorted((f for f in found if f.clear), key=lambda f: -abs(f.correlation))


def _asked(what: str, rows: Sequence[Row], values: Sequence[float]) -> AlongCounts:
    if len(rows) < LEAST_TAKES:
        return AlongCounts(what, 0.0, len(rows))
    beads = np.log([float(r.recording.beads or 1) for r in rows])
    of = [(r.recording.occasion, r.recording.kind) for r in rows]
    sittings = np.array([sorted(set(of)).index(one) for one in of])
    return AlongCounts(what, _within(np.array(values), beads, sittings), len(rows))


def _within(values: Floats, beads: Floats, sittings: npt.NDArray[np.intp]) -> float:
    """Their correlation, each sitting's mean taken off."""
    a, b = (x - (np.bincount(sittings, x) / np.bincount(sittings))[sittings] for x in (values, beads))
    size = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / size if size > 1e-9 else 0.0
