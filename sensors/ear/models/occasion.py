"""One hand's round of a whole set: the occasion's shift and tilt are learned from the round itself.

Once counts are assigned to the igloos of a round, however roughly, a population (sensors.ear.models.population) infers
what this hand on this day does to the features; with that, it infers each igloo's count, given what the others are said
to hold. Alternating the two settles within a few steps.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sensors.ear.frames.frontend import Floats
from sensors.ear.models.curve import MIDDLE, powers_of
from sensors.ear.models.population import Population, of_counts, scatter
from sensors.ear.models.populations import Populations


def occasion_costs(
    populations: Populations, z: Floats, laid: Sequence[float], counts: Sequence[int]
) -> list[tuple[Floats, float]]:
    """For each population, under the hand that explains the round best: the negative log likelihood of every count,
    float64[igloos, counts], and the log evidence of the round.

    z: scaled features float64[igloos, p]; `laid`: the ln N that each igloo is assumed to hold.
    """
    t = populations.project(z)
    x = np.asarray(laid, dtype=np.float64) - MIDDLE
    out = []
    for member in populations.members:
        each = []
        for likely, supposed in member.supposing():
            costs, told = _costs(supposed, t, x, counts)
            each.append((costs, told + likely))
        out.append(max(each, key=lambda one: one[1]))
    return out


def _costs(member: Population, t: Floats, x: Floats, counts: Sequence[int]) -> tuple[Floats, float]:
    d = t.shape[1]
    inverse, size_of_takes = scatter(member)
    before = np.linalg.inv(member.occasions + member.devices)
    left = t - powers_of(x) @ member.curve
    h = np.column_stack([np.ones(len(x)), x])
    unsure = np.linalg.inv(before + np.kron(h.T @ h, inverse))
    tilted = unsure @ (before @ member.shift + ((h.T @ left) @ inverse).reshape(-1))
    costs = np.empty((len(t), len(counts)))
    for column, (powers, tilt) in enumerate(zip(*of_counts(tuple(counts), d), strict=True)):
        root = np.linalg.cholesky(member.takes + tilt @ unsure @ tilt.T)
        middle = powers[0] @ member.curve + tilt @ tilted
        away = np.linalg.solve(root, (t - middle).T)
        costs[:, column] = 0.5 * np.square(away).sum(axis=0) + np.log(np.diag(root)).sum()
    rest = left - h @ tilted.reshape(2, d)
    off = tilted - member.shift
    told = -0.5 * float(np.einsum("ij,jk,ik->", rest, inverse, rest) + off @ before @ off)
    told -= 0.5 * (len(t) * size_of_takes - float(np.linalg.slogdet(before @ unsure)[1]))
    return costs, told
