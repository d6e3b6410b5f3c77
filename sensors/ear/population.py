"""What devices, occasions and single takes do to the features: a two-covariance model (PLDA of speaker recognition).

In a few directions of the features, t = curve(ln N) + device + occasion + take. A device and an occasion (a person on
a day) each shift the curve and tilt it; how far they do, and in which directions together, is learned from whole sweeps
by expectation and maximisation. A count's likelihood is Gaussian under the sum of all three, and recordings of one
device tell of its own shift: an owner's sweep is worth as much as it should be, for what is his hand's stays an
occasion's. After Prince and Elder (2007), Probabilistic Linear Discriminant Analysis; random slopes added.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from sensors.ear.frontend import Floats

Ints = npt.NDArray[np.intp]

DIRECTIONS = 25  # principal ones, and one more that a ridge finds for ln N itself
PENALTY = 0.1  # of that ridge, in the mean variance of a feature
MIDDLE = 1.8  # ln N in the middle of the game's counts
DEGREE = 2  # of the curve
ROUNDS = 15  # of expectation and maximisation
PRIOR_TAKES = 10.0
PRIOR_OCCASIONS = 3.0
STRANGER = (
    4.0  # a device that is calibrated may differ this much more (variance) than the devices that were learned
)
MIXED = 0.3  # of an occasion's covariance keeps the shape of the total
WHOLE = 6  # different counts that make an occasion tell of a slope
LEAST_OCCASIONS = 12
LEAST_DEVICES = 3
TEMPERS = (0.25, 0.35, 0.45, 0.6, 0.8, 1.0)


@dataclass(frozen=True, slots=True)
class Population:
    """d directions of p scaled features. `shift` is what is known of the device: its mean, zero for a stranger's."""

    centre: Floats  # [p]
    directions: Floats  # [p, d]
    curve: Floats  # [1 + DEGREE, d], coefficients of powers of ln N − MIDDLE
    takes: Floats  # [d, d] covariance of a take
    occasions: Floats  # [2d, 2d] covariance of an occasion's shift and tilt
    devices: Floats  # [2d, 2d] what is not known of the device's
    shift: Floats  # [2d]
    temper: float  # the Gaussian is this much too sure

    def log_likelihood(self, z: Floats, counts: Sequence[int]) -> Floats:
        """ln p(features | N), float64[rows, counts], of scaled features float64[rows, p]."""
        t = (z - self.centre) @ self.directions
        d = t.shape[1]
        out = np.empty((len(t), len(counts)))
        for column, x in enumerate(np.log(np.asarray(counts, dtype=np.float64)) - MIDDLE):
            tilt = np.kron(np.array([[1.0, x]]), np.eye(d))
            spread = self.takes + tilt @ (self.occasions + self.devices) @ tilt.T
            middle = _powers(np.array([x]))[0] @ self.curve + tilt @ self.shift
            root = np.linalg.cholesky(spread)
            away = np.linalg.solve(root, (t - middle).T)
            out[:, column] = -0.5 * np.square(away).sum(axis=0) - np.log(np.diag(root)).sum()
        return self.temper * out

    def adapted(self, z: Floats, beads: Ints, occasions: Ints) -> Population:
        """The same, knowing recordings of one device: float64[recordings, p], their true counts and occasions."""
        d = self.directions.shape[1]
        x = np.log(beads.astype(np.float64)) - MIDDLE
        left = (z - self.centre) @ self.directions - _powers(x) @ self.curve
        inverse = np.linalg.inv(self.takes)
        precision = np.linalg.inv(STRANGER * self.devices)
        pull = precision @ self.shift
        for occasion in np.unique(occasions):
            inside = occasions == occasion
            h = np.column_stack([np.ones(int(inside.sum())), x[inside]])
            told = np.kron(h.T @ h, inverse)
            # the occasion's own shift and tilt are nobody's to know: summed out
            keep = np.linalg.inv(np.eye(2 * d) + told @ self.occasions)
            precision = precision + keep @ told
            pull = pull + keep @ ((h.T @ left[inside]) @ inverse).reshape(-1)
        covariance = np.linalg.inv((precision + precision.T) / 2)
        return replace(self, devices=(covariance + covariance.T) / 2, shift=covariance @ pull)


def enough(beads: Ints, occasions: Ints, devices: Ints) -> bool:
    """Are there sweeps enough, of different sets of igloos, to tell a device from an occasion?"""
    whole = [o for o in np.unique(occasions) if len(np.unique(beads[occasions == o])) >= WHOLE]
    return len(whole) >= LEAST_OCCASIONS and len(np.unique(devices)) >= LEAST_DEVICES


