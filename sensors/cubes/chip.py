"""Angular rates from the orientations of a chip that fuses by itself and sends no rates."""

from __future__ import annotations

import math
from collections import deque

from firmware_bridge.packets import Vector
from sensors.cubes import quats
from sensors.cubes.quats import Quat

_OVER_S = 0.06  # s, long enough for angles in steps of 0.01°


class ChipRates:
    """Feed orientations with their times; `rate` is the mean over the last twentieth of a second, °/s in the chip's
    axes."""

    def __init__(self) -> None:
        self._past: deque[tuple[float, Quat]] = deque()
        self.rate: Vector | None = None

    def forget(self) -> None:
        """After a gap: start again."""
        self._past.clear()
        self.rate = None

    def add(self, t: float, pose: Quat) -> None:
        """Take an orientation at time `t`, later than the one before."""
        while len(self._past) > 1 and t - self._past[0][0] > _OVER_S:
            self._past.popleft()
        self._past.append((t, pose))
        then, old = self._past[0]
        if t > then:
            x, y, z = quats.rotation_vector(quats.multiply(quats.conjugate(old), pose))
            scale = math.degrees(1.0) / (t - then)
            self.rate = (x * scale, y * scale, z * scale)
