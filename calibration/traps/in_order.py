"""Igloos taken in the order of their counts: whatever drifts within a sitting goes with the count.

A hand tires, beads grow warm, a battery runs low, the microphone is nudged. Strength, pace, length and background are
measured (`calibration.traps.along_counts`), but not all that may drift can be. So this is a doubt beside figures, and
never refuses them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy  # its parts are loaded when they are first asked

from calibration.recordings.folder import Recording
from calibration.recordings.sweep import LEAST_TAKES
from calibration.traps.by_the_clock import Moment, coarse, moment

# between the rank of a take in its sitting and that of its count; 4 standard errors of none, for the fewest takes
IN_ORDER = 0.8


@dataclass(frozen=True, slots=True)
class InOrder:
    """The correlation of the takes' order with their counts within sittings."""

    correlation: float

    @property
    def what(self) -> str:
        return "the order of the takes"

    @property
    def refuses(self) -> bool:
        """What drifts may matter little."""
        return False

    def sentence(self) -> str:
        return (
            f"within sittings {self.what} goes with the count (correlation {self.correlation:.2f}): what changes "
            "meanwhile, as a hand that tires, goes with it as well, and a fit takes that for beads; record sweeps, all "
            "igloos in random order"
        )

    def advice(self) -> str:
        return (
            "Record sweeps in random order: the igloos were taken in the order of their counts, so whatever changed "
            "meanwhile went with the count."
        )


def in_order(recordings: Sequence[Recording]) -> InOrder | None:
    """Were most igloos taken in the order of their counts? Sittings in opposite order cancel out."""
    correlation = order_of(recordings)
    return None if correlation is None or abs(correlation) < IN_ORDER else InOrder(correlation)


def order_of(recordings: Sequence[Recording]) -> float | None:
    """The correlation of the takes' order with their counts within sittings; None where too few tell when they were
    taken."""
    known = [r for r in recordings if r.kept_with_count]
    if coarse(known):
        return None
    # two sensors' recordings of one shake are one
    sittings: dict[str, set[Moment]] = defaultdict(set)
    for r in known:
        if (made := moment(r)) is not None:
            sittings[r.occasion].add(made)
    places, counts = [], []
    for takes in sittings.values():
        at, beads = np.array(sorted(takes)).T
        place, count = (scipy.stats.rankdata(x) for x in (at, beads))
        places += (place - place.mean()).tolist()
        counts += (count - count.mean()).tolist()
    a, b = np.array(places), np.array(counts)
    size = float(np.sqrt((a @ a) * (b @ b)))
    if len(a) < LEAST_TAKES or 2 * sum(moment(r) is not None for r in known) <= len(known) or not size:
        return None
    return float(a @ b) / size
