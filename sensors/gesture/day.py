"""What all igloos of one day have in common: how much heavier everything weighs, and how much more or less sideways.

Moisture and another table make all loads a little heavier or lighter. And the base rocks on its feet under the sideways
tone, the more the lower that tone is, so under a load more than empty: on feet that are stiffer than on the day of
weighing every sideways load seems less by the same share, which may be several beads of what is loose. Nobody knows a
day's shares before an igloo is tapped. Each one that is tells something of them, whatever it holds: they are those with
which it is one of the set. So what is known of a day is a distribution over both, and a gesture is judged under all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Self

import numpy as np
from numpy.typing import NDArray

from sensors.gesture.model import FREEDOM, SetModel, Weighing, student

Floats = NDArray[np.float64]
# Relative, of the sideways load from day to day: (how often, standard deviation). Feet that differ by an eighth make
# 0.002 of it where the base bobs at 8 Hz, as drawn, and 0.01 or more where it bobs at 14 (judgement; the two simulated
# bases behind it are told of in docs/gesture.md).
SIDEWAYS = (0.6, 1e-3), (0.3, 4e-3), (0.1, 1.5e-2)
SIDEWAYS_MOST, SIDEWAYS_STEP = 0.06, 4e-4  # a third of what one bead of 3 mm makes of it
GAINS = np.linspace(-3.0, 3.0, 13)  # standard deviations of the day's weight
GOES_ON = 0.98  # by one igloo: somebody may have moved the seat since the last
STRAY = 0.02  # of gestures: what they weigh says nothing of the day


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
    """What is known of one day of a set at its seat. share [G, H], summing to 1: how likely each pair of shares is."""

    model: SetModel
    share: Floats

    @classmethod
    def unknown(cls, model: SetModel) -> Self:
        """Nothing was tapped yet."""
        return cls(model, _unknown())

    @property
    def heavier(self) -> tuple[float, float]:
        """How much heavier everything weighs, relative: the mean and its standard deviation."""
        return _moments(GAINS * self.model.noise.gain, self.share.sum(axis=1))

    @property
    def sideways(self) -> tuple[float, float]:
        """How much more everything weighs sideways, relative, beside that: the mean and its standard deviation."""
        return _moments(sideways_gains()[0], self.share.sum(axis=0))

    def probabilities(self, weighing: Weighing) -> Floats:
        """Over the model's counts."""
        p = np.einsum("gh,gn,hn->n", self.share, *self._likelihoods(weighing))
        p = p / p.sum()
        out: Floats = (1 - 1e-4) * p + 1e-4 / len(p)
        return out

    def surprises(self, weighing: Weighing) -> Floats:
        """[counts, 2]: how far t and b lie from each igloo's, in standard deviations: what is as unlikely, under all
        that the day may be, as that would be on a day that is known."""
        ways = self._off(weighing)
        shares = self.share.sum(axis=1), self.share.sum(axis=0)
        likely = [
            share @ np.exp(student(z) - student(np.zeros(1))) for share, z in zip(shares, ways, strict=True)
        ]
        # Student's t, the other way round
        out: Floats = np.sqrt(
            FREEDOM * (np.maximum(np.stack(likely, axis=1), 1e-300) ** (-2 / (FREEDOM + 1)) - 1)
        )
        return out

    def learned(self, weighing: Weighing) -> Day:
        """What is known of it after this gesture of one of the set's igloos, nobody need know which."""
        up, loose = self._likelihoods(weighing)
        fits = up @ loose.T
        share = self.share * (fits / fits.max() + STRAY)
        return Day(self.model, GOES_ON * share / share.sum() + (1 - GOES_ON) * _unknown())

    def _deviations(self, weighing: Weighing) -> tuple[Floats, Floats]:
        """Of t and b from each igloo's, [counts] each, where the day's shares are known."""
        sd_t, sd_b = self.model.deviations(weighing)
        # what makes everything heavier moves what is loose by less than a hundredth of what that scatters by in itself;
        # what makes it heavier upright alone (another table) moves it as far as that
        return sd_t, np.hypot(sd_b, self.heavier[1] * weighing.upright)

    def _off(self, weighing: Weighing) -> tuple[Floats, Floats]:
        """[G, counts] and [H, counts]: how far t and b lie from each igloo's under each share, standard deviations."""
        model = self.model
        sd_t, sd_b = self._deviations(weighing)
        upright = weighing.upright / (1 + GAINS * model.noise.gain)
        loose = weighing.upright - model.kappa * weighing.sideways / (1 + sideways_gains()[0])
        return (upright[:, None] - model.means[:, 0]) / sd_t, (loose[:, None] - model.means[:, 1]) / sd_b

    def _likelihoods(self, weighing: Weighing) -> tuple[Floats, Floats]:
        """The same as they go with the data's likelihood, but for a factor each."""
        sd_t, sd_b = self._deviations(weighing)
        up, loose = self._off(weighing)
        up, loose = student(up) - np.log(sd_t), student(loose) - np.log(sd_b)
        return np.exp(up - up.max()), np.exp(loose - loose.max())


def _moments(at: Floats, share: Floats) -> tuple[float, float]:
    mean = float(share @ at)
    return mean, float(np.sqrt(share @ (at - mean) ** 2))
