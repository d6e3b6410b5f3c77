"""From features to probabilities: one ridge on ln N for each group of features, joined by their errors, then Bayes.

Each group predicts ln N. The size of the groups' errors and their correlation are known from predictions with whole
folds (sessions, players or devices) left out. The joined prediction m is read as a measurement, m = a + b·ln N + noise;
its slope, offset and noise come from the same left-out predictions. The posterior over counts uses the likelihood of m
under every count, which undoes the shrinkage towards the middle that every regression has. Where enough sweeps were
learned from, models of devices and people (sensors.ear.models.populations) are asked as well, and both opinions are
averaged. So is the count that the network reads off whole shakes by its own last layer (sensors.ear.models.reading).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sensors.ear.frames.frontend import Floats, FrontEnd
from sensors.ear.models.populations import Populations, met
from sensors.ear.models.reading import Reading
from sensors.ear.models.ridge import Scaling

LEAN = 0.85  # weight of the populations beside the experts where recordings do not settle it
# Two heads hear the same shake, so agreeing does not make them twice as sure, only somewhat surer. Tuned on simulated
# sets.
BOTH_AGREE = 1.4
# Where one hand spoke against what was learned, its weights and the usual ones count equally for a shake that is by the
# same hand with this probability. Tuned on MuJoCo's seed 3141, where one of eight people shakes too gently to lift
# beads, and on the real matchbox, of which one sweep speaks as loudly against the populations, and rightly so.
HALF_KNOWN = 0.02
OUTLIER = 0.02  # share of shakes that are something else altogether: keeps probabilities above zero


class Weights(NamedTuple):
    """The weight of each opinion, 0 to 1, beside what was joined before it."""

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
    """A fitted model: the features' names, their scaling, the experts, their shares, and the noise of the joined
    prediction."""

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
    # The weights for hands unlike the one that spoke against the usual ones. None: no hand did, or several hands or
    # enough sittings did, and then the igloos are the reason.
    for_strangers: Weights | None = None

    @property
    def on_shell(self) -> bool:
        """Whether it was made for a sensor that sits on the shell: absolute size is a feature then."""
        return _tell_size(self.names)

    def measure(self, values: Floats) -> Floats:
        """The joined prediction m of each row of features, float64[rows]."""
        z = self.scaling.apply(values)
        joined: Floats = sum(
            (share * e.predict(z) for share, e in zip(self.shares, self.experts, strict=True)),
            np.zeros(len(z)),
        )
        return joined

    def strangeness(self, values: Floats) -> Floats:
        """How far each row of features is from all that the populations learned (`Populations.weigh`), float64[rows];
        0 without populations."""
        if self.populations is None:
            return np.zeros(len(values))
        return self.populations.strangeness(self.scaling.apply(values), self.counts)

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


@lru_cache(maxsize=64)  # every verdict asks, with hundreds of names
def _tell_size(names: tuple[str, ...]) -> bool:
    return any(name.startswith("size.") for name in names)


def likelihood(m: Floats, counts: Sequence[int], offset: float, slope: float, sigma: float) -> Floats:
    """ln p, float64[rows, counts], of predictions m, float64[rows], where m = offset + slope · ln N with noise sigma. A
    share OUTLIER of takes carries no information."""
    expected = offset + slope * np.log(np.asarray(counts, dtype=np.float64))
    # counts end at both ends of the scale, so a prediction far outside says no more than the end: clip it
    bounded = np.clip(m, expected.min() - 3 * sigma, expected.max() + 3 * sigma)
    gauss = np.exp(-0.5 * ((bounded[:, None] - expected) / sigma) ** 2)
    mixed: Floats = np.log(gauss * (1 - OUTLIER) + OUTLIER * gauss.mean(axis=1, keepdims=True) + 1e-12)
    return mixed


def blended(one: Floats, other: Floats, lean: float) -> Floats:
    """Weighted mean of two opinions' log probabilities, float64[rows, counts]; `lean` is the weight of `other`."""
    broad = (1 - OUTLIER) * posterior(other) + OUTLIER / other.shape[1]
    both: Floats = (1 - lean) * np.log(posterior(one) + 1e-12) + lean * np.log(broad)
    return both


def joined(told: Sequence[Floats], fronts: Sequence[str]) -> Floats:
    """Probabilities, float64[rows, counts], joined from several heads that heard the same shakes: each head's ln p, and
    the name of its front end."""
    shares = shares_of(fronts)
    said = [share * np.log(posterior(one) + 1e-12) for share, one in zip(shares, told, strict=True)]
    return posterior(np.sum(said, axis=0))


def shares_of(fronts: Sequence[str]) -> list[float]:
    """The weight of each of several heads that hear the same shakes, by the names of their front ends. Heads with the
    same front end differ only in their training data: together they are no surer than one."""
    whole = 1.0 if len(set(fronts)) == 1 else BOTH_AGREE / len(set(fronts))
    return [whole / fronts.count(front) for front in fronts]


def of_one_view(p: Floats, fronts: Sequence[FrontEnd]) -> Floats:
    """The probabilities that `Head.sure_from` is compared with, float64[rows, counts]. `p` is what heads behind these
    front ends say `joined`. Where none of them feels the hand, they are no surer than one view alone: about a gentle
    hand such views err together, and its five beads are taken for two."""
    whole = sum(shares_of([front.name for front in fronts]))
    if whole <= 1 or any(front.hand for front in fronts):
        return p
    return posterior(np.log(p + 1e-12) / whole)


def posterior(log_likelihood: Floats) -> Floats:
    """Posterior probabilities, float64[rows, counts], under a uniform prior over the counts."""
    p = np.exp(log_likelihood - log_likelihood.max(axis=1, keepdims=True))
    normal: Floats = p / p.sum(axis=1, keepdims=True)
    return normal
