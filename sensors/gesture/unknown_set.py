"""A set that nobody has labelled: all its igloos weighed once, and the counts that stand in them known as a whole.

What is loose, b = t − κ·sideways, is proportional to the count, so the order of b is the order of the counts, and κ is
the one for which all twelve lie on one line through nothing. No bead need be weighed, no igloo opened or looked under.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sensors.ear.sets import join_set
from sensors.gesture.model import KAPPA, KAPPA_SPREAD, Noise, Weighing

BEAD_MIDDLE, BEAD_SPREAD = (
    0.0035,
    0.8,
)  # b of one bead: 5.2 mm of glass on the seat as drawn; ln spread of 3–9 mm
LEAST_SIGMA = 0.12  # beads


@dataclass(frozen=True, slots=True)
class Sorted:
    """The answer for each igloo, exact probabilities, and how far off the line they lie (RMS, in beads)."""

    best: Mapping[str, int]
    probabilities: Mapping[str, Mapping[int, float]]
    kappa: float
    bead: float
    off: float


def sort_set(weighings: Mapping[str, Weighing], counts: Sequence[int]) -> Sorted:
    """Which igloo holds which of `counts` (each at most once). Raises ValueError for fewer than four, or too many."""
    names = list(weighings)
    if len(names) < 4 or len(names) > len(counts):
        raise ValueError(f"{len(names)} igloos cannot be sorted into {len(counts)} counts without labels")
    t = np.array([weighings[n].upright for n in names])
    side = np.array([weighings[n].sideways for n in names])
    taps = np.array([(weighings[n].taps, weighings[n].placings) for n in names])
    noise = Noise()
    best: tuple[float, float, float, np.ndarray] | None = None
    for kappa in KAPPA * np.linspace(1 - 2.5 * KAPPA_SPREAD, 1 + 2.5 * KAPPA_SPREAD, 81):
        b = t - kappa * side
        if b.min() <= 0:
            continue
        for n in _subsets(np.argsort(np.argsort(b)), counts):
            bead = float((b @ n) / (n @ n))
            sd = np.array([noise.loose(k, p, bead) / bead for k, p in taps])
            sigma = np.hypot(sd, 0.03 * np.sqrt(n))
            misfit = float(np.sum(((b / bead - n) / sigma) ** 2 + 2 * np.log(sigma)))
            misfit += ((kappa / KAPPA - 1) / KAPPA_SPREAD) ** 2
            misfit += (math.log(bead / BEAD_MIDDLE) / BEAD_SPREAD) ** 2
            if best is None or misfit < best[0]:
                best = (misfit, float(kappa), bead, sigma)
    if best is None:
        raise ValueError("what was weighed fits no seat of this kind")
    _, kappa, bead, sigma = best
    n_hat = (t - kappa * side) / bead
    listed = list(counts)
    off = float(np.sqrt(np.mean(np.min(np.abs(n_hat[:, None] - np.array(listed)[None, :]), axis=1) ** 2)))
    single = {}
    for i, name in enumerate(names):
        z = (n_hat[i] - np.array(listed)) / max(float(sigma[i]), LEAST_SIGMA)
        p = np.exp(-0.5 * np.minimum(z * z, 200.0)) + 1e-9
        single[name] = [{k: float(v) for k, v in zip(listed, p / p.sum(), strict=True)}]
    joined = join_set(single, listed)
    return Sorted(joined.best, joined.marginals, kappa, bead, off)


def alone(weighing: Weighing, counts: Sequence[int]) -> dict[int, float]:
    """One igloo of a set that nobody weighed: much that is loose means many beads, or large ones."""
    b = max(weighing.upright - KAPPA * weighing.sideways, 1e-5)
    doubt = math.hypot(BEAD_SPREAD, KAPPA * KAPPA_SPREAD * weighing.sideways / b)
    z = (np.log(b / BEAD_MIDDLE) - np.log(np.array(counts, float))) / doubt
    p = np.exp(-0.5 * z * z)
    return {n: float(v) for n, v in zip(counts, p / p.sum(), strict=True)}


def _subsets(rank: np.ndarray, counts: Sequence[int]) -> list[np.ndarray]:
    """Counts in the order of the weights: all of them, or, where igloos are missing, each run without the missing."""
    ordered = np.array(sorted(counts), float)
    missing = len(ordered) - len(rank)
    if missing == 0:
        return [ordered[rank]]
    if missing == 1:
        return [np.delete(ordered, k)[rank] for k in range(len(ordered))]
    return [ordered[k : k + len(rank)][rank] for k in range(missing + 1)]
