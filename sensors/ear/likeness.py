"""How like a shake of beads a sound is: talk, music, knocks, typing, coins, cards and dice are not.

A logistic regression on what is measured of a shake anyway (sensors.ear.features), but for absolute size: how hits fill
the strokes, how fast they fade, how even the hand is, what the network makes of it. It was learned from simulated
shakes of four worlds, whose igloos ring high and low, long and short, against simulated noises of a table
(`benchmarks/make_likeness.py`, which says how well it tells worlds and noises that were left out). One file a front
end. An accelerometer on the shell has it easier: it feels the hand itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sensors.ear.band_features import Features
from sensors.ear.frontend import Floats
from sensors.ear.takes import Take

LEARNED = Path(__file__).resolve().parent / "likenesses"
FARTHEST = 4.0  # standard deviations; what lies farther off speaks no louder
LEAST_HAND_G = 0.2  # RMS below 22 Hz: an igloo that lies there, or is put down gently, feels less


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
        numbers = {"middle": self.middle, "spread": self.spread, "weights": self.weights}
        small = {name: values.astype(np.float32) for name, values in numbers.items()}
        intercept = np.array(self.intercept, np.float32)
        np.savez_compressed(
            path, allow_pickle=False, names=np.array(self.names), intercept=intercept, **small
        )

    @classmethod
    def read(cls, path: Path) -> Regression:
        with np.load(path, allow_pickle=False) as kept:
            names = tuple(str(name) for name in kept["names"])
            middle, spread, weights = (kept[of].astype(np.float64) for of in ("middle", "spread", "weights"))
            return cls(names, middle, spread, weights, float(kept["intercept"]))


@lru_cache(maxsize=4)
def regression_for(front: str) -> Regression | None:
    """What was learned for the front end of this name; None where nothing was: it is not asked there."""
    path = LEARNED / f"{front}.npz"
    return Regression.read(path) if path.exists() else None


def likeness(take: Take, features: Features) -> float:
    """Log odds that the take, and what was measured of it, is a shake and not something else; above 0: a shake. 0 where
    nothing was learned."""
    if take.front.hand:
        return _felt(take.hand)
    regression = regression_for(take.front.name)
    if regression is None:
        return 0.0
    return float(regression.log_odds(np.array([features[name] for name in regression.names])))


def _felt(hand: npt.NDArray[np.float32]) -> float:
    """Of what the hand does, float32[frames at 100 Hz, 3] in g."""
    moved = float(np.sqrt(np.square(hand.astype(np.float64)).sum(axis=1).mean())) if len(hand) else 0.0
    return float(np.clip(4 * np.log((moved + 1e-6) / LEAST_HAND_G), -8, 8))
