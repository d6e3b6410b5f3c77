"""Fitting the model of whole sets (sensors.ear.models.relative): ridges on differences within rounds."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sensors.ear.frames.frontend import Floats
from sensors.ear.models.experts_fit import joint_shares
from sensors.ear.models.labels import Ints
from sensors.ear.models.model import Expert
from sensors.ear.models.relative import LEAST_IGLOOS, Relative
from sensors.ear.models.ridge import Grams, Scaling, by_group, centred

LEAST_ROUNDS = 3  # whole sets that are needed before a model for sets is tried


def fit_relative(
    names: tuple[str, ...],
    values: Floats,
    beads: Ints,
    rounds: Ints,
    folds: Ints,
    single: Floats,
    slope: float,
) -> Relative | None:
    """Fit differences within rounds (`rounds` labels them; −1: in no round). None where there are too few rounds.

    `values` [recordings, names]; beads, rounds and folds [recordings]. `single` [recordings] are the left-out
    predictions m of the model for single shakes, `slope` its b.
    """
    chosen = np.flatnonzero(_whole(rounds))
    if len(np.unique(rounds[chosen])) < LEAST_ROUNDS or len(np.unique(folds[chosen])) < 2:
        return None
    scaling = Scaling.of(values)
    groups = rounds[chosen]
    z = centred(scaling.apply(values[chosen]), groups)
    y = centred(np.log(beads[chosen].astype(np.float64)), groups)
    weights = np.full(len(chosen), 1.0 / len(chosen))
    # renumber the folds: some may hold no round
    _, inner = np.unique(folds[chosen], return_inverse=True)
    experts, outside = [], []
    for group, columns in by_group(names):
        grams = Grams(z[:, columns], y, weights, inner.astype(np.intp))
        predictions = grams.left_out()
        best = int(np.argmin(np.square(predictions - y).mean(axis=1)))
        beta = grams.solve(None)[best]
        experts.append(Expert(group, columns, 0.0, beta[1:]))
        outside.append(predictions[best])
    outside.append(centred(single[chosen] / slope, groups))
    p = np.array(outside)
    shares = joint_shares(p - y, weights, 2 * len(np.unique(groups)))
    sigma = float(np.sqrt(np.square(shares @ p - y).mean() + 1e-4))
    return Relative(names, scaling, tuple(experts), shares, sigma)


def relative_error(
    relative: Relative,
    names: tuple[str, ...],
    values: Floats,
    beads: Ints,
    rounds: Ints,
    single: Floats,
    slope: float,
) -> float:
    """Root mean square error of differences within rounds that `relative` was not fitted on, in ln N; arrays as for
    `fit_relative`."""
    chosen = np.flatnonzero(_whole(rounds))
    groups = rounds[chosen]
    columns = np.array([names.index(name) for name in relative.names], dtype=np.intp)
    z = centred(relative.scaling.apply(values[np.ix_(chosen, columns)]), groups)
    p = relative.shares[-1] * centred(single[chosen] / slope, groups)
    for share, expert in zip(relative.shares[:-1], relative.experts, strict=True):
        p = p + share * expert.predict(z)
    away = p - centred(np.log(beads[chosen].astype(np.float64)), groups)
    return float(np.sqrt(np.square(away).mean()))


def _whole(rounds: Ints) -> npt.NDArray[np.bool_]:
    """Which recordings are in a round with enough igloos."""
    out = np.zeros(len(rounds), bool)
    for number in np.unique(rounds[rounds >= 0]):
        inside = rounds == number
        out |= inside & (inside.sum() >= LEAST_IGLOOS)
    return out
