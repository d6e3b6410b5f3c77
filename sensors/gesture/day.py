"""What all igloos of one day have in common: a relative change of all upright loads, and one of all sideways loads.

Moisture and another table make all loads a little heavier or lighter. And the base rocks on its feet at the sideways
tone, the more the lower that tone is, so more under a load than empty. On feet stiffer than on the day of weighing,
every sideways load therefore seems smaller by the same share, which may be several beads of the loose mass. The empty
seat stands on the same feet, so its tones tell part of the day's shares (`feet`). Each tapped igloo tells more,
whatever it holds: the right shares are those with which it is one of the set. So the knowledge of a day is a
distribution over both shares, and a gesture is judged by marginalising over it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Self

import numpy as np
from numpy.typing import NDArray

from sensors.gesture import feet
from sensors.gesture.model import SetModel, Weighing, student
from sensors.gesture.weigh import Empty

Floats = NDArray[np.float64]
# Prior of the relative change of the sideways load from day to day: a mixture of (weight, standard deviation). Feet
# that are an eighth firmer make 0.0016 where the simulated base bobs at 8 Hz, as drawn, and 0.0067 where it bobs at 14
# (the weights are a judgement).
SIDEWAYS = (0.6, 1e-3), (0.3, 4e-3), (0.1, 1.5e-2)
SIDEWAYS_MOST, SIDEWAYS_STEP = 0.06, 2e-4  # the step is less than the scatter of a light igloo's s
GAINS = np.linspace(-3.0, 3.0, 13)  # grid of the day's weight, in standard deviations
# kept after each igloo; with the rest of the probability, somebody has moved the seat since the last one
GOES_ON = 0.98
STRAY, STRAY_NAMED = 0.02, 1e-3  # share of gestures whose weight says nothing about the day
# an igloo that is none of the set today, but would be on another day: probability that the seat was moved
MOVED = 0.5
# without a gesture: meanwhile the seat may have been put away and set up elsewhere
ANOTHER_DAY_S = 3 * 3600.0


def another_day(last_s: float | None, now_s: float | None) -> bool:
    """Does a gesture at `now_s` belong to another day than the one at `last_s`? None where a time is unknown."""
    return last_s is not None and now_s is not None and now_s - last_s > ANOTHER_DAY_S


@cache
def sideways_gains() -> tuple[Floats, Floats]:
    """The grid of the sideways load's relative change, and its prior; [H] each."""
    steps = round(SIDEWAYS_MOST / SIDEWAYS_STEP)
    at: Floats = np.linspace(-SIDEWAYS_MOST, SIDEWAYS_MOST, 2 * steps + 1)
    share: Floats = np.sum([part / sd * np.exp(-((at / sd) ** 2) / 2) for part, sd in SIDEWAYS], axis=0)
    return at, share / share.sum()


@cache
def _unknown() -> Floats:
    """[G, H]: the joint prior of both changes."""
    gains = np.exp(-(GAINS**2) / 2)
    out: Floats = np.outer(gains / gains.sum(), sideways_gains()[1])
    return out


