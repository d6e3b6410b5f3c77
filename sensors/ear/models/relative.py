"""A whole set at once: within one round by one hand, only the differences between igloos count.

Hand, room and gain shift the features of all igloos of a round alike. Subtracting the round's mean removes the shift,
and then absolute loudness, which means nothing from one day to the next, tells a full igloo from an empty one. So a set
has a model of its own: ridges on centred features, beside the centred answers of the model for single shakes, joined by
shares learned from left-out rounds. Where there are populations, they learn from the round what its hand does, and say
how likely each count of each igloo is, given the current assignment of the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy  # its parts are loaded when they are first asked

from sensors.ear.frames.frontend import Floats, FrontEnd
from sensors.ear.models.model import EarModel, Expert, posterior, shares_of
from sensors.ear.models.occasion import occasion_costs
from sensors.ear.models.populations import Populations
from sensors.ear.models.ridge import Scaling
from sensors.ear.models.sets import MOST_COUNTS, Joined, assignment_marginals, join_set
from sensors.ear.shakes.shake import Shake

LEAST_IGLOOS = 6  # heard in a round; the mean of fewer is not worth centring on
SETTLE = 8  # the assignment is repeated this often at most
POPULATIONS = 0.5  # exponent of the populations' likelihood
BELIEVED = 0.6  # exponent of both likelihoods together: they hear the same shakes
# Assumed error of the mean of single answers. The real error is larger; but whoever leaves igloos out tends to leave
# out the smallest or the largest counts rather than random ones, and then nothing else tells the level.
LEVEL_S = 0.03
LEAST_LIKELY = 60.0  # ln below the likeliest count of an igloo, at most: no count is excluded
# the part of a difference's error variance that is the igloo's own, the same in every round
OTHER_ROUNDS = 0.25


@dataclass(frozen=True, slots=True)
class Relative:
    """Experts on centred features; `shares` has one more entry, the last, for the single-shake model's own answers."""

    names: tuple[str, ...]
    scaling: Scaling
    experts: tuple[Expert, ...]
    shares: Floats  # [experts + 1], sums to 1
    sigma: float  # of a difference, unit of ln N


def differences(relative: Relative, model: EarModel, shakes: Sequence[Shake]) -> Floats:
    """ln N of each igloo of one round minus the round's mean, float64[igloos]."""
    z = relative.scaling.apply(np.array([shake.pick(relative.names) for shake in shakes]))
    z -= z.mean(axis=0)
    single = model.measure(np.array([shake.pick(model.names) for shake in shakes])) / model.slope
    out: Floats = relative.shares[-1] * (single - single.mean())
    for share, expert in zip(relative.shares[:-1], relative.experts, strict=True):
        out = out + share * expert.predict(z)
    return out


@dataclass(frozen=True, slots=True)
class Judge:
    """One head of a profile, reduced to what it needs to compare the igloos of a round."""

    front: FrontEnd
    relative: Relative
    model: EarModel


def join_rounds(
    judges: Sequence[Judge],
    rounds: Sequence[Mapping[str, Shake]],
    counts: Sequence[int],
) -> Joined | None:
    """Join a set that was shaken in one or more rounds (igloo → shake; a round is one hand on one occasion).

    Igloos may be missing from a round, or from all. The `judges` assign the counts together; every shake must be
    available through the front end of the first one. None where no round holds enough igloos to be centred, or there is
    no judge. Raises ValueError where there are more igloos than counts.
    """
    whole = [r for r in rounds if len(r) >= LEAST_IGLOOS]
    names = list(dict.fromkeys(name for r in whole for name in r))
    judges = [j for j in judges if all(s.through(j.front) is not None for r in whole for s in r.values())]
    if not names or not judges:
        return None
    if len(names) > len(counts):
        raise ValueError(f"{len(names)} igloos for {len(counts)} counts: one was heard under two names")
    logs = np.log(np.asarray(counts, dtype=np.float64))
    seen = [[{name: _through(s, j.front) for name, s in r.items()} for r in whole] for j in judges]
    views = [_View.of(judge, shakes) for judge, shakes in zip(judges, seen, strict=True)]
    middle, level = _laid_first(judges[0].model, seen[0], names, counts)
    columns = np.zeros(len(names), dtype=np.intp)
    for step in range(SETTLE):
        lifted = level - float(np.mean(list(middle.values())))
        each = [view.cost(names, middle, lifted, counts, settled=step > 0) for view in views]
        cost = np.tensordot(shares_of([judge.front.name for judge in judges]), each, axes=1)
        _, columns = scipy.optimize.linear_sum_assignment(cost)
        settled = {name: float(logs[columns[row]]) for row, name in enumerate(names)}
        if step and settled == middle:  # the populations have no say before the second assignment
            break
        middle = settled
    best = {name: int(counts[columns[row]]) for row, name in enumerate(names)}
    likely = np.exp(-np.minimum(cost - cost.min(axis=1, keepdims=True), LEAST_LIKELY))
    apart = {
        name: dict(zip(counts, (likely[row] / likely[row].sum()).tolist(), strict=True))
        for row, name in enumerate(names)
    }
    if len(counts) > MOST_COUNTS:  # too many assignments to sum over
        return Joined(best, {}, apart)
    # marginal probability of each count of each igloo, over all assignments
    exact = assignment_marginals(likely)
    marginals = {
        name: dict(zip(counts, told.tolist(), strict=True)) for name, told in zip(names, exact, strict=True)
    }
    return Joined(best, marginals, apart)


