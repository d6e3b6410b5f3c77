"""A cube's movement: orientation and position on a fine time grid, and what an ideal sensor inside would measure.

Rates and forces are finite differences of the path, so that every wobble, knock and lever arm is consistent in both.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from hw_mock.cubes.turns import Matrix

Array = NDArray[np.float64]
GRID_S = 0.001
G = 9.80665
WIDTH_M = 0.045  # of a cube


def smooth(n: int) -> Array:
    """The minimum-jerk profile of hand movements from 0 to 1 (Flash and Hogan 1985): shape (n,)."""
    s = np.linspace(0.0, 1.0, n)
    return s**3 * (10 - 15 * s + 6 * s * s)


class Still(NamedTuple):
    """A cube at rest: quaternion body to table (4,), as x, y, z, w; what an ideal sensor measures (3,), g."""

    quat: Array
    force: Array

    @classmethod
    def of(cls, lies: Rotation) -> Still:
        return cls(lies.as_quat(), lies.inv().apply([0.0, 0.0, 1.0]))


@dataclass(frozen=True, slots=True)
class Stretch:
    """One movement from `start`: orientations (n, 4), body rates (n, 3) °/s, specific forces (n, 3) g on the grid, and
    how the cube lies after it."""

    start: float
    quats: Array
    rates: Array
    forces: Array
    after: Still

    @property
    def end(self) -> float:
        return self.start + (len(self.rates) - 1) * GRID_S

    @classmethod
    def of(cls, start: float, turned: Rotation, place: Array, shock: Array, arm: Array) -> Stretch:
        """From orientations (n) body to table, positions (n, 3) in m of the cube's centre, extra shocks (n, 3) in g
        in the table's axes, and the sensor's lever arm (3,) in m from the centre."""
        matrices = turned.as_matrix()
        steps = (turned[:-1].inv() * turned[1:]).as_rotvec() / GRID_S
        rates = np.degrees(np.vstack([steps, steps[-1:]]))
        where = place + matrices @ arm
        pull = np.gradient(np.gradient(where, GRID_S, axis=0), GRID_S, axis=0) / G + shock
        pull[:, 2] += 1.0
        forces = np.einsum("nji,nj->ni", matrices, pull)
        return cls(start, turned.as_quat(), rates, forces, Still.of(turned[-1]))


class Timeline:
    """A cube's rests and movements. `pose` is the orientation in which it lies, or will lie after what is planned."""

    def __init__(self, arm: Array | None = None) -> None:
        self.pose: Matrix = np.eye(3)
        self.sits: Array = np.zeros(3)  # rotation vector from the pose to how it sits in its tray, radians
        self.arm = np.zeros(3) if arm is None else arm
        self._stretches: deque[Stretch] = deque()
        self._before = Still.of(Rotation.identity())  # the first stretch that is kept

    @property
    def free_at(self) -> float:
        """When the last planned movement ends."""
        return self._stretches[-1].end if self._stretches else float("-inf")

    @property
    def lies(self) -> Rotation:
        """The orientation in which it lies after all that is planned."""
        return Rotation.from_rotvec(self.sits) * Rotation.from_matrix(self.pose)

    def put(self, pose: Matrix, sits: Array | None = None) -> None:
        """Set it down in a pose at once (before anything moves)."""
        self.pose, self.sits = pose, np.zeros(3) if sits is None else sits
        self._before = Still.of(self.lies)

    def add(self, stretch: Stretch, pose: Matrix, sits: Array) -> None:
        """Append a movement that ends in `pose`, misaligned in the tray by `sits`."""
        self._stretches.append(stretch)
        self.pose, self.sits = pose, sits

    def sample(self, times: Array) -> tuple[Array, Array, Array]:
        """Orientations (n, 4), body rates (n, 3) in °/s and forces (n, 3) in g at rising times (n,); forgets what is
        past."""
        quats = np.empty((len(times), 4))
        rates = np.zeros((len(times), 3))
        forces = np.empty((len(times), 3))
        lies = self._before
        if not len(times) or not self._stretches or times[-1] < self._stretches[0].start:
            # the usual case: it lies still
            quats[:], forces[:] = lies
            return quats, rates, forces
        todo = np.ones(len(times), dtype=bool)
        for stretch in self._stretches:
            before = todo & (times < stretch.start)
            quats[before], forces[before] = lies
            inside = todo & (times >= stretch.start) & (times <= stretch.end)
            at = (times[inside] - stretch.start) / GRID_S
            low = np.clip(at.astype(int), 0, len(stretch.rates) - 2)
            share = (at - low)[:, None]
            quats[inside] = stretch.quats[low]
            rates[inside] = stretch.rates[low] * (1 - share) + stretch.rates[low + 1] * share
            forces[inside] = stretch.forces[low] * (1 - share) + stretch.forces[low + 1] * share
            todo &= ~(before | inside)
            lies = stretch.after
        quats[todo], forces[todo] = lies
        while self._stretches and self._stretches[0].end < times[-1]:
            self._before = self._stretches.popleft().after
        return quats, rates, forces
