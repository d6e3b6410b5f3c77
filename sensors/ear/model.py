"""From features to probabilities: one ridge on ln N a group of features, joined by what each is worth, then Bayes.

Each group predicts ln N. How far they err, and how far they err together, is known from predictions with whole folds
(sessions, players or devices) left out; the joined prediction m is read as a measurement, m = a + b·ln N + noise, whose
slope, offset and noise come from the same left-out predictions. The posterior over counts is the likelihood of m under
every count, so shrinking towards the middle, which every regression does, is undone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sensors.ear.features import Features
from sensors.ear.frontend import Floats
from sensors.ear.ridge import Grams, Scaling, session_weights

OUTLIER = 0.02  # share of shakes that are something else altogether: keeps probabilities off zero


@dataclass(frozen=True, slots=True)
class Expert:
    """One group's ridge: ln N = intercept + slopes · scaled features."""

    group: str
    columns: npt.NDArray[np.intp]
    intercept: float
    slopes: Floats

    def predict(self, z: Floats) -> Floats:
        out: Floats = self.intercept + z[:, self.columns] @ self.slopes
        return out


@dataclass(frozen=True, slots=True)
class EarModel:
    """Fitted: names of the features, their scaling, the experts, how they are joined, and the noise of the join."""

    names: tuple[str, ...]
    scaling: Scaling
    experts: tuple[Expert, ...]
    shares: Floats  # [experts], sums to 1
    offset: float  # a of m = a + b · ln N
    slope: float  # b
    sigma: float  # noise of m, unit of ln N
    counts: tuple[int, ...]

    def measure(self, values: Floats) -> Floats:
        """The joined prediction m of each row of features, float64[rows]."""
        z = self.scaling.apply(values)
        joined: Floats = sum(
            (share * e.predict(z) for share, e in zip(self.shares, self.experts, strict=True)),
            np.zeros(len(z)),
        )
        return joined

    def log_likelihood(self, values: Floats) -> Floats:
        """ln p(m | N) of each row under each of the counts, float64[rows, counts]; only differences mean anything."""
        return likelihood(self.measure(values), self.counts, self.offset, self.slope, self.sigma)

    def row(self, features: Features) -> Floats:
        return np.array([[features[name] for name in self.names]])


def likelihood(m: Floats, counts: Sequence[int], offset: float, slope: float, sigma: float) -> Floats:
    expected = offset + slope * np.log(np.asarray(counts, dtype=np.float64))
    # beyond the ends of the scale there is nothing but the end: clip what lies far outside
    bounded = np.clip(m, expected.min() - 3 * sigma, expected.max() + 3 * sigma)
    gauss = np.exp(-0.5 * ((bounded[:, None] - expected) / sigma) ** 2)
    mixed: Floats = np.log(gauss * (1 - OUTLIER) + OUTLIER * gauss.mean(axis=1, keepdims=True) + 1e-12)
    return mixed


def posterior(log_likelihood: Floats) -> Floats:
    """Probabilities, float64[rows, counts], all counts equally likely before."""
    p = np.exp(log_likelihood - log_likelihood.max(axis=1, keepdims=True))
    normal: Floats = p / p.sum(axis=1, keepdims=True)
    return normal


@dataclass(frozen=True, slots=True)
class Fitted:
    """A model and, for every recording it was fitted on, the measure of a fit without that recording's fold."""

    model: EarModel
    left_out: Floats  # m, float64[recordings]


def fit_model(
    names: tuple[str, ...],
    values: Floats,
    beads: npt.NDArray[np.intp],
    sessions: npt.NDArray[np.intp],
    folds: npt.NDArray[np.intp],
    counts: Sequence[int],
) -> Fitted:
    """Fit on float64[recordings, names] with the true `beads`; counts outside `counts` serve as anchors of the line.

    `sessions` and `folds` number each recording's session and the fold it is left out with (0, 1, 2, …).
    """
    scaling = Scaling.of(values)
    z, y = scaling.apply(values), np.log(beads.astype(np.float64))
    weights = session_weights(sessions, beads)
    inside = np.isin(beads, counts)
    judged = np.where(inside, weights, 0.0)
    judged = judged / judged.sum()
    prefixes = np.array([name.split(".")[0] for name in names])
    experts, outside = [], []
    for group in (*dict.fromkeys(prefixes), "all"):
        columns = np.flatnonzero((prefixes == group) | (group == "all"))
        grams = Grams(z[:, columns], y, weights, folds)
        predictions = grams.left_out()
        error = ((np.clip(predictions, 0.0, y.max() + 0.5) - y) ** 2 * judged).sum(axis=1)
        best = int(np.argmin(error))
        beta = grams.solve(None)[best]
        experts.append(Expert(group, columns, float(beta[0]), beta[1:]))
        outside.append(np.clip(predictions[best], 0.0, y.max() + 0.5))
    p = np.array(outside)
    shares = _shares(p - y, judged)
    left_out = shares @ p
    offset, slope, sigma = _noise(left_out, y, judged, len(np.unique(folds)))
    model = EarModel(names, scaling, tuple(experts), shares, offset, slope, sigma, tuple(counts))
    return Fitted(model, left_out)


def _shares(errors: Floats, weights: Floats) -> Floats:
    """Shares ≥ 0 that make the joined error least, given how the experts err together; shrunk towards equal shares."""
    together = (errors * weights) @ errors.T
    scale = np.trace(together) / len(together)
    together = together + 0.3 * scale * np.eye(len(together))
    active = np.ones(len(together), bool)
    shares = np.zeros(len(together))
    while True:
        solved = np.linalg.solve(together[np.ix_(active, active)], np.ones(int(active.sum())))
        if np.all(solved > 0) or active.sum() == 1:
            break
        active[np.flatnonzero(active)[solved <= 0]] = False
    shares[active] = np.maximum(solved, 1e-9)
    normal: Floats = shares / shares.sum()
    return normal


def _noise(m: Floats, y: Floats, weights: Floats, folds: int) -> tuple[float, float, float]:
    """Offset, slope and noise of m = a + b · ln N over left-out predictions."""
    mass = weights.sum()
    y_mean, m_mean = (weights * y).sum() / mass, (weights * m).sum() / mass
    variance = (weights * (y - y_mean) ** 2).sum()
    slope = (weights * (y - y_mean) * (m - m_mean)).sum() / max(variance, 1e-9)
    slope = float(np.clip(slope, 0.3, 1.2))
    offset = float(m_mean - slope * y_mean)
    square = (weights * (m - offset - slope * y) ** 2).sum() / mass
    # an error estimated from few sessions is itself uncertain, and too sure is worse than modest
    return offset, slope, float(np.sqrt(square * (1 + 1 / max(1, folds)) + 1e-4))