def _through(shake: Shake, front: FrontEnd) -> Shake:
    shown = shake.through(front)
    assert shown is not None  # join_rounds checked it
    return shown


@dataclass(frozen=True, slots=True)
class _View:
    """What one judge hears in the rounds, before any count is assigned."""

    judge: Judge
    moved: list[dict[str, float]]  # differences, round by round
    felt: list[dict[str, Floats]]  # scaled features

    @staticmethod
    def of(judge: Judge, rounds: Sequence[Mapping[str, Shake]]) -> _View:
        moved = [
            dict(zip(r, differences(judge.relative, judge.model, list(r.values())).tolist(), strict=True))
            for r in rounds
        ]
        return _View(judge, moved, _scaled(judge.model, rounds))

    def cost(
        self,
        names: Sequence[str],
        middle: Mapping[str, float],
        lifted: float,
        counts: Sequence[int],
        settled: bool,
    ) -> Floats:
        """Negative log likelihood of every count for every igloo, float64[igloos, counts], given the current assignment
        `middle` (ln N by igloo). `settled`: the assignment is good enough for populations to learn from."""
        logs = np.log(np.asarray(counts, dtype=np.float64))
        sigma, populations = self.judge.relative.sigma, self.judge.model.populations
        cost = np.array([_cost(name, self.moved, middle, lifted, logs, sigma) for name in names])
        if populations is None or not settled:
            return cost
        return np.asarray(BELIEVED * (cost + _settled(populations, self.felt, middle, names, counts)))


def _scaled(model: EarModel, rounds: Sequence[Mapping[str, Shake]]) -> list[dict[str, Floats]]:
    return [
        {name: model.scaling.apply(shake.pick(model.names)[None])[0] for name, shake in r.items()}
        for r in rounds
    ]


def _settled(
    populations: Populations,
    rounds: Sequence[Mapping[str, Floats]],
    laid: Mapping[str, float],
    names: Sequence[str],
    counts: Sequence[int],
) -> Floats:
    """The populations' negative log likelihood of every count for every igloo, float64[igloos, counts], given the
    assignment `laid`."""
    rows = {name: row for row, name in enumerate(names)}
    members = len(populations.members)
    costs, told = np.zeros((members, len(names), len(counts))), np.zeros(members)
    seen = np.zeros(len(names))
    for r in rounds:
        inside = [rows[name] for name in r]
        seen[inside] += 1
        each = occasion_costs(populations, np.array(list(r.values())), [laid[name] for name in r], counts)
        for member, (cost, evidence) in enumerate(each):
            costs[member, inside] += cost
            told[member] += evidence
    seen = np.maximum(seen, 1.0)
    # the igloo's own error is common to its rounds, as with differences
    shared = seen * (OTHER_ROUNDS + (1 - OTHER_ROUNDS) / seen)
    chosen = costs[int(np.argmax(told))] / shared[:, None]
    return np.asarray(POPULATIONS * chosen)


def _laid_first(
    model: EarModel,
    rounds: Sequence[Mapping[str, Shake]],
    names: Sequence[str],
    counts: Sequence[int],
) -> tuple[dict[str, float], float]:
    """The initial ln N of each igloo, and the mean of all, which differences cannot tell.

    The mean of a whole set is known. Where igloos are missing, those present may hold the smallest or the largest
    counts: then the answers to single shakes tell, as far as they can.
    """
    logs = np.log(np.asarray(counts, dtype=np.float64))
    mean, missing = float(logs.mean()), len(counts) - len(names)
    if missing == 0:
        return dict.fromkeys(names, mean), mean
    heard: dict[str, list[Mapping[int, float]]] = {name: [] for name in names}
    for r in rounds:
        for name, shake in r.items():
            p = posterior(model.log_likelihood(shake.pick(model.names)[None]))[0]
            heard[name].append(dict(zip(model.counts, p.tolist(), strict=True)))
    best = join_set(heard, counts).best
    laid = {name: float(np.log(best[name])) for name in names}
    # variance of the mean of a random sample of this size, drawn from all counts without replacement
    chance = float(logs.var()) * missing / (len(names) * max(1, len(counts) - 1))
    off = LEVEL_S**2
    return laid, (mean * off + float(np.mean(list(laid.values()))) * chance) / (off + chance)


def _cost(
    name: str,
    moved: Sequence[Mapping[str, float]],
    middle: Mapping[str, float],
    lifted: float,
    logs: Floats,
    sigma: float,
) -> Floats:
    """Negative log likelihood of every count for one igloo, over all rounds that hold it; `lifted`: how far the mean of
    the current assignment is off."""
    seen = [r[name] + float(np.mean([middle[other] for other in r])) + lifted for r in moved if name in r]
    variance = sigma**2 * (OTHER_ROUNDS + (1 - OTHER_ROUNDS) / len(seen))
    out: Floats = 0.5 * (logs - float(np.mean(seen))) ** 2 / variance
    return out
