"""Devices and people that shift what is heard, drawn here."""

from __future__ import annotations

import numpy as np

from sensors.ear.models.population_fit import (
    fit_populations,
)
from sensors.ear.models.populations import Populations

COUNTS = tuple(range(2, 14))
FEATURES = 12
MARK = 0.5


class World:
    """Igloos whose features rise with ln N, each device and each occasion with a shift and a tilt of its own."""

    def __init__(
        self, seed: int, middle: float, device: float = 0.6, occasion: float = 0.15, mark: float = 0.0
    ) -> None:
        self.random = np.random.default_rng(seed)
        self.rise = np.random.default_rng(7).normal(0, 1, FEATURES)
        self.middle = middle * np.random.default_rng(8).normal(0, 1, FEATURES)
        self.device, self.occasion = device, occasion
        # what a hand does to the features; `mark`: how much of it is nothing that beads do
        self.hand = self.rise + mark * np.random.default_rng(9).normal(0, 1, FEATURES)

    def sweeps(self, devices: int, sessions: int):
        """z, beads, occasions, devices."""
        z, beads, occasions, of = [], [], [], []
        for d in range(devices):
            shift = self.random.normal(0, self.device) * self.rise
            for s in range(sessions):
                own = self.random.normal(0, self.occasion) * self.hand
                for n in COUNTS:
                    noise = self.random.normal(0, 0.25, FEATURES)
                    z.append(self.middle + np.log(n) * self.rise + shift + own + noise)
                    beads.append(n)
                    occasions.append(d * sessions + s)
                    of.append(d)
        return np.array(z), *(np.array(x, dtype=np.intp) for x in (beads, occasions, of))


def learned(*worlds: World) -> Populations:
    parts = [world.sweeps(8, 3) for world in worlds]
    z = np.concatenate([p[0] for p in parts])
    beads = np.concatenate([p[1] for p in parts])
    occasions = np.concatenate([p[2] + 100 * i for i, p in enumerate(parts)])
    devices = np.concatenate([p[3] + 100 * i for i, p in enumerate(parts)])
    sources = np.repeat(np.arange(len(parts)), len(parts[0][0]))
    return fit_populations(z, beads, occasions, devices, ["loc"] * FEATURES, sources)


def days_of(hand: float, seed: int, days: int = 2):
    """One device in one hand, which shifts alike every day: z, beads, days."""
    world = World(seed, 0.0, device=0.0, occasion=0.1, mark=MARK)
    z, beads, of, _ = world.sweeps(1, days)
    return z + hand * world.hand, beads, of
