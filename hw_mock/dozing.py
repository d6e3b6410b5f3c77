"""The wake-up detection in a sleeping simulated node's chip, as `wake_on_motion` in firmware/lsm6ds.py sets it up.

It samples at 12.5 Hz: the mean since the last sample, because its low-pass ends at half that rate. It raises its pin
when half the change of an axis exceeds the threshold (the slope filter), or when another side faces up (the 6D
interrupt).
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.packets import Vector

PERIOD_S = 1 / 12.5
SLOPE_G = 2 / 64
SIDE_G = 0.5  # cos 60°: a side faces up if exactly one axis feels more of gravity than this


@dataclass(slots=True)
class Dozing:
    """The detector's state since the node fell asleep."""

    _sum: Vector = (0.0, 0.0, 0.0)
    _count: int = 0
    _until: float | None = None
    _before: Vector | None = None
    _side: Vector | None = None

    def stirred(self, felt: Vector, now: float) -> bool:
        """Whether it raises its pin at the sample `felt`, in g, of time `now`, in s."""
        x, y, z = self._sum
        self._sum = (x + felt[0], y + felt[1], z + felt[2])
        self._count += 1
        if self._until is None:
            self._until = now + PERIOD_S
        if now < self._until:
            return False
        x, y, z = self._sum
        took = (x / self._count, y / self._count, z / self._count)
        self._sum, self._count, self._until = (0.0, 0.0, 0.0), 0, self._until + PERIOD_S
        return self._slope(took) | self._turned_over(took)

    def _slope(self, took: Vector) -> bool:
        before, self._before = self._before or took, took
        return any(abs(a - b) / 2 > SLOPE_G for a, b in zip(took, before, strict=True))

    def _turned_over(self, took: Vector) -> bool:
        x, y, z = ((a > SIDE_G) - (a < -SIDE_G) for a in took)
        if abs(x) + abs(y) + abs(z) != 1:
            return False
        before, self._side = self._side or (x, y, z), (x, y, z)
        return self._side != before
