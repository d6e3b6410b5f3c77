"""How like a shake of beads a sound is: talk, music, knocks, typing, coins, cards and dice are not, nor is an igloo
that is taken up, passed on or put down, though its beads rattle.

Learned from what is measured of a shake anyway (sensors.ear.shakes.features), but for absolute size. One file a front
end, and for microphones two more where they sit on the shell: `…-shell`, and `…-shell-noise` for what is hardly louder
than a steady noise, as of a fan or a preamplifier. Noise unties the bands of a shake and of an igloo that is handled
alike; what had met none took most shakes in it for handling.

- A microphone's asks how hits fill the strokes, how fast they fade, how even the hand is, what the network makes of it.
- All are logistic regressions. In the room a support vector machine has as much to say (Cortes and Vapnik 1995; Platt
  1999 for log odds): it knows sounds by those that are like them, and misses fewer shakes by strange people and igloos
  of worlds that it has met; of worlds and noises that were left out the two together go no more astray than either.
- An accelerometer's asks what the hand does and in what rhythm its igloo is heard: nothing about beads, for in that
  engines differ.

They were learned from simulated shakes of four worlds, whose igloos ring high and low, long and short, against
simulated noises of a table, on the shell also igloos that are handled (`benchmarks/learning/make_likeness.py`, which
says how well worlds and noises are told that were left out).
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
FARTHEST = 4.0  # standard deviations; what lies farther off speaks no louder
ON_SHELL, IN_NOISE = "-shell", "-noise"
# dB above its background: from the first what learned beside a noise is asked alone, from the second the other one
NOISY_DB, CLEAR_DB = 20.0, 30.0


@dataclass(frozen=True, slots=True)
class Regression:
    """Weights of the named features, float64[names], each less its middle and in units of its spread."""

    names: tuple[str, ...]
    middle: Floats
    spread: Floats
    weights: Floats
    intercept: float

    def log_odds(self, values: Floats) -> Floats:
        """Of float64[…, names]."""
        z = np.clip((values - self.middle) / self.spread, -FARTHEST, FARTHEST)
        return np.asarray(z @ self.weights + self.intercept)

    def write(self, path: Path) -> None:
        """Into an .npz file that `read` takes; numbers as float32."""
        numbers = {"middle": self.middle, "spread": self.spread, "weights": self.weights}
        small = {name: values.astype(np.float32) for name, values in numbers.items()}
        intercept = np.array(self.intercept, np.float32)
        np.savez_compressed(
            path, allow_pickle=False, names=np.array(self.names), intercept=intercept, **small
        )


@dataclass(frozen=True, slots=True)
class Vectors:
    """The same, and beside it a support vector machine: float64[vectors, names], as far from the middle as a sound may
    be, and what each of them says of sounds that are like it. How alike two are falls with their distance,
    exp(−distance² / width²)."""

    names: tuple[str, ...]
    middle: Floats
    spread: Floats
    weights: Floats  # [names]
    vectors: Floats
    says: Floats  # [vectors]
    width: float
    intercept: float

    def log_odds(self, values: Floats) -> Floats:
        """Of float64[…, names]."""
        z = np.clip((values - self.middle) / self.spread, -FARTHEST, FARTHEST)
        own, theirs = np.square(z).sum(axis=-1)[..., None], np.square(self.vectors).sum(axis=1)
        alike = np.exp((2 * z @ self.vectors.T - own - theirs) / self.width**2)
        return np.asarray(z @ self.weights + alike @ self.says + self.intercept)

    def scaled(self, slope: float, offset: float) -> Vectors:
        """The same, whose log odds are slope · what they were + offset."""
        intercept = slope * self.intercept + offset
        return replace(self, weights=slope * self.weights, says=slope * self.says, intercept=intercept)

    def write(self, path: Path) -> None:
        """Into an .npz file that `read` takes; numbers as float32, vectors as float16."""
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
    """What was written."""
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
    """What was learned for the front end of this name; None where nothing was: it is not asked there. `on_shell`: of a
    microphone that sits there; `in_noise`: of one that learned beside a noise."""
    there = ON_SHELL if on_shell and front.startswith("microphone") else ""
    path = LEARNED / f"{front}{there}{IN_NOISE if in_noise else ''}.npz"
    return read(path) if path.exists() else None


def likeness(shake: Shake, on_shell: bool, snr_db: float = math.inf) -> float:
    """Log odds that it is a shake and not something else; above 0: a shake. Infinite where nothing was learned: whoever
    brings a head of another kind is believed. `snr_db`: how far it is above its background, dB.

    On the shell, bands in which it hums say nothing: all that was measured there is in the middle.
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
    """Which features of these names look at one of the bands alone or at one beside another."""
    return np.array([bool(_looks_at(name) & set(bands)) for name in names])


def _looks_at(name: str) -> set[int]:
    """Bands, but for the wide one."""
    group, _, what = name.partition(".")
    group, _, band = group.partition("@")
    if group == "loc":
        band = what.rsplit("_", 1)[1]
    elif group == "dist":
        band = what.split("_")[0]
    elif group == "cor":  # of two, each of one figure
        return {int(one) for one in what.rsplit("_", 1)[1]}
    return {int(band)} if band else set()
