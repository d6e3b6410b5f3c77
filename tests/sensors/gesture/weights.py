"""Weighings of igloos as a seat gives them, without a ring: exact but for what the model expects them to scatter by."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sensors.gesture.model import Noise, SetModel, Weighing, fit_set

SEAT, PLATFORM = 0.038, 0.016
COUNTS = tuple(range(2, 14))
BEAD = 8.4e-5  # of 4 mm, in shells of some 13 g: a hundredth more sideways is more than two beads of what is loose


def weighed(
    beads: float, bead: float, shell: float, r: np.random.Generator, noise: Noise | None = None
) -> Weighing:
    n = noise or Noise()
    loose = beads * bead
    t = (shell + loose) / SEAT
    up = t + n.upright(3, 3, t) * r.normal()
    side = (shell + 2 / 7 * loose) / PLATFORM
    side += n.sideways(3, 3, 5 / 7 * bead / SEAT, 0.42 * side) / 0.42 * r.normal()
    return Weighing(up, side, 3, 1e-4, 3)


def shells_of(seed: int) -> dict[int, float]:
    """A set's shells, kg, by their counts."""
    r = np.random.default_rng(seed)
    return {n: 0.013 * (1 + 0.008 * r.normal()) for n in COUNTS}


def day_of(seed: int, shells: dict[int, float], more: float, sideways: float) -> list[tuple[int, Weighing]]:
    """All igloos in random order, everything `more` heavier, and `sideways` more sideways."""
    r = np.random.default_rng(seed)
    out = []
    for n in map(int, r.permutation(COUNTS)):
        w = weighed(n, BEAD, shells[n], r)
        side = w.sideways * (1 + more) * (1 + sideways)
        out.append((n, replace(w, upright=w.upright * (1 + more), sideways=side)))
    return out


def a_set(seed: int) -> tuple[SetModel, dict[int, float]]:
    """As its owner weighed it, and its shells."""
    shells, r = shells_of(seed), np.random.default_rng([seed, 1])
    owner = [weighed(n, BEAD, shells[n], r) for n in COUNTS]
    return fit_set(owner, COUNTS, COUNTS, Noise()), shells
