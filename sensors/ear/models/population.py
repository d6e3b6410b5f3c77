"""What devices, occasions and single takes do to the features: a two-covariance model (PLDA of speaker recognition).

In a few directions of the features, t = curve(ln N) + device + occasion + take. A device and an occasion (a person on a
day) each shift the curve and tilt it. The covariances of these shifts and tilts are learned from whole sweeps
(sensors.ear.models.population_fit). A count's likelihood is a broad Gaussian under the sum of all three. Recordings of
one device teach its own shift, and an owner's sweep counts for what it is worth, for whatever is due to his hand is put
down to the occasion. After Prince and Elder (2007), Probabilistic Linear Discriminant Analysis; random slopes added.

Most of an occasion's effect is the person's, and a person shakes much the same on another day. Whoever shakes now may
or may not be one who shook while the device was calibrated: both hypotheses are kept, and every take weighs them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from sensors.ear.frames.frontend import Floats
from sensors.ear.models.curve import log_middle, powers_of
from sensors.ear.models.gaussian import Factor
from sensors.ear.models.labels import Ints

MOST_POPULATIONS = 8
# degrees of freedom: a take far from all that was learned says little, whichever count is nearest
TAILS = 20.0
# the weight of a population grows with this part of the recordings' log evidence: features overlap
EVIDENCE = 0.1
# The part of an occasion's covariance that is the person's and returns on another day. A judgement: the people of three
# simulators differ from day to day by a tenth of it; flesh and blood may differ by more.
HANDS = 0.85
# Prior probability that the shaker is one of those who shook while the device was calibrated: one of four at the table.
OWN_HAND = 0.25
# Prior covariance of what a maker's sets have in common, as a multiple of that of single sets. A judgement.
KINDS = 1.0
MOST_HANDS = 8  # remembered at most, the latest ones


@dataclass(frozen=True, slots=True, eq=False)
class Population:
    """One source's igloos and people, in d directions; `shift` is the posterior mean of the device's shift and tilt,
    zero before anything is known of it."""

    curve: Floats  # [1 + DEGREE, d], coefficients of powers of ln N − MIDDLE
    takes: Floats  # [d, d] covariance of a take
    occasions: Floats  # [2d, 2d] covariance of an occasion's shift and tilt
    devices: Floats  # [2d, 2d] covariance of what is not known of the device's shift and tilt
    shift: Floats  # [2d]
    weight: float = 0.0  # ln, relative to the others
    # the same, one for each known hand: its `shift` is the device's and the hand's together, its occasions only days
    hands: tuple[Population, ...] = ()

    def supposing(self) -> tuple[tuple[float, Population], ...]:
        """The hypotheses about who shakes: a stranger or one of the known hands, each with the ln of its prior
        probability."""
        if not self.hands:
            return ((0.0, self),)
        known = float(np.log(OWN_HAND / len(self.hands)))
        return ((float(np.log(1 - OWN_HAND)), self), *((known, hand) for hand in self.hands))

    def in_hand(self, shift: Floats, unsure: Floats) -> Population:
        """The same for a known hand: mean and covariance of the shift and tilt that hand and device have together."""
        return replace(self, occasions=(1 - HANDS) * self.occasions, devices=unsure, shift=shift, hands=())

    def away(self, t: Floats, counts: Sequence[int]) -> Floats:
        """Squared Mahalanobis distances of `t`, float64[rows, d], from what each count predicts in a stranger's hand,
        float64[rows, counts]."""
        middles, whiten, _ = _expected(self, tuple(counts))
        deviations = np.matmul(t[None] - middles[:, None], whiten)
        away: Floats = np.square(deviations).sum(axis=2).T
        return away

    def log_likelihood(self, t: Floats, counts: Sequence[int], away: Floats | None = None) -> Floats:
        """ln p(t | N), float64[rows, counts], of t, float64[rows, d], in a stranger's hand; `away` where it is known
        already."""
        away = self.away(t, counts) if away is None else away
        size = _expected(self, tuple(counts))[2]
        out: Floats = -0.5 * (TAILS + t.shape[1]) * np.log1p(away / TAILS) - size
        return out

    def adapted(
        self,
        t: Floats,
        beads: Ints,
        occasions: Ints,
        people: Ints,
        believed: float = 1.0,
        remembered: bool = True,
    ) -> Population:
        """The population after recordings of one device, float64[recordings, d], with their true counts, occasions and
        people. `believed` tempers their likelihood. `remembered`: the same hands may shake again."""
        of_hands, of_days = HANDS * self.occasions, (1 - HANDS) * self.occasions
        each = []
        for person in np.unique(people):
            mine = people == person
            days = [
                self._told(t[i], beads[i], believed)
                for i in (mine & (occasions == o) for o in np.unique(occasions[mine]))
            ]
            each.append(sum((day.beyond(of_days) for day in days), Factor.nothing(2 * t.shape[1])))
        beyond = [told.beyond(of_hands) for told in each]
        whole = sum(beyond, Factor.nothing(2 * t.shape[1]))
        device = whole.learned(self.shift, self.devices)
        hands: list[Population] = []
        for told, theirs in zip(each, beyond, strict=True) if remembered else ():
            others = (whole - theirs).learned(self.shift, self.devices)
            hand = told.learned(others.mean, others.unsure + of_hands)
            hands.append(self.in_hand(hand.mean, hand.unsure))
        return replace(
            self,
            devices=device.unsure,
            shift=device.mean,
            weight=self.weight + EVIDENCE * device.size,
            hands=(*self.hands, *hands)[-MOST_HANDS:],
        )

    def beside(
        self, t: Floats, beads: Ints, occasions: Ints, devices: Ints, believed: float = 1.0
    ) -> Population:
        """The population for a new device that is like those in float64[recordings, d] but none of them: what they have
        in common is learned, and each one's own shift and tilt are summed out."""
        each = []
        for one in np.unique(devices):
            mine = devices == one
            sittings = [
                self._told(t[i], beads[i], believed).beyond(self.occasions)
                for i in (mine & (occasions == o) for o in np.unique(occasions[mine]))
            ]
            each.append(sum(sittings, Factor.nothing(2 * t.shape[1])).beyond(self.devices))
        kind = sum(each, Factor.nothing(2 * t.shape[1])).learned(self.shift, KINDS * self.devices)
        return replace(
            self,
            devices=self.devices + kind.unsure,
            shift=kind.mean,
            weight=self.weight + EVIDENCE * kind.size,
            hands=(),
        )

    def _told(self, t: Floats, beads: Ints, believed: float) -> Factor:
        """The likelihood of float64[recordings, d] of one occasion as a function of the shift and tilt that they
        share."""
        x = log_middle(beads)
        left = t - powers_of(x) @ self.curve
        inverse, size_of_takes = scatter(self)
        h = np.column_stack([np.ones(len(x)), x])
        square = float(np.einsum("ij,jk,ik->", left, inverse, left))
        size = -0.5 * (square + len(x) * size_of_takes)
        towards = ((h.T @ left) @ inverse).reshape(-1)
        return Factor(believed * np.kron(h.T @ h, inverse), believed * towards, believed * size)


