"""All assignments of counts to unlabelled igloos, and how well the weights lie on each one's line.

The loose mass, b = t − κ·sideways, is proportional to the count: t = κ·sideways + bead·count, with the scatter of b as
the error (Student's t, as in `model`), and priors from the seat as drawn and from usual beads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np

from sensors.gesture.model import (
    BEAD_SPREAD,
    FREEDOM,
    KAPPA,
    KAPPA_SPREAD,
    Floats,
    Noise,
    Weighing,
    student,
)

# b of one bead: 5.2 mm of glass on the seat as drawn; the ln spread covers 3–9 mm
USUAL_BEAD, USUAL_SPREAD = 0.0035, 0.8
LEAST_BEAD = 1e-6
AT_ONCE = 20_000  # choices that are fitted at once
FAR = 12.0  # in log probability below the best assignment: what is further off is dropped
MOST_TURNED, MOST_WAYS = 2_500, 10_000  # assignments that swap similar igloos, in one round and in all
ROUNDS = 8  # until κ, the bead and the residuals have converged


@dataclass(frozen=True, slots=True)
class Ways:
    """Assignments of counts to igloos: `counts` [ways, igloos]; each one's log probability, κ and bead."""

    counts: Floats
    log: Floats
    kappa: Floats
    bead: Floats

    def __add__(self, other: Ways) -> Ways:
        return Ways(
            np.concatenate([self.counts, other.counts]),
            np.concatenate([self.log, other.log]),
            np.concatenate([self.kappa, other.kappa]),
            np.concatenate([self.bead, other.bead]),
        )

    def near(self, best: float, most: int) -> Ways:
        """Those not far below `best`, and at most the `most` likeliest."""
        kept = np.argsort(-self.log)[:most]
        kept = kept[self.log[kept] > best - FAR]
        return Ways(self.counts[kept], self.log[kept], self.kappa[kept], self.bead[kept])


class Lines:
    """The best line through the weights, for many assignments at once. κ and the bead are integrated out by Laplace's
    method."""

    def __init__(self, weighings: Sequence[Weighing]) -> None:
        def each(values: Iterable[float]) -> Floats:
            return np.array(list(values), np.float64)

        self._noise = Noise()
        self._t = each(w.upright for w in weighings)
        self._side = each(w.sideways for w in weighings)
        self._taps = each(w.loose_taps for w in weighings)
        self._placings = each(w.placings for w in weighings)
        self._seen = each(w.scatter(KAPPA) for w in weighings)

    def loose(self, kappa: float) -> Floats:
        """b of each igloo."""
        return self._t - kappa * self._side

    def fit(self, counts: Floats) -> Ways:
        """Fit a line to each assignment; `counts` [ways, igloos]."""
        known = 1 / (KAPPA * KAPPA_SPREAD) ** 2
        kappa = np.full(len(counts), KAPPA)
        bead = np.maximum(counts @ self.loose(KAPPA) / np.sum(counts**2, axis=1), LEAST_BEAD)
        for last in range(ROUNDS + 1):
            sd = self._deviations(counts, bead)
            z = (self._t - kappa[:, None] * self._side - bead[:, None] * counts) / sd
            if last == ROUNDS:
                break
            weight = (FREEDOM + 1) / (FREEDOM + z**2) / sd**2
            a = np.sum(weight * self._side**2, axis=1) + known
            b = np.sum(weight * self._side * counts, axis=1)
            c = np.sum(weight * counts**2, axis=1)
            d = np.sum(weight * self._side * self._t, axis=1) + known * KAPPA
            e = np.sum(weight * counts * self._t, axis=1)
            sharp = a * c - b**2
            kappa, bead = (d * c - b * e) / sharp, np.maximum((a * e - b * d) / sharp, LEAST_BEAD)
        log = np.sum(student(z) - np.log(sd), axis=1) - np.log(sharp) / 2
        log -= ((kappa / KAPPA - 1) / KAPPA_SPREAD) ** 2 / 2
        log -= (np.log(bead / USUAL_BEAD) / USUAL_SPREAD) ** 2 / 2 + np.log(bead)
        return Ways(counts, log, kappa, bead)

    def _deviations(self, counts: Floats, bead: Floats) -> Floats:
        one = bead[:, None]
        own = (BEAD_SPREAD * one) ** 2 * counts
        return np.sqrt(self._noise.loose_variances(self._taps, self._placings, one, self._seen) + own)


def all_ways(lines: Lines, counts: Sequence[int]) -> Ways:
    """All assignments worth considering: every choice of counts in the order of the weights, and from these,
    repeatedly, those in which two igloos of neighbouring counts are swapped."""
    rank = np.argsort(np.argsort(lines.loose(KAPPA)))
    choices = combinations([float(n) for n in counts], len(rank))
    ways = None
    while chosen := list(islice(choices, AT_ONCE)):
        some = lines.fit(np.array(chosen)[:, rank])
        ways = some if ways is None else ways + some
        ways = ways.near(float(ways.log.max()), MOST_WAYS)
    assert ways is not None
    met = {row.tobytes() for row in ways.counts}
    new = ways
    while len(new.log) and len(ways.log) < MOST_WAYS:
        turned = np.array([row for row in _turned(new.counts) if row.tobytes() not in met])
        if not len(turned):
            break
        met |= {row.tobytes() for row in turned}
        new = lines.fit(turned)
        new = new.near(max(float(ways.log.max()), float(new.log.max())), MOST_TURNED)
        ways += new
    return ways.near(float(ways.log.max()), len(ways.log))


def _turned(counts: Floats) -> Floats:
    """[ways, igloos]: all assignments with two igloos of neighbouring counts swapped, each one once."""
    order, each, out = np.argsort(counts, axis=1), np.arange(len(counts)), []
    for low, high in zip(order.T, order.T[1:], strict=False):
        changed = counts.copy()
        changed[each, low], changed[each, high] = counts[each, high], counts[each, low]
        out.append(changed)
    return np.unique(np.concatenate(out), axis=0)