def fit_population(z: Floats, beads: Ints, occasions: Ints, devices: Ints) -> Population:
    """Learn from scaled features float64[recordings, p]; `occasions` and `devices` number each recording's."""
    y = np.log(beads.astype(np.float64))
    x = y - MIDDLE
    powers = _powers(x)
    centre = z.mean(axis=0)
    directions = _directions(z - centre, y - y.mean())
    t = (z - centre) @ directions
    d = t.shape[1]
    groups = [np.flatnonzero(occasions == o) for o in np.unique(occasions)]
    curve = np.linalg.lstsq(powers, t, rcond=None)[0]
    left = t - powers @ curve
    takes_before = 0.4 * np.cov(left.T) + 1e-3 * np.eye(d)
    both_before = np.kron(np.diag([0.25, 0.1]), np.cov(left.T)) + 1e-3 * np.eye(2 * d)
    takes, both = takes_before, both_before
    tilts = np.zeros((len(groups), 2 * d))
    for _ in range(ROUNDS):
        inverse, inverse_both = np.linalg.inv(takes), np.linalg.inv(both)
        sum_takes, sum_both, right = np.zeros_like(takes), np.zeros_like(both), np.zeros_like(curve)
        for number, group in enumerate(groups):
            h = np.column_stack([np.ones(len(group)), x[group]])
            hh = h.T @ h
            unsure = np.linalg.inv(inverse_both + np.kron(hh, inverse))
            tilt = unsure @ ((h.T @ left[group]) @ inverse).reshape(-1)
            rest = left[group] - h @ tilt.reshape(2, d)
            sum_takes += rest.T @ rest + np.einsum("ij,iajb->ab", hh, unsure.reshape(2, d, 2, d))
            sum_both += np.outer(tilt, tilt) + unsure
            right += powers[group].T @ (t[group] - h @ tilt.reshape(2, d))
            tilts[number] = tilt
        both = (sum_both + PRIOR_OCCASIONS * both_before) / (len(groups) + PRIOR_OCCASIONS)
        takes = (sum_takes + PRIOR_TAKES * takes_before) / (len(t) + PRIOR_TAKES)
        curve = np.linalg.solve(powers.T @ powers, right)
        left = t - powers @ curve
    of_occasions, of_devices = _apart(both, tilts, np.array([devices[g[0]] for g in groups]))
    return Population(centre, directions, curve, takes, of_occasions, of_devices, np.zeros(2 * d), 0.6)


def left_out_population(
    z: Floats, beads: Ints, occasions: Ints, devices: Ints, folds: Ints, counts: Sequence[int], most: int = 5
) -> tuple[Population, Floats]:
    """A population, and ln p of every recording under one that was learned without its fold; sets the temper."""
    whole = fit_population(z, beads, occasions, devices)
    scores = np.zeros((len(z), len(counts)))
    few = folds % min(most, int(folds.max()) + 1)
    for fold in np.unique(few):
        out = few == fold
        without = fit_population(z[~out], beads[~out], occasions[~out], devices[~out])
        scores[out] = without.log_likelihood(z[out], counts) / without.temper
    temper = _temper(scores, beads, counts)
    return replace(whole, temper=temper), temper * scores


def _temper(scores: Floats, beads: Ints, counts: Sequence[int]) -> float:
    asked = np.isin(beads, counts)
    column = np.searchsorted(np.asarray(counts), beads[asked])
    told = []
    for temper in TEMPERS:
        s = temper * scores[asked]
        s = s - s.max(axis=1, keepdims=True)
        told.append(float((s[np.arange(len(s)), column] - np.log(np.exp(s).sum(axis=1))).mean()))
    return TEMPERS[int(np.argmax(told))]


def _directions(z: Floats, y: Floats) -> Floats:
    """Principal directions scaled to unit variance, and the one along which a ridge sees ln N; float64[p, d]."""
    covariance = z.T @ z / len(z)
    values, vectors = np.linalg.eigh(covariance)
    most = min(DIRECTIONS, int((values > 1e-6 * values[-1]).sum()))
    chosen = np.argsort(-values)[:most]
    principal = vectors[:, chosen] / np.sqrt(values[chosen])
    ridge = np.linalg.solve(covariance + PENALTY * values.mean() * np.eye(len(values)), z.T @ y / len(y))
    return np.column_stack([principal, ridge / np.std(z @ ridge)])


def _apart(both: Floats, tilts: Floats, devices: Ints) -> tuple[Floats, Floats]:
    """Share `both` out between occasions and devices, by how far occasions of one device lie from their mean."""
    within, freedom = np.zeros_like(both), 0
    for device in np.unique(devices):
        mine = tilts[devices == device]
        if len(mine) > 1:
            away = mine - mine.mean(axis=0)
            within += away.T @ away
            freedom += len(mine) - 1
    if freedom < 3:
        return 0.5 * both, 0.5 * both
    share = float(np.clip(np.trace(within / freedom) / max(np.trace(np.cov(tilts.T)), 1e-9), 0.05, 0.95))
    shape = within / np.trace(within) * np.trace(both)
    occasions = share * ((1 - MIXED) * shape + MIXED * both)
    rest = both - occasions
    values, vectors = np.linalg.eigh((rest + rest.T) / 2)
    return occasions, (vectors * np.maximum(values, 1e-6)) @ vectors.T


def _powers(x: Floats) -> Floats:
    return np.stack([x**k for k in range(DEGREE + 1)], axis=1)
