"""What devices, occasions and single takes do to the features: a two-covariance model (PLDA of speaker recognition).

In a few directions of the features, t = curve(ln N) + device + occasion + take. A device and an occasion (a person on
a day) each shift the curve and tilt it; how far they do, and in which directions together, is learned from whole sweeps
(sensors.ear.population_fit). A count's likelihood is a broad Gaussian under the sum of all three, and recordings of one
device tell of its own shift: an owner's sweep is worth as much as it should be, for what is his hand's stays an
occasion's. After Prince and Elder (2007), Probabilistic Linear Discriminant Analysis; random slopes added.

There are several populations side by side, of igloos that were learned from unlike sources: one covariance for all
would fit none. Every take weighs them by how well they explain it, and an owner's sweep settles it for good.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp

from sensors.ear.frontend import Floats

Ints = npt.NDArray[np.intp]

MOST_DIRECTIONS = 64  # in a profile
MOST_POPULATIONS = 8
MIDDLE = 1.8  # ln N in the middle of the game's counts
DEGREE = 2  # of the curve
STRANGER = (
    2.0  # a device that is calibrated may differ this much more (variance) than those that were learned
)
TAILS = 20.0  # degrees of freedom: what lies far from all that was learned tells little, whichever count it is nearest
EVIDENCE = (
    0.1  # recordings of a device speak for a population with this part of their likelihood: features overlap
)
KNOWN_TEMPER = 0.8  # once the device is known, the likelihood is believed this far


@dataclass(frozen=True, slots=True, eq=False)
class Population:
    """One source's igloos and people, in d directions; `shift` is what is known of the device (nothing: zero)."""

    curve: Floats  # [1 + DEGREE, d], coefficients of powers of ln N − MIDDLE
    takes: Floats  # [d, d] covariance of a take
    occasions: Floats  # [2d, 2d] covariance of an occasion's shift and tilt
    devices: Floats  # [2d, 2d] what is not known of the device's
    shift: Floats  # [2d]
    weight: float = 0.0  # ln, beside the others

    def log_likelihood(self, t: Floats, counts: Sequence[int]) -> Floats:
        """ln p(t | N) of float64[rows, d], float64[rows, counts]."""
        middles, whiten, size = _expected(self, tuple(counts))
        out = np.empty((len(t), len(counts)))
        for column in range(len(counts)):
            away = np.square((t - middles[column]) @ whiten[column]).sum(axis=1)
            out[:, column] = -0.5 * (TAILS + t.shape[1]) * np.log1p(away / TAILS) - size[column]
        return out

    def adapted(self, t: Floats, beads: Ints, occasions: Ints) -> Population:
        """The same, knowing float64[recordings, d] of one device, their true counts and their occasions."""
        d = t.shape[1]
        x = log_middle(beads)
        left = t - powers_of(x) @ self.curve
        inverse: Floats = np.linalg.inv(self.takes).astype(np.float64)
        size = float(np.linalg.slogdet(self.takes)[1])
        unsure: Floats = STRANGER * self.devices
        shift, told = self.shift, 0.0
        for occasion in np.unique(occasions):
            inside = occasions == occasion
            h = np.column_stack([np.ones(int(inside.sum())), x[inside]])
            away = left[inside] - h @ shift.reshape(2, d)
            information = np.kron(h.T @ h, inverse)
            towards = ((h.T @ away) @ inverse).reshape(-1)
            # how likely these were, before they were heard
            whole = self.occasions + unsure
            widened = np.eye(2 * d) + whole @ information
            square = float(np.einsum("ij,jk,ik->", away, inverse, away))
            square -= float(towards @ np.linalg.solve(widened, whole @ towards))
            told -= 0.5 * (square + len(h) * size + float(np.linalg.slogdet(widened)[1]))
            # the occasion's own shift and tilt are nobody's to know: summed out
            keep = np.linalg.inv(np.eye(2 * d) + information @ self.occasions)
            precision = np.linalg.inv(unsure) + keep @ information
            unsure = np.asarray(np.linalg.inv((precision + precision.T) / 2), dtype=np.float64)
            shift = np.asarray(shift + unsure @ (keep @ towards), dtype=np.float64)
        return replace(
            self, devices=(unsure + unsure.T) / 2, shift=shift, weight=self.weight + EVIDENCE * told
        )


@lru_cache(maxsize=4 * MOST_POPULATIONS)
def _expected(member: Population, counts: tuple[int, ...]) -> tuple[Floats, Floats, Floats]:
    """For each count what is expected, float64[counts, d], its whitening, float64[counts, d, d], and ln of its size."""
    d = member.curve.shape[1]
    middles, whiten, size = [], [], []
    for x in log_middle(counts):
        tilt = np.kron(np.array([[1.0, x]]), np.eye(d))
        root = np.linalg.cholesky(member.takes + tilt @ (member.occasions + member.devices) @ tilt.T)
        middles.append(powers_of(np.array([x]))[0] @ member.curve + tilt @ member.shift)
        whiten.append(np.linalg.inv(root).T)
        size.append(np.log(np.diag(root)).sum())
    return np.array(middles), np.array(whiten), np.array(size)


@dataclass(frozen=True, slots=True)
class Populations:
    """Those that were learned, in the same d directions of p scaled features."""

    centre: Floats  # [p]
    directions: Floats  # [p, d]
    temper: float  # the likelihood is this much too sure: features overlap
    members: tuple[Population, ...]

    def project(self, z: Floats) -> Floats:
        """Scaled features float64[rows, p] along the directions, float64[rows, d]."""
        t: Floats = (z - self.centre) @ self.directions
        return t

    def log_likelihood(self, z: Floats, counts: Sequence[int]) -> Floats:
        """ln p(features | N), float64[rows, counts], of scaled features float64[rows, p]."""
        t = self.project(z)
        each = [m.weight + self.temper * m.log_likelihood(t, counts) for m in self.members]
        out: Floats = logsumexp(np.array(each), axis=0)
        return out

    def strangeness(self, z: Floats, counts: Sequence[int]) -> Floats:
        """How far each row is from whatever is nearest of all that was learned: mean square of whitened deviations,
        float64[rows]; 1 is usual for the true count and less for the nearest."""
        t = self.project(z)
        nearest = np.full(len(t), np.inf)
        for member in self.members:
            for middle, whiten in zip(*_expected(member, tuple(counts))[:2], strict=True):
                nearest = np.minimum(nearest, np.square((t - middle) @ whiten).mean(axis=1))
        return nearest

    def adapted(self, z: Floats, beads: Ints, occasions: Ints) -> Populations:
        """The same, knowing recordings of one device: float64[recordings, p], their true counts and occasions."""
        t = self.project(z)
        members = [m.adapted(t, beads, occasions) for m in self.members]
        best = max(m.weight for m in members)
        # one that is out of the question need not be asked
        likely = tuple(replace(m, weight=m.weight - best) for m in members if m.weight > best - 10.0)
        return replace(self, members=likely, temper=max(self.temper, KNOWN_TEMPER))


def log_middle(counts: Sequence[int] | Ints) -> Floats:
    """ln N − MIDDLE."""
    x: Floats = np.log(np.asarray(counts, dtype=np.float64)) - MIDDLE
    return x


def powers_of(x: Floats) -> Floats:
    return np.stack([x**k for k in range(DEGREE + 1)], axis=1)
