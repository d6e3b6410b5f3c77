"""What the hand did otherwise with fuller igloos, in every sitting alike: it tells the count, and is no bead.

A fit learns that whoever shook harder held more, leaving sessions out shows nothing of it, and igloos that are shaken
alike are told wrongly. Of four simulated worlds' sweeps and the real matchbox's, a hand's strength and the length of
the shake went with ln N by a correlation of .32 at most within sittings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.takes import Row
from sensors.ear.frontend import Floats

LEAST_TAKES = 24
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
            f"{self.what} goes with the count in every sitting alike (correlation {self.correlation:.2f}): a fit takes "
            "that for beads, and figures say nothing of igloos that are shaken alike, even with whole sessions left "
            "out; record sweeps, all igloos shaken as hard and as long"
        )


def along_counts(rows: Sequence[Row]) -> list[AlongCounts]:
    """What goes with the counts of these takes, the most clear first; empty where nothing does."""
    known = [r for r in rows if r.recording.beads and r.recording.rejected is None]
    if len(known) < LEAST_TAKES:
        return []
    beads = np.log([float(r.recording.beads or 1) for r in known])
    # a hand's strength is in g where it is felt, else in strokes a second
    of = [(r.recording.occasion, r.recording.kind) for r in known]
    sittings = np.array([sorted(set(of)).index(one) for one in of])
    candidates = {
        "how hard the hand shook": np.array([r.shake.strength for r in known]),
        "how long the shake was": np.log([r.shake.seconds for r in known]),
    }
    found = [
        AlongCounts(what, _within(values, beads, sittings), len(known)) for what, values in candidates.items()
    ]
    return sorted((f for f in found if f.clear), key=lambda f: -abs(f.correlation))


def _within(values: Floats, beads: Floats, sittings: npt.NDArray[np.intp]) -> float:
    """Their correlation, each sitting's mean taken off."""
    a, b = (x - (np.bincount(sittings, x) / np.bincount(sittings))[sittings] for x in (values, beads))
    size = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / size if size > 1e-9 else 0.0
