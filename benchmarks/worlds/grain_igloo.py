"""Beads of the fourth world: a discrete element model, in which contacts have a duration and a force.

The dome is half a spheroid, without facets; the beads' frame of reference rotates with the hand. The shell gets not a
list of impacts but force signals at 96 kHz, from which the sensors' signals are made (grain_sensors.py). grain_check.py
shows how accurate it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.worlds.grain_contacts import Array, damping
from benchmarks.worlds.grain_engine import COLUMNS, RATE, STEPS, run

SETTLE_S = 0.6  # beads fall to the floor and come to rest
MOST_BLOWS = 400_000


@dataclass(frozen=True)
class Inside:
    """The inside of an igloo, and its beads. Lengths in m, moduli in Pa."""

    radius: float
    height: float
    bead: float  # radius
    density: float  # kg/m³
    wall_modulus: float  # effective Hertz modulus of bead and shell
    pair_modulus: float
    bounce: tuple[float, float]  # restitution on the shell, on a bead
    friction: tuple[float, float]
    rolling: float  # coefficient of rolling resistance, as an angle

    def bead_kg(self) -> float:
        return float(self.density * 4 / 3 * np.pi * self.bead**3)


def draw_inside(seed: int) -> Inside:
    """The inside of a maker's igloos."""
    r = np.random.default_rng([seed, 91])
    radius = float(r.uniform(0.018, 0.031))
    height = float(radius * r.uniform(0.7, 1.25))
    # glass, acrylic, wood, steel: density and Young's modulus, with their usual restitution on plastic and on their own
    kinds = ((2500.0, 64e9), (1190.0, 3.2e9), (700.0, 10e9), (7800.0, 200e9))
    density, young = kinds[int(r.choice(4, p=[0.5, 0.25, 0.15, 0.1]))]
    shell = float(np.exp(r.uniform(*np.log([1.5e9, 3.5e9]))))
    wall = 1 / (0.87 / shell + 0.9 / young)
    pair = min(young / 1.8, 8e9)  # softer than glass, so that a contact has ten steps
    bead = float(np.exp(r.uniform(*np.log([0.0015, 0.004]))))
    return Inside(
        radius, height, min(bead, 0.16 * min(radius, height)), density, wall, pair,
        (float(r.uniform(0.45, 0.88)), float(r.uniform(0.6, 0.95))),
        (float(r.uniform(0.1, 0.5)), float(r.uniform(0.05, 0.35))),
        float(np.exp(r.uniform(*np.log([0.0005, 0.01])))),
    )  # fmt: skip


def shaken(
    inside: Inside,
    sizes: Array,
    felt: Array,
    turning: Array,
    motion_rate: float,
    seed: int,
    steps: int = STEPS,
) -> tuple[Array, Array]:
    """Forces on the shell, float64[samples at RATE, COLUMNS], and blows, float64[blows, 7] as in world_files.

    sizes: radius of each bead, m. felt: acceleration less gravity at the centre of the floor, in the igloo's frame,
    float64[n, 3], m/s² at `motion_rate`; turning: its angular velocity, float64[n, 3], rad/s.
    """
    start = _start(inside, sizes, np.random.default_rng(seed))
    n = int(len(felt) / motion_rate * RATE)
    still = int(SETTLE_S * RATE)
    forces = np.zeros((n + still, COLUMNS))
    blows = np.zeros((MOST_BLOWS, 7))
    spun = np.gradient(turning, 1 / motion_rate, axis=0)
    first = round(SETTLE_S * motion_rate)
    resting = np.repeat(felt[:1], first, axis=0)
    at_rest = np.zeros((first, 3))
    count = run(
        start,
        sizes,
        inside.density * 4 / 3 * np.pi * sizes**3,
        np.array([inside.radius, inside.height]),
        np.array([inside.wall_modulus, inside.pair_modulus]),
        np.array([damping(e) for e in inside.bounce]),
        np.array(inside.friction),
        inside.rolling,
        np.concatenate([resting, felt]),
        np.concatenate([at_rest, turning]),
        np.concatenate([at_rest, spun]),
        motion_rate,
        steps,
        forces,
        blows,
    )
    told = blows[:count]
    told[:, 0] -= still / RATE
    told = told[told[:, 0] >= 0]
    return forces[still:], told[np.argsort(told[:, 0], kind="stable")]


def _start(inside: Inside, sizes: Array, r: np.random.Generator) -> Array:
    """Initial positions of the beads, from which they fall to the floor: random, touching nothing."""
    places: list[Array] = []
    reach, height = inside.radius, inside.height
    while len(places) < len(sizes):
        size = 1.02 * sizes[len(places)]
        place = r.uniform([-reach, -reach, size], [reach, reach, height])
        scaled = np.hypot(np.hypot(place[0], place[1]) / (reach - size), place[2] / (height - size))
        clear = all(np.linalg.norm(place - p) > size + 1.02 * s for p, s in zip(places, sizes, strict=False))
        if scaled < 0.97 and clear:
            places.append(place)
    return np.array(places)
