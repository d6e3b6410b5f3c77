"""How far a cube was carried from rest to rest: acceleration integrated twice.

The result is good to about a centimetre over a second and a half, and only because the cube is at rest at both ends:
the velocity that is left at the second rest is an error that grew linearly, and is subtracted.
"""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.packets import Vector
from sensors.cubes import quats
from sensors.cubes.orientation import G
from sensors.cubes.quats import Quat

CARRIED_S = 2.5  # s; longer integrals mean nothing


class Carry:
    """Velocity and displacement east and north since the last rest."""

    def __init__(self) -> None:
        self._gravity = 1.0  # its size at rest as measured by this accelerometer, g
        self._velocity = (0.0, 0.0)
        self._way = (0.0, 0.0)

    def rests(self, accel: Vector) -> None:
        """Learn gravity's size from the acceleration (g) at rest; the integrals restart."""
        size = (accel[0] ** 2 + accel[1] ** 2 + accel[2] ** 2) ** 0.5
        self._gravity += 0.05 * (size - self._gravity)

    def begin(self) -> None:
        """A movement begins."""
        self._velocity = self._way = (0.0, 0.0)

    def step(self, before: Quat, after: Quat, accels: Sequence[Vector], dt: float) -> None:
        """Integrate samples (g, sensor axes) `dt` apart, between two orientations, sensor to table."""
        n = len(accels)
        mean = (sum(a[0] for a in accels) / n, sum(a[1] for a in accels) / n, sum(a[2] for a in accels) / n)
        x, y, _ = quats.rotate(quats.middle(before, after), mean)
        step, k = n * dt, G / self._gravity
        (vx, vy), (px, py) = self._velocity, self._way
        self._way = (px + vx * step + 0.5 * x * k * step**2, py + vy * step + 0.5 * y * k * step**2)
        self._velocity = (vx + x * k * step, vy + y * k * step)

    def moved(self, took: float) -> tuple[float, float] | None:
        """Displacement east and north, m, in a movement of `took` seconds that has just ended at a rest; None: too long
        to tell."""
        if took > CARRIED_S:
            return None
        return (self._way[0] - self._velocity[0] * took / 2, self._way[1] - self._velocity[1] * took / 2)
