"""What all igloos of one day have in common: how much heavier everything weighs, and how much more or less sideways.

Moisture and another table make all loads a little heavier or lighter. And the base rocks on its feet under the sideways
tone, the more the lower that tone is, so under a load more than empty: on feet that are stiffer than on the day of
weighing every sideways load seems less by the same share, which may be several beads of what is loose. Something of a
day's shares the empty seat tells, which stands on the same feet (`feet`). Each igloo that is tapped tells more,
whatever it holds: they are those with which it is one of the set. So what is known of a day is a distribution over
both, and a gesture is judged under all.
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
# Relative, of the sideways load from day to day: (how often, standard deviation). Feet that are an eighth firmer make
# 0.0016 of it where the simulated base bobs at 8 Hz, as drawn, and 0.0067 where it bobs at 14 (how often they are:
# judgement).
SIDEWAYS = (0.6, 1e-3), (0.3, 4e-3), (0.1, 1.5e-2)
SIDEWAYS_MOST, SIDEWAYS_STEP = 0.06, 2e-4  # less than what s of a light igloo scatters by
GAINS = np.linspace(-3.0, 3.0, 13)  # standard deviations of the day's weight
GOES_ON = 0.98  # by one igloo: somebody may have moved the seat since the last
STRAY, STRAY_NAMED = 0.02, 1e-3  # of gestures: what they weigh says nothing of the day
MOVED = 0.5  # where an igloo is none of the set, and would be one on another day: how likely that is
ANOTHER_DAY_S = 3 * 3600.0  # without a gesture: the seat may have been put away since, and stand elsewhere


def another_day(last_s: float | None, now_s: float | None) -> bool:
    """Is a gesture at `now_s` of another day than the one at `last_s`? None where a time is not known."""
    return last_s is not None and now_s is not None and now_s - last_s > ANOTHER_DAY_S


@cache
def sideways_gains() -> tuple[Floats, Floats]:
    """How much more all weighs sideways, relative, and how likely that is before anything was tapped; [H] each."""
    steps = round(SIDEWAYS_MOST / SIDEWAYS_STEP)
    at: Floats = np.linspace(-SIDEWAYS_MOST, SIDEWAYS_MOST, 2 * steps + 1)
    share: Floats = np.sum([part / sd * np.exp(-((at / sd) ** 2) / 2) for part, sd in SIDEWAYS], axis=0)
    return at, share / share.sum()


@cache
def _unknown() -> Floats:
    """[G, H]: the same, and of the weight, beside one another."""
    gains = np.exp(-(GAINS**2) / 2)
    out: Floats = np.outer(gains / gains.sum(), sideways_gains()[1])
    return out


@dataclass(frozen=True, slots=True, eq=False)
class Day:
    """What is known of one day of a set at its seat. share [G, H], summing to 1: how likely each pair of shares is;
    begun: the same by the empty seat alone; weighed_empty: where that sang on the day of weighing, None: unknown."""

    model: SetModel
    share: Floats
    begun: Floats
    weighed_empty: Empty | None = None

    @classmethod
    def unknown(cls, model: SetModel, weighed_empty: Empty | None = None) -> Self:
        """Nothing was tapped yet."""
        return cls(model, _unknown(), _unknown(), weighed_empty)

    def with_empty(self, empty: Empty | None) -> Day:
        """The same once the empty seat was tapped (None: it was not): its tones tell the feet of a day of which nothing
        else is known, and of the one on which the seat stands if somebody moved it since."""
        if empty is None or self.weighed_empty is None:
            return self
        told = feet.likelihood(self.model, feet.beside(empty, self.weighed_empty), sideways_gains()[0])
        begun = _unknown() * told
        begun /= begun.sum()
        return replace(self, share=begun if self.share is self.begun else self.share, begun=begun)

    @property
    def heavier(self) -> tuple[float, float]:
        """How much heavier everything weighs, relative: the mean and its standard deviation."""
        return _moments(GAINS * self.model.noise.gain, self.share.sum(axis=1))

    @property
    def sideways(self) -> tuple[float, float]:
        """How much more everything weighs sideways, relative: the mean and its standard deviation."""
        return _moments(sideways_gains()[0], self.share.sum(axis=0))

    def probabilities(self, weighing: Weighing) -> Floats:
        """Over the model's counts."""
        p = np.einsum("gh,gn,hn->n", self.share, *self._likelihoods(weighing))
        p = p / p.sum()
        out: Floats = (1 - 1e-4) * p + 1e-4 / len(p)
        return out

    def if_known(self, weighing: Weighing) -> float:
        """How likely the count that is likeliest would be if the day were known, on average over what it may be."""
        up, side = self._likelihoods(weighing)
        both = self.share[:, :, None] * up[:, None, :] * side[None, :, :]
        return float(both.max(axis=2).sum() / both.sum())

    def surprises(self, weighing: Weighing) -> Floats:
        """[counts, 2]: how far t, and s or b, lie from each igloo's, in standard deviations, where the day is what
        explains it best, and how unlikely that is counts as well."""
        shares = self.share.sum(axis=1), self.share.sum(axis=0)
        far = [
            z * z - 2 * np.log(w / w.max())[:, None] for w, z in zip(shares, self._off(weighing), strict=True)
        ]
        out: Floats = np.sqrt(np.stack([one.min(axis=0) for one in far], axis=1))
        return out

    def learned(self, weighing: Weighing) -> Day:
        """What is known of it after this gesture of one of the set's igloos, nobody need know which."""
        share = self.share * self._fits(weighing, STRAY)
        return self._with(GOES_ON * share / share.sum() + (1 - GOES_ON) * self.begun)

    def named(self, weighing: Weighing, count: int) -> Day:
        """The same after one of the igloo of `count`. Raises ValueError for a count that the model does not have."""
        share = self.share * self._fits(weighing, STRAY_NAMED, self.model.counts.index(count))
        return self._with(share / share.sum())

    def or_moved(self, weighing: Weighing) -> Day:
        """What is known after a gesture that is of none of the set's igloos on this day, and of one on another: either
        it is none, or somebody moved the seat."""
        other = self._with((self.begun + _unknown()) / 2).learned(weighing)
        return self._with((1 - MOVED) * self.share + MOVED * other.share)

    @classmethod
    def by_the_others(cls, model: SetModel, weighings: Sequence[Weighing]) -> list[Day]:
        """Of igloos that were weighed on one day: what all but each of them tell of it."""
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
        """[G, H]: how likely the weighing is under each pair of shares, but for a factor; `igloo`: whose it is."""
        up, side = self._likelihoods(weighing)
        if igloo is not None:
            up, side = up[:, [igloo]], side[:, [igloo]]
        fits = up @ side.T
        out: Floats = fits / fits.max() + stray
        return out

    def _deviations(self, weighing: Weighing) -> tuple[Floats, Floats]:
        """Of t, and of s or b, from each igloo's, [counts] each, where the day's shares are known."""
        sd_t, second = self.model.deviations(weighing)
        # what makes everything heavier upright alone (another table) moves what is loose as far as that
        loose = np.where(self.model.unweighed, self.heavier[1] * weighing.upright, 0.0)
        return sd_t, np.hypot(second, loose)

    def _off(self, weighing: Weighing) -> tuple[Floats, Floats]:
        """[G, counts] and [H, counts]: how far t, and s or b, lie from each igloo's under each share, standard
        deviations."""
        model = self.model
        sd_t, second = self._deviations(weighing)
        upright = weighing.upright / (1 + GAINS * model.noise.gain)
        stiff = model.kappa * weighing.sideways / (1 + sideways_gains()[0])
        return (upright[:, None] - model.means[:, 0]) / sd_t, model.beside(weighing.upright, stiff) / second

    def _likelihoods(self, weighing: Weighing) -> tuple[Floats, Floats]:
        """The same as they go with the data's likelihood, but for a factor each."""
        sd_t, sd_side = self._deviations(weighing)
        up, side = self._off(weighing)
        up, side = student(up) - np.log(sd_t), student(side) - np.log(sd_side)
        return np.exp(up - up.max()), np.exp(side - side.max())


def _moments(at: Floats, share: Floats) -> tuple[float, float]:
    mean = float(share @ at)
    return mean, float(np.sqrt(share @ (at - mean) ** 2))
