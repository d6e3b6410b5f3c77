"""Learning a population from whole sweeps: expectation–maximisation (EM) over devices and their occasions.

The choice of directions in feature space matters as much as the covariances. Principal directions carry what differs
between devices and hands; the count shows best where features are compared within one occasion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy  # its parts are loaded when they are first asked

from sensors.ear.frames.frontend import Floats
from sensors.ear.models.curve import DEGREE, log_middle, powers_of
from sensors.ear.models.labels import Ints
from sensors.ear.models.population import Population
from sensors.ear.models.populations import Populations
from sensors.ear.models.ridge import centred

# The directions: principal ones; where a ridge finds ln N over all recordings; where ridges find it within occasions,
# over all features and over each group's. The hand's own motion and how often and how hard imagined beads hit under it
# are taken as they are: how much these explain of the rest is left to the covariances. (Taking everything imagined as
# it is was worse on simulated folders: that many more covariances would have to be learned from the same few hands.)
PRINCIPAL = 3
AS_IT_IS = ("hand.", "imagined.hits_", "imagined.impulse_", "imagined.pairs_10")
PENALTY = 0.1  # of the ridges, as a multiple of the mean variance of a feature
WITHIN_PENALTIES = (0.03, 0.1, 1.0)
ROUNDS = 20  # of EM
PRIOR_TAKES_OF_SCATTER = 10.0
PRIOR_UNITS = 3.0  # prior weight of the covariances, in devices or occasions
WHOLE = 6  # different counts from which on an occasion tells of a slope
LEAST_OCCASIONS = 12
LEAST_DEVICES = 3
TEMPERS = (0.35, 0.45, 0.6, 0.8, 1.0)


def enough(beads: Ints, occasions: Ints, devices: Ints) -> bool:
    """Are there enough sweeps, of different sets of igloos, to tell a device from an occasion?"""
    whole = [o for o in np.unique(occasions) if len(np.unique(beads[occasions == o])) >= WHOLE]
    return len(whole) >= LEAST_OCCASIONS and len(np.unique(devices)) >= LEAST_DEVICES


def fit_populations(
    z: Floats, beads: Ints, occasions: Ints, devices: Ints, names: Sequence[str], sources: Ints
) -> Populations:
    """Learn from scaled features float64[recordings, p], called `names`.

    `occasions`, `devices` and `sources` label each recording; an occasion belongs to one device, a device to one
    source. Where there are several sources, each gets a population of its own, and all together get one more.
    """
    y = np.log(beads.astype(np.float64))
    centre = z.mean(axis=0)
    directions = found_directions(z - centre, y - y.mean(), occasions, names)
    t = (z - centre) @ directions
    kinds = [sources == source for source in np.unique(sources)]
    kinds = [inside for inside in kinds if len(np.unique(devices[inside])) >= LEAST_DEVICES]
    if len(kinds) != 1:
        kinds.append(np.ones(len(z), bool))
    members = tuple(_fit_one(t[i], beads[i], occasions[i], devices[i]) for i in kinds)
    return Populations(centre, directions, TEMPERS[0], members)


def _fit_one(t: Floats, beads: Ints, occasions: Ints, devices: Ints) -> Population:
    """The population of one source, by EM. Every step is exact: given the covariances, the posterior of a device and
    its occasions is one Gaussian, solved occasion by occasion."""
    x = log_middle(beads)
    powers = powers_of(x)
    d = t.shape[1]
    sets = [
        [np.flatnonzero(occasions == o) for o in np.unique(occasions[devices == one])]
        for one in np.unique(devices)
    ]
    curve: Floats = np.asarray(np.linalg.lstsq(powers, t, rcond=None)[0], dtype=np.float64)
    left = t - powers @ curve
    before = _Before.of(left)
    takes, of_occasions, of_devices = before.takes, before.tilts, before.tilts
    number = sum(len(one) for one in sets)
    for _ in range(ROUNDS):
        sums = _Sums.none(d)
        inverses: tuple[Floats, ...] = tuple(
            np.asarray(np.linalg.inv(c), dtype=np.float64) for c in (takes, of_occasions, of_devices)
        )
        for occasions_of_one in sets:
            _expect(occasions_of_one, x, left, powers, t, inverses, sums)
        of_devices = (sums.devices + PRIOR_UNITS * before.tilts) / (len(sets) + PRIOR_UNITS)
        of_occasions = (sums.occasions + PRIOR_UNITS * before.tilts) / (number + PRIOR_UNITS)
        takes = (sums.takes + PRIOR_TAKES_OF_SCATTER * before.takes) / (len(t) + PRIOR_TAKES_OF_SCATTER)
        curve = np.asarray(np.linalg.solve(powers.T @ powers, sums.curve), dtype=np.float64)
        left = t - powers @ curve
    return Population(curve, takes, of_occasions, of_devices, np.zeros(2 * d))


@dataclass(frozen=True, slots=True)
class _Before:
    """Where EM starts, and the prior that covariances from few occasions are shrunk to."""

    takes: Floats
    tilts: Floats

    @staticmethod
    def of(left: Floats) -> _Before:
        d = left.shape[1]
        spread = np.cov(left.T)
        tilts = np.kron(np.diag([0.12, 0.05]), spread) + 5e-4 * np.eye(2 * d)
        return _Before(0.4 * spread + 1e-3 * np.eye(d), tilts)


@dataclass(slots=True)
class _Sums:
    """Expected second moments of devices, occasions and takes; and the right-hand side of the curve's normal
    equations."""

    devices: Floats
    occasions: Floats
    takes: Floats
    curve: Floats

    @staticmethod
    def none(d: int) -> _Sums:
        return _Sums(*(np.zeros((n, d if n < 2 * d else n)) for n in (2 * d, 2 * d, d, DEGREE + 1)))


def _expect(
    occasions: Sequence[Ints],
    x: Floats,
    left: Floats,
    powers: Floats,
    t: Floats,
    inverses: tuple[Floats, ...],
    sums: _Sums,
) -> None:
    """E-step of one device: adds the expected moments of its shift and tilt, and of each of its `occasions`, to
    `sums`."""
    takes, of_occasions, precision = inverses
    d = len(takes)
    pull = np.zeros(2 * d)
    told = []
    for group in occasions:
        h = np.column_stack([np.ones(len(group)), x[group]])
        information = np.kron(h.T @ h, takes)
        towards = ((h.T @ left[group]) @ takes).reshape(-1)
        unsure = np.linalg.inv(of_occasions + information)
        # what the occasion tells about the device, with the occasion's own shift and tilt summed out
        share = information @ unsure
        precision = precision + information - share @ information
        pull = pull + towards - share @ towards
        told.append((group, h, information, towards, unsure))
    of_device = np.linalg.inv(precision)
    device = of_device @ pull
    sums.devices += np.outer(device, device) + of_device
    for group, h, information, towards, unsure in told:
        own = unsure @ (towards - information @ device)
        taken = unsure @ information
        sums.occasions += np.outer(own, own) + unsure + taken @ of_device @ taken.T
        rest = np.eye(2 * d) - taken
        both = rest @ of_device @ rest.T + unsure
        fitted = h @ (device + own).reshape(2, d)
        away = left[group] - fitted
        sums.takes += away.T @ away + np.einsum("ij,iajb->ab", h.T @ h, both.reshape(2, d, 2, d))
        sums.curve += powers[group].T @ (t[group] - fitted)


def left_out_populations(
    z: Floats,
    beads: Ints,
    occasions: Ints,
    devices: Ints,
    names: Sequence[str],
    sources: Ints,
    folds: Ints,
    counts: Sequence[int],
    most: int = 5,
) -> tuple[Populations, Floats]:
    """The populations; and ln p of every recording, float64[recordings, counts], under populations learned without its
    fold, by which the temper is set. `z` [recordings, names]; beads, occasions, devices, sources and folds
    [recordings]. With more than `most` folds, several are left out together."""
    whole = fit_populations(z, beads, occasions, devices, names, sources)
    few = folds % min(most, int(folds.max()) + 1)
    without = [
        fit_populations(z[out], beads[out], occasions[out], devices[out], names, sources[out])
        for out in (few != fold for fold in np.unique(few))
    ]
    best, temper, scores = -np.inf, TEMPERS[0], np.zeros((len(z), len(counts)))
    for tried in TEMPERS:
        s = np.zeros((len(z), len(counts)))
        for fold, learned in zip(np.unique(few), without, strict=True):
            s[few == fold] = replace(learned, temper=tried).log_likelihood(z[few == fold], counts)
        told = log_score(s, beads, counts)
        if told > best:
            best, temper, scores = told, tried, s
    return replace(whole, temper=temper), scores


def log_score(scores: Floats, beads: Ints, counts: Sequence[int]) -> float:
    """The mean ln probability of the true count, over recordings whose count is one of `counts` (ascending).

    `scores` [recordings, counts]: ln p, up to a constant of each row; `beads` [recordings].
    """
    asked = np.isin(beads, counts)
    column = np.searchsorted(np.asarray(counts), beads[asked])
    s = scores[asked]
    return float((s[np.arange(len(s)), column] - scipy.special.logsumexp(s, axis=1)).mean())


def found_directions(z: Floats, y: Floats, occasions: Ints, names: Sequence[str]) -> Floats:
    """The directions, float64[p, d], each scaled to unit variance: see the head of this module."""
    covariance = z.T @ z / len(z)
    values, vectors = np.linalg.eigh(covariance)
    columns = [vectors[:, np.argsort(-values)[:PRINCIPAL]]]
    columns.append(_ridge(covariance, z.T @ y / len(y), PENALTY)[:, None])
    # Within an occasion, a feature is not penalised for what differs between occasions: hand, room, gain.
    inside, y_inside = centred(z, occasions), centred(y, occasions)
    covariance, along = inside.T @ inside / len(z), inside.T @ y_inside / len(y)
    columns += [_ridge(covariance, along, penalty)[:, None] for penalty in WITHIN_PENALTIES]
    as_it_is = np.array([name.startswith(AS_IT_IS) for name in names])
    columns.append(np.eye(len(names))[:, as_it_is])
    of = np.array([name.split(".")[0] for name in names])
    for group in dict.fromkeys(of[~as_it_is]):
        mine = np.flatnonzero((of == group) & ~as_it_is)
        column = np.zeros((len(names), 1))
        column[mine, 0] = _ridge(covariance[np.ix_(mine, mine)], along[mine], PENALTY)
        columns.append(column)
    found = np.column_stack(columns)
    return np.asarray(found / np.maximum(np.std(z @ found, axis=0), 1e-9))


def _ridge(covariance: Floats, along: Floats, penalty: float) -> Floats:
    unit = max(float(np.trace(covariance)) / len(covariance), 1e-9)
    return np.asarray(np.linalg.solve(covariance + penalty * unit * np.eye(len(covariance)), along))
