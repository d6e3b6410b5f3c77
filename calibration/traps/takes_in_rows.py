"""Takes without times that each name a session of their own: does the list reveal unnamed sittings?

Leaving such a session out leaves out a single take, while takes recorded beside it are fitted on. In a sweep that is as
good as a session, because neighbouring takes are of other igloos. In rows of one igloo it is not, and a list is mostly
in the order of recording. But a list may also be sorted, so rows alone prove nothing: after the mean sound of its count
is subtracted, takes of one row must be more alike than takes on either side of a row's end. In sorted sweeps, both are
from the same sittings and equally alike.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from calibration.takes.features import Row
from calibration.traps.by_the_clock import timed
from calibration.traps.nearness import BEYOND_CHANCE, background, loudness, scaled
from sensors.ear.frames.frontend import Floats

OF_THEIR_OWN = 0.5  # least share of takes with a session of their own
LEAST_COUNTS_IN_ROWS = 4  # with fewer, there are too few rows
LEAST_PAIRS = (12, 6)  # of neighbours inside rows, and across the end of a row
CLEAR = 0.3  # by how much more than half the time neighbours in a row must be the more alike


@dataclass(frozen=True, slots=True)
class InRows:
    """The share of takes with a session of their own; by `what` those in one row of the list are alike."""

    what: str
    takes: int
    of: int

    @property
    def refuses(self) -> bool:
        return True

    def advice(self) -> str:
        return "Give one sitting one session in recordings.jsonl, and record sweeps: all igloos once, in random order."

    def sentence(self) -> str:
        """Why figures may flatter, and what to do."""
        return (
            f"{self.takes} of {self.of} takes name a session of their own and not when they were made, and by "
            f"{self.what} those of one igloo that stand in a row in the list are of one sitting: nothing tells how "
            "many sittings these were, so figures with sessions left out may flatter; give one sitting one session in "
            "recordings.jsonl, and record sweeps (all igloos in random order)"
        )


def in_rows(rows: Sequence[Row]) -> InRows | None:
    """Are most of these takes in sessions of their own, and, by ear, in rows of one igloo?"""
    known = [r for r in rows if r.recording.kept_with_count]
    times = Counter(r.recording.occasion for r in known)
    alone = [r for r in known if r.recording.session and times[r.recording.occasion] == 1]
    # the clock tells more about rows than an ear, but not where all takes of a hand have the same hour
    by_hand = [replace(r.recording, session=None) for r in alone]
    if len(alone) <= OF_THEIR_OWN * len(known) or timed(by_hand):
        return None
    for what, alike in (("loudness", loudness(alone)), ("the background", background(alone))):
        if _clear(alone, alike):
            return InRows(what, len(alone), len(known))
    return None


def _clear(rows: Sequence[Row], values: Floats) -> bool:
    """Is a neighbour in the same row more often the more alike than one in the next row, by more than chance?"""
    z = scaled(values)
    inside: list[float] = []
    across: list[float] = []
    counts: set[int] = set()
    for mine in _lists(rows):
        beads = np.array([rows[i].recording.beads or 0 for i in mine], dtype=np.intp)
        number = np.concatenate([[0], np.cumsum(beads[1:] != beads[:-1])])
        rest, usable = _less_mean_of_rows(z[mine], beads, number)
        apart = np.square(rest[1:] - rest[:-1]).sum(axis=1)
        both, same = usable[1:] & usable[:-1], beads[1:] == beads[:-1]
        inside += apart[both & same].tolist()
        across += apart[both & ~same].tolist()
        counts |= set(beads[usable].tolist())
    if len(counts) < LEAST_COUNTS_IN_ROWS or len(inside) < LEAST_PAIRS[0] or len(across) < LEAST_PAIRS[1]:
        return False
    near, far = np.array(inside)[:, None], np.array(across)[None]
    more_alike = float((near < far).mean() + 0.5 * (near == far).mean())  # Mann–Whitney
    spread = float(np.sqrt((near.size + far.size + 1) / (12 * near.size * far.size)))
    return more_alike - 0.5 > max(CLEAR, BEYOND_CHANCE * spread)


def _lists(rows: Sequence[Row]) -> list[list[int]]:
    """Neighbours in the list: takes of one hand and one sensor on one set of igloos, in order."""
    out: dict[tuple[str | None, ...], list[int]] = defaultdict(list)
    for i, row in enumerate(rows):
        r = row.recording
        out[r.device, r.player, r.kind, r.place, r.gesture].append(i)
    return list(out.values())


def _less_mean_of_rows(
    z: Floats, beads: npt.NDArray[np.intp], number: npt.NDArray[np.intp]
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Residuals after subtracting the mean of each count's rows; and which are of a count with several rows, because a
    single row is nothing but its count."""
    out, usable = z.copy(), np.zeros(len(z), bool)
    for n in np.unique(beads):
        its_rows = np.unique(number[beads == n])
        if len(its_rows) > 1:
            usable[beads == n] = True
            out[beads == n] -= np.mean([z[number == k].mean(axis=0) for k in its_rows], axis=0)
    return out, usable
