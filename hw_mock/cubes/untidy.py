"""The imperfections of human movement: rocking, ringing, tremor, drift, and cubes that sit loosely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation, Slerp

from hw_mock.cubes.motion import GRID_S, Array, smooth
from hw_mock.cubes.tempers import Range


@dataclass(slots=True)
class Untidy:
    """Draws curves on the fine time grid; `random` makes each one different."""

    random: np.random.Generator

    def draw(self, limits: Range) -> float:
        """Uniform between two limits."""
        return float(self.random.uniform(*limits))

    def rock(self, n: int, degrees: float) -> Array:
        """Decaying rocking about a horizontal axis: rotation vectors (n, 3)."""
        t = np.arange(n) * GRID_S
        way = np.append(self.random.normal(size=2), 0.0)
        swing = np.exp(-t / self.draw((0.02, 0.05))) * np.sin(2 * np.pi * self.draw((6, 14)) * t)
        swing *= 1 - smooth(n)
        out: Array = np.outer(swing, way / np.linalg.norm(way)) * np.radians(degrees)
        return out

    def ring(self, n: int, strength_g: float) -> Array:
        """An impact and its ringing (n, 3) in g."""
        t = np.arange(n) * GRID_S
        way = self.random.normal(size=3) * (0.5, 0.5, 1.0)
        ring = np.exp(-t / 0.006) * np.cos(2 * np.pi * self.draw((90, 300)) * t)
        out: Array = np.outer(ring, way / np.linalg.norm(way)) * strength_g
        return out

    def tremble(self, n: int, degrees: float) -> Array:
        """A hand's tremor, 4–9 Hz on three axes, zero at both ends: rotation vectors (n, 3)."""
        t = np.arange(n) * GRID_S
        out = np.zeros((n, 3))
        for axis in range(3):
            for _ in range(2):
                out[:, axis] += self.random.normal() * np.sin(
                    2 * np.pi * (self.draw((4, 9)) * t + self.random.random())
                )
        edge = np.minimum(1.0, np.minimum(np.arange(n), np.arange(n)[::-1]) / 100.0)
        scaled: Array = out * edge[:, None] * np.radians(degrees) / 2.0
        return scaled

    def wander(self, n: int, metres: float) -> Array:
        """Drift of a hand that does not stay in one place: displacements (n, 3) in m, zero at both ends."""
        t = np.linspace(0, 1, n)[:, None]
        edge = np.sin(np.pi * t) ** 2
        phase = t * self.random.uniform(0.5, 3, 3) + self.random.random(3)
        out: Array = edge * np.sin(2 * np.pi * phase) * metres
        return out

    def through(self, poses: Sequence[Rotation], n: int, held: float = 0.0) -> Rotation:
        """From pose to pose with minimum jerk; at each one it is held for a share of the time."""
        knots = np.arange(len(poses), dtype=float)
        s = np.linspace(0, len(poses) - 1, n)
        leg = np.clip(s.astype(int), 0, len(poses) - 2)
        within = np.clip((s - leg) / (1 - held), 0, 1) if held else s - leg
        within = within**3 * (10 - 15 * within + 6 * within**2)
        return Slerp(knots, Rotation.concatenate(list(poses)))(np.clip(leg + within, 0, len(poses) - 1))

    def looked_at(self) -> Rotation:
        """The orientation of a cube in front of the eyes: random, or with one face square to them."""
        if self.random.random() < 0.5:
            return Rotation.random(rng=self.random)
        square = Rotation.create_group("O")[int(self.random.integers(24))]
        return Rotation.from_rotvec(self.random.normal(size=3) * np.radians(6)) * square

    def sit(self, play_deg: float) -> Array:
        """Misalignment of a loose cube: a rotation vector, at most `play_deg` about the vertical."""
        tilt = self.random.normal(size=2) * np.radians(0.2)
        return np.array([*tilt, np.radians(self.random.uniform(-play_deg, play_deg))])
