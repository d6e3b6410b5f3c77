"""The trap of takes in a row: does the sitting give the count away?

Where most takes of a count were made in one sitting, its gain, place and background are the count's: nearest
neighbours on loudness alone "predict" it, as long as other takes of the same sitting may be looked at. Left to other
sittings they are at a loss. A folder like that yields flattering figures for everything but whole sessions left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.takes import Row
from sensors.ear.frontend import Floats

NEIGHBOURS = 3
LEAST_TAKES = 24
CLEAR_GAP = 0.12  # by which loudness must do better inside sittings than across them
STANDARD_ERRORS = 3.0


@dataclass(frozen=True, slots=True)
class Confounding:
    """Shares of counts that `what` alone tells, with takes of the same sitting at hand and without them."""

    what: str
    inside: float
    across: float
    takes: int

    @property
    def clear(self) -> bool:
        """Is it more than chance would do?"""
        spread = np.sqrt(max(self.inside * (1 - self.inside), 0.02) / max(1, self.takes))
        return self.inside - self.across > max(CLEAR_GAP, STANDARD_ERRORS * float(spread))

    def sentence(self) -> str:
        return (
            f"{self.what} alone tells {self.inside:.2f} of the counts inside sittings, {self.across:.2f} across them: "
            "the sitting gives the count away, so only figures with whole sessions left out mean anything; "
            "record sweeps (all igloos in random order), not many takes of one igloo in a row"
        )


def look(rows: Sequence[Row]) -> list[Confounding]:
    """What gives the counts of these recordings away, clearest first; empty where nothing does."""
    known = [r for r in rows if r.recording.beads is not None and r.recording.rejected is None]
    if len(known) < LEAST_TAKES or len({r.recording.occasion for r in known}) < 2:
        return []
    beads = np.array([r.recording.beads for r in known])
    _, sittings = np.unique([r.recording.occasion for r in known], return_inverse=True)
    names = tuple(  # that all have: a folder may hold sensors of several kinds
        n
        for n in known[0].shake.names
        if n.startswith("size.mean_") and all(n in r.shake.names for r in known)
    )
    candidates = {
        "loudness": np.array([r.shake.pick(names) for r in known]),
        "the background": np.array([[r.background_db] for r in known]),
    }
    found = []
    for what, values in candidates.items():
        inside = _neighbours(values, beads, np.zeros_like(sittings), own=True)
        across = _neighbours(values, beads, sittings, own=False)
        found.append(Confounding(what, inside, across, len(known)))
    return sorted((f for f in found if f.clear), key=lambda f: f.across - f.inside)


def _neighbours(
    values: Floats, beads: npt.NDArray[np.intp], groups: npt.NDArray[np.intp], own: bool
) -> float:
    """Share of counts that the nearest takes tell; `own`: takes of the same group may be among them."""
    z = (values - np.median(values, axis=0)) / (values.std(axis=0) + 1e-9)
    right = 0
    for i in range(len(z)):
        distance = np.square(z - z[i]).sum(axis=1)
        distance[i] = np.inf
        if not own:
            distance[groups == groups[i]] = np.inf
        near = beads[np.argsort(distance, kind="stable")[:NEIGHBOURS]]
        kinds, votes = np.unique(near, return_counts=True)
        right += int(kinds[np.argmax(votes)] == beads[i])
    return right / len(z)
