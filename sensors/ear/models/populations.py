"""Several populations side by side, for igloos learned from unlike sources: one covariance for all would fit none.

Every take weighs them by how well they explain it, and an owner's sweep settles the choice for good.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy  # its parts are loaded when they are first asked

from sensors.ear.frames.frontend import Floats
from sensors.ear.models.labels import Ints
from sensors.ear.models.population import Population

MOST_DIRECTIONS = 64  # at most, in a profile
# Exponent of the likelihood once the device is known, for an accelerometer, which feels what the hand does. Without
# that, a stranger's hand that is taken for the owner's would be trusted too much.
KNOWN_TEMPER = 0.8
# The part of a sweep's evidence about its device that is used where nothing measures the hand: takes of one hand err
# together in more ways than an occasion's shift and tilt. Used in full, a sweep heard by a contact microphone made
# other people's shakes in MuJoCo harder to tell, not easier. The choice between populations is tempered alike.
UNFELT = 0.2
# The likelihood of a shake that is stranger than USUAL is tempered in proportion, as where counts scatter more than
# their model says (quasi-likelihood: McCullagh and Nelder 1989, 4.5), down to LEAST_MET. In a simulated world that it
# had not met, the ear was far too sure; in the worlds that it knows this changes little.
USUAL, LEAST_MET = 0.9, 0.4


def met(strangeness: Floats) -> Floats:
    """The exponent that tempers what the learned models say of each row, float64[rows]: less than 1 where the row is
    farther than usual from all that was learned."""
    out: Floats = np.maximum(LEAST_MET, USUAL / np.maximum(USUAL, strangeness))
    return out


@dataclass(frozen=True, slots=True)
class Populations:
    """All learned populations, in the same d directions of p scaled features."""

    centre: Floats  # [p]
    directions: Floats  # [p, d]
    temper: float  # exponent of the likelihood, which is overconfident because features overlap
    members: tuple[Population, ...]

    def project(self, z: Floats) -> Floats:
        """Scaled features float64[rows, p] along the directions, float64[rows, d]."""
        t: Floats = (z - self.centre) @ self.directions
        return t

    def weigh(self, z: Floats, counts: Sequence[int]) -> tuple[Floats, Floats]:
        """ln p(features | N), float64[rows, counts], of scaled features float64[rows, p]; and each row's strangeness:
        its mean squared whitened deviation from the nearest of all that was learned, float64[rows]. That is 1 on
        average for the true count, and less for the nearest."""
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
        """The first of what `weigh` returns."""
        return self.weigh(z, counts)[0]

    def strangeness(self, z: Floats, counts: Sequence[int]) -> Floats:
        """The second of what `weigh` returns: how far each row is from all that was learned."""
        return self.weigh(z, counts)[1]

    def in_known_hands(self, z: Floats, counts: Sequence[int]) -> Floats:
        """The probability that each row was shaken by one of the hands that calibrated the device, whatever the count,
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
        """The same device without the hands that were heard with it."""
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
        """The populations after recordings of one device: float64[recordings, p], their true counts, occasions and
        people (an occasion belongs to one person). `felt`: the features include the hand's own motion. `remembered`:
        the same people may shake again, not only strangers."""
        t = self.project(z)
        believed = 1.0 if felt else UNFELT
        told = [m.adapted(t, beads, occasions, people, believed, remembered) for m in self.members]
        members = _likely(told)
        temper = max(self.temper, KNOWN_TEMPER) if felt else self.temper
        return replace(self, members=members, temper=temper)

    def beside(
        self, z: Floats, beads: Ints, occasions: Ints, devices: Ints, felt: bool = False
    ) -> Populations:
        """The populations for new devices like several recorded ones: float64[recordings, p], their true counts,
        occasions and devices (an occasion belongs to one device)."""
        t = self.project(z)
        believed = 1.0 if felt else UNFELT
        members = _likely([m.beside(t, beads, occasions, devices, believed) for m in self.members])
        return replace(self, members=members)


def _likely(members: Sequence[Population]) -> tuple[Population, ...]:
    """Only the members that are not out of the question; the others need not be asked."""
    best = max(m.weight for m in members)
    return tuple(replace(m, weight=m.weight - best) for m in members if m.weight > best - 10.0)