@dataclass(frozen=True, slots=True, eq=False)
class Day:
    """What is known of one day of a set at its seat. share [G, H], sums to 1: the probability of each pair of changes;
    begun: the same from the empty seat alone; weighed_empty: the empty seat's tones on the day of weighing, None:
    unknown."""

    model: SetModel
    share: Floats
    begun: Floats
    weighed_empty: Empty | None = None

    @classmethod
    def unknown(cls, model: SetModel, weighed_empty: Empty | None = None) -> Self:
        """Before anything was tapped."""
        return cls(model, _unknown(), _unknown(), weighed_empty)

    def with_empty(self, empty: Empty | None) -> Day:
        """The day after a tap on the empty seat (None: not tapped). The tones tell the feet of a day of which nothing
        else is known, and of a new day in case somebody moves the seat."""
        if empty is None or self.weighed_empty is None:
            return self
        told = feet.likelihood(self.model, feet.beside(empty, self.weighed_empty), sideways_gains()[0])
        begun = _unknown() * told
        begun /= begun.sum()
        return replace(self, share=begun if self.share is self.begun else self.share, begun=begun)

    @property
    def heavier(self) -> tuple[float, float]:
        """How much heavier all loads are, relative: mean and standard deviation."""
        return _moments(GAINS * self.model.noise.gain, self.share.sum(axis=1))

    @property
    def sideways(self) -> tuple[float, float]:
        """How much heavier all loads are sideways, relative: mean and standard deviation."""
        return _moments(sideways_gains()[0], self.share.sum(axis=0))

    def probabilities(self, weighing: Weighing) -> Floats:
        """Posterior over the model's counts, marginalised over the day."""
        p = np.einsum("gh,gn,hn->n", self.share, *self._likelihoods(weighing))
        p = p / p.sum()
        out: Floats = (1 - 1e-4) * p + 1e-4 / len(p)
        return out

    def if_known(self, weighing: Weighing) -> float:
        """The expected probability of the likeliest count if the day were known, averaged over what the day may be."""
        up, side = self._likelihoods(weighing)
        both = self.share[:, :, None] * up[:, None, :] * side[None, :, :]
        return float(both.max(axis=2).sum() / both.sum())

    def surprises(self, weighing: Weighing) -> Floats:
        """[counts, 2]: deviations of t, and of s or b, from each igloo's, in standard deviations, under the day that
        explains them best; that day's own improbability is included."""
        shares = self.share.sum(axis=1), self.share.sum(axis=0)
        far = [
            z * z - 2 * np.log(w / w.max())[:, None] for w, z in zip(shares, self._off(weighing), strict=True)
        ]
        out: Floats = np.sqrt(np.stack([one.min(axis=0) for one in far], axis=1))
        return out

    def learned(self, weighing: Weighing) -> Day:
        """The posterior of the day after this gesture of one of the set's igloos, whichever it is."""
        share = self.share * self._fits(weighing, STRAY)
        return self._with(GOES_ON * share / share.sum() + (1 - GOES_ON) * self.begun)

    def named(self, weighing: Weighing, count: int) -> Day:
        """The same after a gesture of the igloo of `count`. Raises ValueError for a count that is not in the model."""
        share = self.share * self._fits(weighing, STRAY_NAMED, self.model.counts.index(count))
        return self._with(share / share.sum())

    def or_moved(self, weighing: Weighing) -> Day:
        """The posterior after a gesture that fits no igloo of the set on this day, but one on another day: either it is
        none of the set, or somebody moved the seat."""
        other = self._with((self.begun + _unknown()) / 2).learned(weighing)
        return self._with((1 - MOVED) * self.share + MOVED * other.share)

    @classmethod
    def by_the_others(cls, model: SetModel, weighings: Sequence[Weighing]) -> list[Day]:
        """For igloos that were weighed on one day: what the others tell about the day, for each of them."""
        day = cls.unknown(model)
        each = [np.log(day._fits(weighing, STRAY)) for weighing in weighings]
        log = np.log(day.share) + np.sum(each, axis=0)
        out = []
        for own in each:
            share = np.exp(log - own - (log - own).max())
            out.append(cls(model, share / share.sum(), _unknown()))
        return out

    def _with(self, share: Floats) -> Day:
        return replace(self, share=share)

    def _fits(self, weighing: Weighing, stray: float, igloo: int | None = None) -> Floats:
        """[G, H]: the likelihood of each pair of changes by this weighing, up to a factor; `igloo`: which one it is."""
        up, side = self._likelihoods(weighing)
        if igloo is not None:
            up, side = up[:, [igloo]], side[:, [igloo]]
        fits = up @ side.T
        out: Floats = fits / fits.max() + stray
        return out

    def _deviations(self, weighing: Weighing) -> tuple[Floats, Floats]:
        """Standard deviations of t, and of s or b, about each igloo's, [counts] each, given the day's changes."""
        sd_t, second = self.model.deviations(weighing)
        # a day that makes only the upright loads heavier (another table) shifts the loose mass by as much
        loose = np.where(self.model.unweighed, self.heavier[1] * weighing.upright, 0.0)
        return sd_t, np.hypot(second, loose)

    def _off(self, weighing: Weighing) -> tuple[Floats, Floats]:
        """[G, counts] and [H, counts]: deviations of t, and of s or b, from each igloo's under each change, in standard
        deviations."""
        model = self.model
        sd_t, second = self._deviations(weighing)
        upright = weighing.upright / (1 + GAINS * model.noise.gain)
        stiff = model.kappa * weighing.sideways / (1 + sideways_gains()[0])
        return (upright[:, None] - model.means[:, 0]) / sd_t, model.beside(weighing.upright, stiff) / second

    def _likelihoods(self, weighing: Weighing) -> tuple[Floats, Floats]:
        """The same as likelihoods, up to a factor each."""
        sd_t, sd_side = self._deviations(weighing)
        up, side = self._off(weighing)
        up, side = student(up) - np.log(sd_t), student(side) - np.log(sd_side)
        return np.exp(up - up.max()), np.exp(side - side.max())


def _moments(at: Floats, share: Floats) -> tuple[float, float]:
    mean = float(share @ at)
    return mean, float(np.sqrt(share @ (at - mean) ** 2))
