"""Fitting a model's experts: ridge regressions on ln N, fitted anew or corrected, and the share of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sensors.ear.frames.frontend import Floats
from sensors.ear.models.labels import Ints
from sensors.ear.models.model import EarModel, Expert
from sensors.ear.models.ridge import Grams, by_group
from sensors.ear.models.trust import Trust

EVENNESS = 0.3  # pull towards equal shares; it fades as sessions grow
FADES_FROM = 20
# stretching the old expert's own prediction is so many times easier than changing the weight of one feature
EASE = 4.0


@dataclass(frozen=True, slots=True)
class Takes:
    """Takes as experts see them, one row each."""

    z: Floats  # scaled features, float64[takes, names]
    y: Floats  # ln N
    weights: Floats
    judged: Floats  # weights where the count is one that will be asked for, else 0; sums to 1
    folds: Ints

    def bounded(self, predictions: Floats) -> Floats:
        out: Floats = np.clip(predictions, 0.0, self.y.max() + 0.5)
        return out

    def error(self, predictions: Floats) -> Floats:
        out: Floats = ((self.bounded(predictions) - self.y) ** 2 * self.judged).sum(axis=-1)
        return out


def fresh(takes: Takes, names: tuple[str, ...]) -> Iterator[tuple[Expert, Floats]]:
    """An expert on each group of features and one on all of them, each with its left-out predictions,
    float64[takes]."""
    for group, columns in by_group(names):
        grams = Grams(takes.z[:, columns], takes.y, takes.weights, takes.folds)
        predictions = grams.left_out()
        best = int(np.argmin(takes.error(predictions)))
        beta = grams.solve(None)[best]
        yield Expert(group, columns, float(beta[0]), beta[1:]), takes.bounded(predictions[best])


def corrected(takes: Takes, start: EarModel, trust: Trust) -> Iterator[tuple[Expert, Floats]]:
    """The experts of the start, each corrected by a fit to its residuals, with left-out predictions as in `fresh`."""
    for old in start.experts:
        before = old.predict(takes.z)
        middle = float((takes.weights * before).sum())
        z = np.column_stack([takes.z[:, old.columns], EASE * (before - middle)])
        grams = Grams(z, takes.y - before, takes.weights, takes.folds)
        predictions = before + trust.correction * grams.left_out(trust.penalties)
        best = int(np.argmin(takes.error(predictions)))
        change = trust.correction * grams.solve(None, trust.penalties)[best]
        stretch = 1.0 + EASE * float(change[-1])
        expert = Expert(
            old.group,
            old.columns,
            float(change[0]) + stretch * old.intercept - (stretch - 1.0) * middle,
            change[1:-1] + stretch * old.slopes,
        )
        yield expert, takes.bounded(predictions[best])


def joint_shares(errors: Floats, weights: Floats, sessions: int) -> Floats:
    """Shares ≥ 0, float64[experts] of sum 1, that minimise the joined error, given how the experts' errors correlate;
    pulled towards equal shares. `errors` [experts, recordings], in ln N; `weights` [recordings]."""
    evenness = EVENNESS * min(1.0, FADES_FROM / max(1, sessions))
    together = (errors * weights) @ errors.T
    scale = max(float(np.trace(together)) / len(together), 1e-9)
    together = together + evenness * scale * np.eye(len(together))
    active = np.ones(len(together), bool)
    while True:
        solved = np.linalg.solve(together[np.ix_(active, active)], np.ones(int(active.sum())))
        if np.all(solved > 0) or active.sum() == 1:
            break
        active[np.flatnonzero(active)[solved <= 0]] = False
    shares = np.zeros(len(together))
    shares[active] = np.maximum(solved, 1e-9)
    normal: Floats = shares / shares.sum()
    return normal
