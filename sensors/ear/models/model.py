"""From features to probabilities: one ridge on ln N a group of features, joined by what each is worth, then Bayes.

Each group predicts ln N. How far they err, and how far they err together, is known from predictions with whole folds
(sessions, players or devices) left out; the joined prediction m is read as a measurement, m = a + b·ln N + noise, whose
slope, offset and noise come from the same left-out predictions. The posterior over counts is the likelihood of m under
every count, so shrinking towards the middle, which every regression does, is undone. Where sweeps enough were learned
from, models of devices and people (sensors.ear.models.population) are asked as well, and both opinions are averaged; so
is what the network that looks at whole shakes reads off its own last layer (sensors.ear.models.reading).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sensors.ear.frames.frontend import Floats, FrontEnd
from sensors.ear.models.population import Populations, met
from sensors.ear.models.reading import Reading
from sensors.ear.models.ridge import Scaling

LEAN = 0.85  # weight of the populations beside the experts, where recordings do not tell
# Two heads hear one shake, so what both say is not twice as sure; somewhat surer it is. Looked up on simulated sets.
BOTH_AGREE = 1.4
# Where one hand spoke against what was learned, a shake that is by the same one with this probability is heard half as
# that hand would have it. Looked up on MuJoCo's seed 3141, where one of eight people shakes too gently to lift
# beads, and on the real matchbox, of which one sweep speaks as loudly against the populations, and rightly so.
HALF_KNOWN = 0.02
OUTLIER = 0.02  # share of shakes that are something else altogether: keeps probabilities off zero


class Weights(NamedTuple):
    """How far each is believed, 0 to 1, beside what was told before it."""

    populations: float
    reading: float


@dataclass(frozen=True, slots=True)
class Expert:
    """One group's ridge: ln N = intercept + slopes · scaled features."""

    group: str
    columns: npt.NDArray[np.intp]
    intercept: float
    slopes: Floats

    def predict(self, z: Floats) -> Floats:
        """ln N, float64[rows], of scaled features, float64[rows, names]."""
        out: Floats = self.intercept + z[:, self.columns] @ self.slopes
        return out


@dataclass(frozen=True, slots=True, kw_only=True)
class EarModel:
    """Fitted: names of the features, their scaling, the experts, how they are joined, and the noise of the join."""

    names: tuple[str, ...]
    scaling: Scaling
    experts: tuple[Expert, ...]
    shares: Floats  # [experts], sums to 1
    offset: float  # a of m = a + b · ln N
    slope: float  # b
    sigma: float  # noise of m, unit of ln N
    counts: tuple[int, ...]
    populations: Populations | None = None
    lean: float = LEAN  # weight of the populations
    reading: Reading | None = None
    # In hands unlike the one that spoke against the usual weights; None: nobody did, or it was more than one hand or
    # sittings enough, and then it is the igloos.
    for_strangers: Weights | None = None

    @property
    def on_shell(self) -> bool:
        """Whether it was made for a sensor that sits there: absolute size counts too."""
        return _tell_size(self.names)

    def measure(self, values: Floats) -> Floats:
        """The joined prediction m of each row of features, float64[rows]."""
        z = self.scaling.apply(values)
        joined: Floats = sum(
            (share * e.predict(z) for share, e in zip(self.shares, self.experts, strict=True)),
            np.zeros(len(z)),
        )
        return joined

    def log_likelihood(self, values: Floats) -> Floats:
        """ln p of each row under each of the counts, float64[rows, counts]; only differences mean anything."""
        z = self.scaling.apply(values)
        experts = likelihood(self.measure(values), self.counts, self.offset, self.slope, self.sigma)
        populations, believed = None, np.ones((len(z), 1))
        if self.populations is not None:
            likely, strangeness = self.populations.weigh(z, self.counts)
            believed = met(strangeness)[:, None]
            populations = believed * likely
        reading = (
            None if self.reading is None else believed * self.reading.log_likelihood(values, self.counts)
        )

        def joined(weights: Weights) -> Floats:
            scores = experts if populations is None else blended(experts, populations, weights.populations)
            return scores if reading is None else blended(scores, reading, weights.reading)

        own = joined(Weights(self.lean, self.reading.weight if self.reading else 0.0))
        if self.for_strangers is None or self.populations is None:
            return own
        known = self.populations.in_known_hands(z, self.counts)
        ours = (known / (known + HALF_KNOWN))[:, None]
        others = joined(self.for_strangers)
        both: Floats = np.log(ours * posterior(own) + (1 - ours) * posterior(others) + 1e-12)
        return both


@lru_cache(maxsize=64)  # every verdict asks, of hundreds of names
def _tell_size(names: tuple[str, ...]) -> bool:
    return any(name.startswith("size.") for name in names)


def likelihood(m: Floats, counts: Sequence[int], offset: float, slope: float, sigma: float) -> Floats:
    """ln p, float64[rows, counts], of predictions m, float64[rows], where m = offset + slope · ln N with noise sigma; a
    share OUTLIER of takes tells nothing."""
    expected = offset + slope * np.log(np.asarray(counts, dtype=np.float64))
    # beyond the ends of the scale there is nothing but the end: clip what lies far outside
    bounded = np.clip(m, expected.min() - 3 * sigma, expected.max() + 3 * sigma)
    gauss = np.exp(-0.5 * ((bounded[:, None] - expected) / sigma) ** 2)
    mixed: Floats = np.log(gauss * (1 - OUTLIER) + OUTLIER * gauss.mean(axis=1, keepdims=True) + 1e-12)
    return mixed


def blended(one: Floats, other: Floats, lean: float) -> Floats:
    """Both opinions averaged as logarithms of probabilities, float64[rows, counts]; the latter's weight is `lean`."""
    broad = (1 - OUTLIER) * posterior(other) + OUTLIER / other.shape[1]
    both: Floats = (1 - lean) * np.log(posterior(one) + 1e-12) + lean * np.log(broad)
    return both


def joined(told: Sequence[Floats], fronts: Sequence[str]) -> Floats:
    """Probabilities, float64[rows, counts], of what heads say of the same shakes, each as ln p of its own and through
    the front end of this name."""
    shares = shares_of(fronts)
    said = [share * np.log(posterior(one) + 1e-12) for share, one in zip(shares, told, strict=True)]
    return posterior(np.sum(said, axis=0))


def shares_of(fronts: Sequence[str]) -> list[float]:
    """How far each head is believed, of which these are the front ends' names, that hear the same shakes. Heads of one
    front end differ in what they learned from, and are no surer together than one."""
    whole = 1.0 if len(set(fronts)) == 1 else BOTH_AGREE / len(set(fronts))
    return [whole / fronts.count(front) for front in fronts]


def of_one_view(p: Floats, fronts: Sequence[FrontEnd]) -> Floats:
    """What `Head.sure_from` is asked of, float64[rows, counts]: probabilities that heads behind these front ends say
    `joined`; where none feels the hand, no surer than of one view alone. About a gentle hand such views err together:
    its five beads are taken for two."""
    whole = sum(shares_of([front.name for front in fronts]))
    if whole <= 1 or any(front.hand for front in fronts):
        return p
    return posterior(np.log(p + 1e-12) / whole)


def posterior(log_likelihood: Floats) -> Floats:
    """Probabilities, float64[rows, counts], all counts equally likely before."""
    p = np.exp(log_likelihood - log_likelihood.max(axis=1, keepdims=True))
    normal: Floats = p / p.sum(axis=1, keepdims=True)
    return normal
