"""A set that nobody has labelled: all its igloos weighed once, and the counts that stand in them known as a whole.

What is loose, b = t − κ·sideways, is proportional to the count, so the order of b is the order of the counts, and κ is
the one for which all twelve lie on one line through nothing. No bead need be weighed, no igloo opened or looked under.

Where igloos are missing nobody knows which counts stand there. Each way of giving counts to the igloos has a line of
its own, with its κ and its bead, and is believed as well as the weights lie on it: a gap between two weights tells that
a count is missing there, while those at the ends can hardly be told from other ones and another κ.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy  # its parts are loaded when they are first asked

from sensors.gesture.model import KAPPA, KAPPA_SPREAD, Weighing
from sensors.gesture.ways import USUAL_BEAD, USUAL_SPREAD, Lines, all_ways

LEAST_IGLOOS = 4  # fewer lie on many lines
NEARLY_NONE = 0.5  # beads: the logarithm of an empty igloo's
MOST_CHOICES = 200_000  # of counts: ten igloos of twenty
UNHEARD_OF = 1e-4  # so probable is it that a weight is of any count


@dataclass(frozen=True, slots=True)
class Sorted:
    """The answer for each igloo, each count once, and the probabilities of all counts, over all lines and all ways of
    giving them; κ and b of one bead as they are expected to be, and how far off that line the answers lie (RMS, in
    beads)."""

    best: Mapping[str, int]
    probabilities: Mapping[str, Mapping[int, float]]
    kappa: float
    bead: float
    off: float


def sort_set(weighings: Mapping[str, Weighing], counts: Sequence[int]) -> Sorted:
    """Which igloo holds which of `counts` (each at most once). Raises ValueError for fewer than four igloos, for more
    than there are counts, and where so many are missing that there are too many choices."""
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
    """One igloo of a set that nobody weighed: much that is loose means many beads, or large ones."""
    b = max(weighing.upright - KAPPA * weighing.sideways, 1e-5)
    doubt = math.hypot(USUAL_SPREAD, KAPPA * KAPPA_SPREAD * weighing.sideways / b)
    z = (np.log(b / USUAL_BEAD) - np.log(np.maximum(counts, NEARLY_NONE))) / doubt
    p = np.exp(-0.5 * z * z)
    return {n: float(v) for n, v in zip(counts, p / p.sum(), strict=True)}
