"""Joining a set of igloos: every count belongs to exactly one igloo, so each answer tells something about the others.

The best assignment is the most probable one (Hungarian method, `scipy.optimize.linear_sum_assignment`). The exact
marginals sum over all assignments, which is a permanent, by dynamic programming over subsets of the counts: 2^k · n
steps, which for a dozen igloos is nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import scipy  # its parts are loaded when they are first asked

from sensors.ear.frames.frontend import Floats

LEAST_PROBABILITY = 1e-9
# Share of the error's variance that stays within one sitting: .14² of .14² + .17² in ln N, on real shaken boxes.
SHARED = 0.4
MOST_COUNTS = 16  # 2^16 subsets; with more counts only the best assignment is told


@dataclass(frozen=True, slots=True)
class Joined:
    """`best` count of each igloo in one consistent assignment; `marginals[i][n]` exact probabilities of the counts.

    `apart[i][n]`, for joined rounds: the probabilities of each igloo from comparisons within its rounds alone, before
    the constraint that every count belongs to one igloo. Use these to join more evidence: `marginals` contain the
    constraint already.
    """

    best: dict[str, int]
    marginals: dict[str, dict[int, float]]
    apart: dict[str, dict[int, float]] = field(default_factory=dict)


def join_set(
    heard: Mapping[str, Sequence[Mapping[int, float]]],
    counts: Sequence[int],
    known: Mapping[str, int] | None = None,
) -> Joined:
    """Join what was heard of each igloo (one mapping of probabilities for each shake; several shakes add up).

    `counts` are those of the whole set, each once. Igloos may be missing from `heard`; one with an empty list takes
    part with all counts equally probable. The counts of `known` igloos are taken as certain. Raises ValueError where
    more igloos are named than there are counts, or two known igloos share one.
    """
    known = dict(known or {})
    free_counts = [n for n in counts if n not in known.values()]
    if len(set(known.values())) != len(known) or not set(known.values()) <= set(counts):
        raise ValueError("known igloos must hold different counts of the set")
    names = [name for name in heard if name not in known]
    if len(names) > len(free_counts):
        raise ValueError(f"{len(names)} igloos for {len(free_counts)} counts: one was heard under two names")
    log = np.zeros((len(names), len(free_counts)))
    for row, name in enumerate(names):
        log[row] = _logs(heard[name], free_counts)
    best = dict(known)
    marginals = {name: {n: float(n == count) for n in counts} for name, count in known.items()}
    if names:
        rows, columns = scipy.optimize.linear_sum_assignment(-log)
        best |= {names[r]: free_counts[c] for r, c in zip(rows, columns, strict=True)}
        if len(free_counts) <= MOST_COUNTS:
            exact = assignment_marginals(np.exp(log - log.max(axis=1, keepdims=True)))
            marginals |= {
                name: {
                    n: float(exact[row, free_counts.index(n)]) if n in free_counts else 0.0 for n in counts
                }
                for row, name in enumerate(names)
            }
    return Joined(best, marginals)


def add_up(shakes: Sequence[Mapping[int, float]], shared: float = SHARED) -> dict[int, float]:
    """Probabilities after several shakes of one igloo. Raises ValueError without any.

    Part of a shake's error returns in the next one by the same hand (`shared`), so k shakes are worth fewer than k.
    """
    if not shakes:
        raise ValueError("no shake to add up")
    counts = sorted({n for shake in shakes for n in shake})
    log = _logs(shakes, counts, shared)
    p = np.exp(log - log.max())
    return dict(zip(counts, (p / p.sum()).tolist(), strict=True))


def over(odds: Mapping[int, float], counts: Iterable[int]) -> dict[int, float]:
    """Extend odds to more counts, in their order; no longer normalised.

    A count that the ear does not know is as likely as the nearest one that it knows; between two equally near ones, as
    the likelier of them.
    """
    return {n: _of_nearest(odds, n) for n in counts}


def _of_nearest(odds: Mapping[int, float], n: int) -> float:
    nearest = min((abs(known - n) for known in odds), default=0)
    return max((p for known, p in odds.items() if abs(known - n) == nearest), default=0.0)


def _logs(shakes: Sequence[Mapping[int, float]], counts: Sequence[int], shared: float = SHARED) -> Floats:
    log = np.zeros(len(counts))
    for shake in shakes:
        log += np.log(np.array([max(float(shake.get(n, 0.0)), LEAST_PROBABILITY) for n in counts]))
    return log / (len(shakes) * shared + 1 - shared)


def assignment_marginals(weights: Floats) -> Floats:
    """P(row i gets column j) over all injective assignments of columns to rows, weighted by the product of their
    weights.

    `weights` is float64[rows, columns] above 0, rows ≤ columns; where zeros leave no such assignment, the result is
    NaN. Forward and backward sums over subsets of columns; each row is scaled, so nothing underflows.
    """
    rows, columns = weights.shape
    subsets = 1 << columns
    size = np.bitwise_count(np.arange(subsets))
    w = weights / weights.sum(axis=1, keepdims=True)
    forward = [np.zeros(subsets) for _ in range(rows + 1)]
    forward[0][0] = 1.0
    of_size = [np.flatnonzero(size == k) for k in range(columns + 1)]
    for i in range(rows):
        for j in range(columns):
            free = of_size[i][(of_size[i] >> j) & 1 == 0]
            forward[i + 1][free | (1 << j)] += forward[i][free] * w[i, j]
        forward[i + 1] /= forward[i + 1].sum()
    backward = np.zeros(subsets)
    backward[of_size[rows]] = 1.0
    out = np.zeros((rows, columns))
    for i in reversed(range(rows)):
        earlier = np.zeros(subsets)
        for j in range(columns):
            free = of_size[i][(of_size[i] >> j) & 1 == 0]
            term = w[i, j] * backward[free | (1 << j)]
            out[i, j] = (forward[i][free] * term).sum()
            earlier[free] += term
        out[i] /= out[i].sum()
        backward = earlier / earlier.sum()
    return out
