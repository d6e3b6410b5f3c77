"""What devices, occasions and single takes do to the features: a two-covariance model (PLDA of speaker recognition).

In a few directions of the features, t = curve(ln N) + device + occasion + take. A device and an occasion (a person on a
day) each shift the curve and tilt it; how far they do, and in which directions together, is learned from whole sweeps
(sensors.ear.models.population_fit). A count's likelihood is a broad Gaussian under the sum of all three, and recordings
of one device tell of its own shift: an owner's sweep is worth as much as it should be, for what is his hand's stays an
occasion's. After Prince and Elder (2007), Probabilistic Linear Discriminant Analysis; random slopes added.

Most of an occasion is the person, and a person shakes alike on another day. So whoever shook while the device was
calibrated may be the one who shakes now, or not: both are supposed, and every take weighs them.

There are several populations side by side, of igloos that were learned from unlike sources: one covariance for all
would fit none. Every take weighs them by how well they explain it, and an owner's sweep settles it for good.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import scipy  # its parts are loaded when they are first asked

from sensors.ear.frames.frontend import Floats
from sensors.ear.models.curve import log_middle, powers_of
from sensors.ear.models.gaussian import Factor
from sensors.ear.models.labels import Ints

MOST_DIRECTIONS = 64  # in a profile
MOST_POPULATIONS = 8
TAILS = 20.0  # degrees of freedom: what lies far from all that was learned tells little, whichever count it is nearest
# recordings of a device speak for a population with this part of their likelihood: features overlap
EVIDENCE = 0.1
# Once the device is known, the likelihood is believed this far by an accelerometer, which feels what the hand does;
# without that, a stranger's hand that is taken for the owner's would be believed too much.
KNOWN_TEMPER = 0.8
# Of what a sweep tells of its device so much is believed where nothing tells what the hand did: takes of one hand err
# together in more ways than an occasion's shift and tilt. Believed in full, a sweep heard by a contact microphone made
# other people's shakes in MuJoCo harder to tell, not easier. A choice between populations gets as much less of it.
UNFELT = 0.2
# Of what an occasion shifts and tilts (covariance), so much is the person's and comes again on another day. Judgement:
# three simulators' people differ from day to day by a tenth of that; flesh and blood may differ by more.
HANDS = 0.85
# The probability, beforehand, that one of those shakes who shook while the device was calibrated: one of four at table.
OWN_HAND = 0.25
# What a maker's sets of igloos have in common spreads as much, beforehand, as single sets do (covariance). Judgement.
KINDS = 1.0
# A shake that is stranger than USUAL is believed as much less, as where counts scatter more than their model has it
# (quasi-likelihood: McCullagh and Nelder 1989, 4.5), but not less than LEAST_MET. In a simulated world that it had not
# met the ear was far too sure; in those that it knows this changes little.
USUAL, LEAST_MET = 0.9, 0.4
MOST_HANDS = 8  # are remembered, the last ones


@dataclass(frozen=True, slots=True, eq=False)
class Population:
    """One source's igloos and people, in d directions; `shift` is what is known of the device (nothing: zero)."""

    curve: Floats  # [1 + DEGREE, d], coefficients of powers of ln N − MIDDLE
    takes: Floats  # [d, d] covariance of a take
    occasions: Floats  # [2d, 2d] covariance of an occasion's shift and tilt
    devices: Floats  # [2d, 2d] what is not known of the device's
    shift: Floats  # [2d]
    weight: float = 0.0  # ln, beside the others
    # the same in hands that are known: `shift` is then the device's and the hand's, an occasion only a day
    hands: tuple[Population, ...] = ()

    def supposing(self) -> tuple[tuple[float, Population], ...]:
        """Who may shake: a stranger, and each of the known hands; with ln of how likely that is beforehand."""
        if not self.hands:
            return ((0.0, self),)
        known = float(np.log(OWN_HAND / len(self.hands)))
        return ((float(np.log(1 - OWN_HAND)), self), *((known, hand) for hand in self.hands))

    def in_hand(self, shift: Floats, unsure: Floats) -> Population:
        """The same in a known hand: shift and tilt of it and the device together, and their covariance."""
        return replace(self, occasions=(1 - HANDS) * self.occasions, devices=unsure, shift=shift, hands=())

    def away(self, t: Floats, counts: Sequence[int]) -> Floats:
        """Sum of squares of whitened deviations from what is expected of each count, float64[rows, counts], of
        float64[rows, d] in a stranger's hand."""
        middles, whiten, _ = _expected(self, tuple(counts))
        deviations = np.matmul(t[None] - middles[:, None], whiten)
        away: Floats = np.square(deviations).sum(axis=2).T
        return away

    def log_likelihood(self, t: Floats, counts: Sequence[int], away: Floats | None = None) -> Floats:
        """ln p(t | N) of float64[rows, d], float64[rows, counts], in a stranger's hand; `away` where it is known."""
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
        """The same, knowing float64[recordings, d] of one device, their true counts, occasions and who shook; they are
        worth so much of their number as `believed` says. `remembered`: their hands may come again."""
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
        """The same of devices that are like those in float64[recordings, d], and none of them: what they have in common
        is learned, and each one's own shift and tilt put down to it."""
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
        """What float64[recordings, d] of one occasion tell of the shift and tilt that they have in common."""
        x = log_middle(beads)
        left = t - powers_of(x) @ self.curve
        inverse, size_of_takes = scatter(self)
        h = np.column_stack([np.ones(len(x)), x])
        square = float(np.einsum("ij,jk,ik->", left, inverse, left))
        size = -0.5 * (square + len(x) * size_of_takes)
        towards = ((h.T @ left) @ inverse).reshape(-1)
        return Factor(believed * np.kron(h.T @ h, inverse), believed * towards, believed * size)


