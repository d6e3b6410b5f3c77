"""Ridge regression on ln N with whole folds left out, from one Gram matrix for each fold.

A session's weight grows with the number of different counts in it, because a session of a single count cannot tell the
count from the sitting (its room, grip, gain). Within a session all takes weigh alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sensors.ear.frames.frontend import Floats

SQUASH = 2.5  # scores saturate here, in robust standard deviations
# as multiples of the mean variance of a feature
PENALTIES = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
FULL_SESSION = 12  # different counts that give a session its full weight


@dataclass(frozen=True, slots=True)
class Scaling:
    """Robust z-scores, bounded by tanh: median and 1.4826 · median absolute deviation of the fitted recordings."""

    median: Floats
    spread: Floats

    @staticmethod
    def of(values: Floats) -> Scaling:
        """The scaling of float64[recordings, names]."""
        median = np.median(values, axis=0)
        spread = 1.4826 * np.median(np.abs(values - median), axis=0)
        return Scaling(median, np.maximum(spread, 1e-6))

    def apply(self, values: Floats) -> Floats:
        """Scores within ±SQUASH of float64[rows, names]."""
        scaled: Floats = SQUASH * np.tanh((values - self.median) / (SQUASH * self.spread))
        return scaled


def session_weights(sessions: npt.NDArray[np.intp], counts: npt.NDArray[np.intp]) -> Floats:
    """The weight of each recording, float64[n] of sum 1, from its session and count [n]: the session's share grows with
    its number of different counts, and is split evenly over its takes."""
    weights = np.zeros(len(sessions))
    for session in np.unique(sessions):
        inside = sessions == session
        share = min(1.0, len(np.unique(counts[inside])) / FULL_SESSION)
        weights[inside] = share / inside.sum()
    normal: Floats = weights / weights.sum()
    return normal


def centred(values: Floats, groups: npt.NDArray[np.intp]) -> Floats:
    """Values minus the mean of their group, float64[rows, …]."""
    out = values.astype(np.float64).copy()
    for group in np.unique(groups):
        inside = groups == group
        out[inside] -= out[inside].mean(axis=0)
    return out


def by_group(names: Sequence[str]) -> Iterator[tuple[str, npt.NDArray[np.intp]]]:
    """The features that a ridge is fitted on: each group of them, by the first part of their `names`, and "all"; with
    their columns."""
    groups = np.array([name.split(".")[0] for name in names])
    for group in dict.fromkeys(groups.tolist()):
        yield group, np.flatnonzero(groups == group)
    yield "all", np.arange(len(groups))


class Grams:
    """Weighted moments of [1, z] and y by fold, so that leaving a fold out is a subtraction.

    Where recordings are fewer than features, as with a few sweeps, the dual is solved (Saunders, Gammerman and Vovk,
    Ridge regression learning algorithm in dual variables, 1998): the same slopes, faster.
    """

    def __init__(self, z: Floats, y: Floats, weights: Floats, folds: npt.NDArray[np.intp]) -> None:
        self.z, self.y, self.folds = z, y, folds
        self.roots = np.sqrt(weights)
        n_folds = int(folds.max()) + 1
        p = z.shape[1]
        self.gram = np.zeros((n_folds, p + 2, p + 2))
        joined = np.column_stack([np.ones(len(z)), z, y])
        for fold in range(n_folds):
            inside = folds == fold
            part = joined[inside] * self.roots[inside][:, None]
            self.gram[fold] = part.T @ part
        self.total = self.gram.sum(axis=0)

    def solve(self, without: int | None, penalties: tuple[float, ...] = PENALTIES) -> Floats:
        """Intercept and slopes, float64[penalties, 1 + features], fitted on all folds but `without`."""
        g = self.total if without is None else self.total - self.gram[without]
        mass = max(g[0, 0], 1e-12)
        mean, y_mean = g[0, 1:-1] / mass, g[0, -1] / mass
        unit = max(float((np.diag(g)[1:-1] / mass - mean * mean).mean()), 1e-9)
        inside = np.flatnonzero(self.folds != (-1 if without is None else without))
        if len(inside) < len(mean):
            roots = self.roots[inside] / np.sqrt(mass)
            rows = (self.z[inside] - mean) * roots[:, None]
            values, vectors = np.linalg.eigh(rows @ rows.T)
            along = vectors.T @ ((self.y[inside] - y_mean) * roots)
            vectors = rows.T @ vectors
        else:
            cov = g[1:-1, 1:-1] / mass - np.outer(mean, mean)
            values, vectors = np.linalg.eigh(cov)
            along = vectors.T @ (g[1:-1, -1] / mass - mean * y_mean)
        slopes = (along / (np.maximum(values, 0.0) + np.array(penalties)[:, None] * unit)) @ vectors.T
        return np.column_stack([y_mean - slopes @ mean, slopes])

    def left_out(self, penalties: tuple[float, ...] = PENALTIES) -> Floats:
        """The left-out prediction of each recording, by a fit without its fold: float64[penalties, recordings]."""
        out = np.empty((len(penalties), len(self.y)))
        for fold in range(len(self.gram)):
            inside = self.folds == fold
            beta = self.solve(fold, penalties)
            out[:, inside] = beta[:, :1] + beta[:, 1:] @ self.z[inside].T
        return out
