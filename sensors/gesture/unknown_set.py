"""A set without labels: all its igloos are weighed once, and only the collection of their counts is known.

The loose mass, b = t − κ·sideways, is proportional to the count, so the order of b is the order of the counts, and κ is
the value for which all twelve lie on a line through zero. No bead has to be weighed, and no igloo opened or looked
under.

Where igloos are missing, it is unknown which counts are there. Each assignment of counts to igloos has its own line,
with its κ and its bead, and its probability follows from how well the weights lie on it. A gap between two weights
shows that a count is missing there; at the ends, other counts can hardly be told from another κ.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy  # its parts are loaded when they are first asked

from sensors.gesture.model import KAPPA, KAPPA_SPREAD, Weighing
from sensors.gesture.ways import USUAL_BEAD, USUAL_SPREAD, Lines, all_ways

LEAST_IGLOOS = 4  # fewer fit many lines
NEARLY_NONE = 0.5  # beads; stands in for the logarithm of an empty igloo's count
MOST_CHOICES = 200_000  # choices of counts: ten igloos of twenty
UNHEARD_OF = 1e-4  # probability that a weight belongs to any count whatever


@dataclass(frozen=True, slots=True)
class Sorted:
    """The best count for each igloo, each count once; the marginal probabilities of all counts, over all lines and
    assignments; the posterior means of κ and of one bead's b; and how far the answers are off that line (RMS, in
    beads)."""

    best: Mapping[str, int]
    probabilities: Mapping[str, Mapping[int, float]]
    kappa: float
    bead: float
    off: float


def sort_set(weighings: Mapping[str, Weighing], counts: Sequence[int]) -> Sorted:
    """Assign `counts` (each at most once) to the igloos. Raises ValueError for fewer than four igloos, for more igloos
    than counts, and where so many are missing that there are too many choices."""
    names, listed = list(weighings), sorted(counts)
    if not LEAST_IGLOOS <= len(names) <= len(listed):
        raise ValueError(f"{len(names)} igloos cannot be sorted into {len(listed)} counts without labels")
    if math.comb(len(listed), len(names)) > MOST_CHOICES:
        raise ValueError(f"too many of {len(listed)} counts are missing where only {len(names)} igloos are")
    lines = Lines([weighings[name] for name in names])
    ways = all_ways(lines, listed)
    p = np.exp(ways.log - ways.log.max())
    p /= p.sum()
    odds = np.zeros((len(names), len(listed)))
    for igloo, column in enumerate(np.searchsorted(listed, ways.counts).T):
        np.add.at(odds[igloo], column, p)
    odds = (1 - UNHEARD_OF) * odds + UNHEARD_OF / len(listed)
    _, best = scipy.optimize.linear_sum_assignment(-odds)
    kappa, bead = float(p @ ways.kappa), float(p @ ways.bead)
    off = lines.loose(kappa) / bead - np.array(listed)[best]
    return Sorted(
        {name: listed[column] for name, column in zip(names, best, strict=True)},
        {name: dict(zip(listed, row.tolist(), strict=True)) for name, row in zip(names, odds, strict=True)},
        kappa,
        bead,
        float(np.sqrt(np.mean(off**2))),
    )


def alone(weighing: Weighing, counts: Sequence[int]) -> dict[int, float]:
    """Probabilities for one igloo of a set that was never weighed: a large loose mass means many beads, or large
    ones."""
    b = max(weighing.upright - KAPPA * weighing.sideways, 1e-5)
    doubt = math.hypot(USUAL_SPREAD, KAPPA * KAPPA_SPREAD * weighing.sideways / b)
    z = (np.log(b / USUAL_BEAD) - np.log(np.maximum(counts, NEARLY_NONE))) / doubt
    p = np.exp(-0.5 * z * z)
    return {n: float(v) for n, v in zip(counts, p / p.sum(), strict=True)}