# a fit tells the same members of one fold after another, and a round is laid out anew some times
@lru_cache(maxsize=2 * MOST_POPULATIONS * (1 + MOST_HANDS))
def scatter(member: Population) -> tuple[Floats, float]:
    """The inverse of the covariance of a take, float64[d, d], and ln of its determinant."""
    inverse: Floats = np.linalg.inv(member.takes).astype(np.float64)
    return inverse, float(np.linalg.slogdet(member.takes)[1])


@lru_cache(maxsize=2 * MOST_POPULATIONS * (1 + MOST_HANDS))
def _expected(member: Population, counts: tuple[int, ...]) -> tuple[Floats, Floats, Floats]:
    """For each count what is expected, float64[counts, d], its whitening, float64[counts, d, d], and ln of its size."""
    powers, tilts = of_counts(counts, member.curve.shape[1])
    spread = tilts @ (member.occasions + member.devices) @ tilts.swapaxes(1, 2)
    roots = np.linalg.cholesky(member.takes + spread)
    middles: Floats = (powers @ member.curve)[:, 0] + tilts @ member.shift
    whiten: Floats = np.ascontiguousarray(np.linalg.inv(roots).swapaxes(1, 2))
    size: Floats = np.log(np.diagonal(roots, axis1=1, axis2=2)).sum(axis=1)
    return middles, whiten, size


@lru_cache(maxsize=16)  # a fit asks for the same few again and again
def of_counts(counts: tuple[int, ...], d: int) -> tuple[Floats, Floats]:
    """What takes a curve to each count, float64[counts, 1, DEGREE + 1], and shifts and tilts, [counts, d, 2d]."""
    x = log_middle(counts)
    tilts = np.array([np.kron(np.array([[1.0, one]]), np.eye(d)) for one in x])
    return powers_of(x)[:, None], tilts


def met(strangeness: Floats) -> Floats:
    """How far what was learned may be believed of each row, float64[rows]: less than 1 where it is farther from all of
    that than usual."""
    out: Floats = np.maximum(LEAST_MET, USUAL / np.maximum(USUAL, strangeness))
    return out


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

    def weigh(self, z: Floats, counts: Sequence[int]) -> tuple[Floats, Floats]:
        """ln p(features | N), float64[rows, counts], of scaled features float64[rows, p]; and how far each row is from
        whatever is nearest of all that was learned: mean square of whitened deviations, float64[rows]; 1 is usual for
        the true count and less for the nearest."""
        t = self.project(z)
        each, nearest = [], np.full(len(t), np.inf)
        for m in self.members:
            for likely, supposed in m.supposing():
                away = supposed.away(t, counts)
                each.append(m.weight + likely + self.temper * supposed.log_likelihood(t, counts, away))
                nearest = np.minimum(nearest, away.min(axis=1))
        out: Floats = scipy.special.logsumexp(np.array(each), axis=0)
        return out, nearest / t.shape[1]

    def log_likelihood(self, z: Floats, counts: Sequence[int]) -> Floats:
        """As `weigh`."""
        return self.weigh(z, counts)[0]

    def strangeness(self, z: Floats, counts: Sequence[int]) -> Floats:
        """How far each row is from all that was learned, as `weigh`."""
        return self.weigh(z, counts)[1]

    def in_known_hands(self, z: Floats, counts: Sequence[int]) -> Floats:
        """The probability that one of the hands shook each row that the device was calibrated by, whatever the count,
        float64[rows]."""
        t = self.project(z)
        each = [
            (
                supposed is not m,
                m.weight
                + likely
                + self.temper * scipy.special.logsumexp(supposed.log_likelihood(t, counts), axis=1),
            )
            for m in self.members
            for likely, supposed in m.supposing()
        ]
        size = np.array([of_one for _, of_one in each])
        known = np.array([own for own, _ in each])
        out: Floats = np.exp(
            scipy.special.logsumexp(size, axis=0, b=known[:, None]) - scipy.special.logsumexp(size, axis=0)
        )
        return out

    def in_strangers_hands(self) -> Populations:
        """The same device, and none of the hands that were heard with it."""
        return replace(self, members=tuple(replace(m, hands=()) for m in self.members))

    def adapted(
        self,
        z: Floats,
        beads: Ints,
        occasions: Ints,
        people: Ints,
        felt: bool = False,
        remembered: bool = True,
    ) -> Populations:
        """The same, knowing recordings of one device: float64[recordings, p], their true counts, occasions and who
        shook (an occasion is of one person). `felt`: the features tell what the hand did. `remembered`: not only
        strangers will shake from now on."""
        t = self.project(z)
        believed = 1.0 if felt else UNFELT
        told = [m.adapted(t, beads, occasions, people, believed, remembered) for m in self.members]
        members = _likely(told)
        temper = max(self.temper, KNOWN_TEMPER) if felt else self.temper
        return replace(self, members=members, temper=temper)

    def beside(
        self, z: Floats, beads: Ints, occasions: Ints, devices: Ints, felt: bool = False
    ) -> Populations:
        """The same of devices that are like those of several others: float64[recordings, p], their true counts,
        occasions and devices (an occasion is of one device)."""
        t = self.project(z)
        believed = 1.0 if felt else UNFELT
        members = _likely([m.beside(t, beads, occasions, devices, believed) for m in self.members])
        return replace(self, members=members)


def _likely(members: Sequence[Population]) -> tuple[Population, ...]:
    """Without those that are out of the question, which need not be asked."""
    best = max(m.weight for m in members)
    return tuple(replace(m, weight=m.weight - best) for m in members if m.weight > best - 10.0)