# a fit asks about the same members for one fold after another, and a round's counts are assigned several times
@lru_cache(maxsize=2 * MOST_POPULATIONS * (1 + MOST_HANDS))
def scatter(member: Population) -> tuple[Floats, float]:
    """The inverse of the covariance of a take, float64[d, d], and ln of its determinant."""
    inverse: Floats = np.linalg.inv(member.takes).astype(np.float64)
    return inverse, float(np.linalg.slogdet(member.takes)[1])


@lru_cache(maxsize=2 * MOST_POPULATIONS * (1 + MOST_HANDS))
def _expected(member: Population, counts: tuple[int, ...]) -> tuple[Floats, Floats, Floats]:
    """For each count: the mean, float64[counts, d], the whitening matrix, float64[counts, d, d], and half the ln of the
    covariance's determinant."""
    powers, tilts = of_counts(counts, member.curve.shape[1])
    spread = tilts @ (member.occasions + member.devices) @ tilts.swapaxes(1, 2)
    roots = np.linalg.cholesky(member.takes + spread)
    middles: Floats = (powers @ member.curve)[:, 0] + tilts @ member.shift
    whiten: Floats = np.ascontiguousarray(np.linalg.inv(roots).swapaxes(1, 2))
    size: Floats = np.log(np.diagonal(roots, axis1=1, axis2=2)).sum(axis=1)
    return middles, whiten, size


@lru_cache(maxsize=16)  # a fit asks for the same few again and again
def of_counts(counts: tuple[int, ...], d: int) -> tuple[Floats, Floats]:
    """Matrices that turn a curve's coefficients into the mean of each count, float64[counts, 1, DEGREE + 1], and a
    shift and tilt into the deviation from it, [counts, d, 2d]."""
    x = log_middle(counts)
    tilts = np.array([np.kron(np.array([[1.0, one]]), np.eye(d)) for one in x])
    return powers_of(x)[:, None], tilts
