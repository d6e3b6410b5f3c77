"""How much a sound is like a shake of beads, as log odds.

Talk, music, knocks, typing, coins, cards and dice are not, nor is an igloo that is taken up, passed on or put down,
though its beads rattle. Learned from the features of a shake (sensors.ear.shakes.features), without absolute size.
There is one file for each front end, and two more for microphones on the shell: `…-shell`, and `…-shell-noise` for
shakes that are hardly louder than a steady noise, as of a fan or a preamplifier. Noise decorrelates the bands, of a
shake as of a handled igloo; a classifier trained without noise took most shakes in noise for handling.

- A microphone's uses how hits fill the strokes, how fast they decay, how even the hand is, and the network's embedding.
- All are logistic regressions. In the room, a support vector machine has equal weight (Cortes and Vapnik 1995; Platt
  1999 for log odds): it knows sounds by similar ones, and misses fewer shakes by strange people and igloos of worlds
  that it was trained on; on worlds and noises that were left out, the two together err no more than either alone.
- An accelerometer's uses what the hand does and in what rhythm its igloo is heard, and nothing about beads, for in that
  engines differ.

They were learned from simulated shakes of four worlds, whose igloos ring high and low, long and short, against
simulated noises of a table, and on the shell also against handled igloos (`benchmarks/learning/make_likeness.py`, which
reports the results for left-out worlds and noises).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sensors.ear.frames.frontend import Floats
from sensors.ear.shakes.shake import Shake

LEARNED = Path(__file__).resolve().parent / "likenesses"
FARTHEST = 4.0  # standard deviations; values further off are clipped
ON_SHELL, IN_NOISE = "-shell", "-noise"
# SNR: below the first only the classifier for noise is used, above the second only the other one
NOISY_DB, CLEAR_DB = 20.0, 30.0


@dataclass(frozen=True, slots=True)
class Regression:
    """Weights of the named features, float64[names], after centring by `middle` and scaling by `spread`."""

    names: tuple[str, ...]
    middle: Floats
    spread: Floats
    weights: Floats
    intercept: float

    def log_odds(self, values: Floats) -> Floats:
        """Log odds of float64[…, names]."""
        z = np.clip((values - self.middle) / self.spread, -FARTHEST, FARTHEST)
        return np.asarray(z @ self.weights + self.intercept)

    def write(self, path: Path) -> None:
        """Write an .npz file for `read`; numbers as float32."""
        numbers = {"middle": self.middle, "spread": self.spread, "weights": self.weights}
        small = {name: values.astype(np.float32) for name, values in numbers.items()}
        intercept = np.array(self.intercept, np.float32)
        np.savez_compressed(
            path, allow_pickle=False, names=np.array(self.names), intercept=intercept, **small
        )


@dataclass(frozen=True, slots=True)
class Vectors:
    """A regression plus a support vector machine: support vectors float64[vectors, names] and their coefficients
    `says`, with the Gaussian kernel exp(−distance² / width²)."""

    names: tuple[str, ...]
    middle: Floats
    spread: Floats
    weights: Floats  # [names]
    vectors: Floats
    says: Floats  # [vectors]
    width: float
    intercept: float

    def log_odds(self, values: Floats) -> Floats:
        """Log odds of float64[…, names]."""
        z = np.clip((values - self.middle) / self.spread, -FARTHEST, FARTHEST)
        own, theirs = np.square(z).sum(axis=-1)[..., None], np.square(self.vectors).sum(axis=1)
        alike = np.exp((2 * z @ self.vectors.T - own - theirs) / self.width**2)
        return np.asarray(z @ self.weights + alike @ self.says + self.intercept)

    def scaled(self, slope: float, offset: float) -> Vectors:
        """The classifier whose log odds are slope · these + offset."""
        intercept = slope * self.intercept + offset
        return replace(self, weights=slope * self.weights, says=slope * self.says, intercept=intercept)

    def write(self, path: Path) -> None:
        """Write an .npz file for `read`; numbers as float32, vectors as float16."""
        wide = {"middle": self.middle, "spread": self.spread, "weights": self.weights, "says": self.says}
        small = {name: values.astype(np.float32) for name, values in wide.items()}
        small |= {
            "width": np.array(self.width, np.float32),
            "intercept": np.array(self.intercept, np.float32),
        }
        vectors = self.vectors.astype(np.float16)
        np.savez_compressed(path, allow_pickle=False, names=np.array(self.names), vectors=vectors, **small)


Learned = Regression | Vectors


def read(path: Path) -> Learned:
    """Read what `write` wrote."""
    with np.load(path, allow_pickle=False) as kept:
        names = tuple(str(name) for name in kept["names"])
        middle, spread, weights = (kept[of].astype(np.float64) for of in ("middle", "spread", "weights"))
        intercept = float(kept["intercept"])
        if "vectors" not in kept:
            return Regression(names, middle, spread, weights, intercept)
        vectors, says = kept["vectors"].astype(np.float64), kept["says"].astype(np.float64)
        return Vectors(
            names=names,
            middle=middle,
            spread=spread,
            weights=weights,
            vectors=vectors,
            says=says,
            width=float(kept["width"]),
            intercept=intercept,
        )


@lru_cache(maxsize=16)
def learned_for(front: str, on_shell: bool, in_noise: bool = False) -> Learned | None:
    """The classifier for the front end of this name; None where there is none. `on_shell`: for a microphone on the
    shell; `in_noise`: the one trained in noise."""
    there = ON_SHELL if on_shell and front.startswith("microphone") else ""
    path = LEARNED / f"{front}{there}{IN_NOISE if in_noise else ''}.npz"
    return read(path) if path.exists() else None


def likeness(shake: Shake, on_shell: bool, snr_db: float = math.inf) -> float:
    """Log odds that it is a shake and nothing else; above 0: a shake. Infinite where there is no classifier: a head of
    another kind is trusted. `snr_db`: how far it is above its background, dB.

    On the shell, features of humming bands are replaced by their means, so that they say nothing.
    """
    learned = learned_for(shake.front.name, on_shell)
    if learned is None:
        return math.inf
    noisy = learned_for(shake.front.name, on_shell, in_noise=True) if snr_db < CLEAR_DB else None
    if noisy is None:
        return _asked(learned, shake, on_shell)
    share = min(1.0, (CLEAR_DB - snr_db) / (CLEAR_DB - NOISY_DB))
    return (1 - share) * _asked(learned, shake, on_shell) + share * _asked(noisy, shake, on_shell)


def _asked(learned: Learned, shake: Shake, on_shell: bool) -> float:
    values = shake.pick(learned.names)
    if on_shell and shake.humming:
        values = np.where(_of_bands(learned.names, shake.humming), learned.middle, values)
    return float(learned.log_odds(values))


@lru_cache(maxsize=8)
def _of_bands(names: tuple[str, ...], bands: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """Which of these features depend on one of the bands, alone or in comparison with another."""
    return np.array([bool(_looks_at(name) & set(bands)) for name in names])


def _looks_at(name: str) -> set[int]:
    """The bands that a feature depends on, except the wide one."""
    group, _, what = name.partition(".")
    group, _, band = group.partition("@")
    if group == "loc":
        band = what.rsplit("_", 1)[1]
    elif group == "dist":
        band = what.split("_")[0]
    elif group == "cor":  # two bands, one digit each
        return {int(one) for one in what.rsplit("_", 1)[1]}
    return {int(band)} if band else set()
