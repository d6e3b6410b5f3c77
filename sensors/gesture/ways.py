"""The ways in which igloos that nobody labelled may hold counts, and how well the weights lie on the line of each.

What is loose, b = t − κ·sideways, is proportional to the count: t = κ·sideways + bead·count, with what scatters b as
its error (Student's t, as in `model`), and the seat as drawn and usual beads as priors.
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

# b of one bead: 5.2 mm of glass on the seat as drawn; ln spread of 3–9 mm
USUAL_BEAD, USUAL_SPREAD = 0.0035, 0.8
LEAST_BEAD = 1e-6
AT_ONCE = 20_000  # choices
FAR = 12.0  # in log probability from the best way: what is further off is forgotten
MOST_TURNED, MOST_WAYS = 2_500, 10_000  # ways of igloos that hardly differ, in one round and in all
ROUNDS = 8  # until κ, the bead, and what lies off the line no longer move


@dataclass(frozen=True, slots=True)
class Ways:
    """Ways of giving counts to igloos: `counts` [ways, igloos], the log probability of each, its κ and its bead."""

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
        """Those that are not far below `best`, and no more than the `most` likeliest."""
        kept = np.argsort(-self.log)[:most]
        kept = kept[self.log[kept] > best - FAR]
        return Ways(self.counts[kept], self.log[kept], self.kappa[kept], self.bead[kept])


class Lines:
    """The line on which weights lie best, for many ways at once. κ and the bead are not known but integrated over, by
    Laplace's method."""

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
        """`counts` [ways, igloos]."""
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
    """All that are worth a thought: every choice of the counts in the order of the weights, and from these on what two
    igloos of neighbouring counts have changed, again and again."""
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
    """[ways, igloos]: the same with two igloos changed whose counts follow on each other, each way once."""
    order, each, out = np.argsort(counts, axis=1), np.arange(len(counts)), []
    for low, high in zip(order.T, order.T[1:], strict=False):
        changed = counts.copy()
        changed[each, low], changed[each, high] = counts[each, high], counts[each, low]
        out.append(changed)
    return np.unique(np.concatenate(out), axis=0)
