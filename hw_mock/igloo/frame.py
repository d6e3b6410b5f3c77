"""Inertial accelerations of free beads in a rotating frame, and pairs of near beads; per sample, for `beads.run`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from hw_mock.igloo.compiled import compiled
from hw_mock.igloo.traces import Array

FAST = {"contract", "arcp", "nsz"}  # no reordering of sums, and no assumption that values are finite


@compiled(fastmath=FAST)
def inertia(position: Array, velocity: Array, here: Array, acceleration: Array) -> float:
    """Write the accelerations in the rotating frame, once per sample: they change little in 21 µs. Returns the top
    speed."""
    ox, oy, oz = here[1, 0], here[1, 1], here[1, 2]
    ax, ay, az = here[2, 0], here[2, 1], here[2, 2]
    top = 0.0
    for i in range(position.shape[0]):
        x, y, z = position[i, 0], position[i, 1], position[i, 2]
        vx, vy, vz = velocity[i, 0], velocity[i, 1], velocity[i, 2]
        cx, cy, cz = oy * z - oz * y, oz * x - ox * z, ox * y - oy * x
        acceleration[i, 0] = here[0, 0] - (ay * z - az * y) - (oy * cz - oz * cy) - 2 * (oy * vz - oz * vy)
        acceleration[i, 1] = here[0, 1] - (az * x - ax * z) - (oz * cx - ox * cz) - 2 * (oz * vx - ox * vz)
        acceleration[i, 2] = here[0, 2] - (ax * y - ay * x) - (ox * cy - oy * cx) - 2 * (ox * vy - oy * vx)
        top = max(top, vx * vx + vy * vy + vz * vz)
    return math.sqrt(top)


@compiled(fastmath=FAST)
def near_pairs(position: Array, radius: Array, margin: float, pairs: NDArray[np.int64]) -> int:
    """Write the pairs whose surfaces are closer than `margin` m; returns their number."""
    count = 0
    for i in range(position.shape[0]):
        for j in range(i + 1, position.shape[0]):
            x, y, z = (
                position[i, 0] - position[j, 0],
                position[i, 1] - position[j, 1],
                position[i, 2] - position[j, 2],
            )
            reach = radius[i] + radius[j] + margin
            if x * x + y * y + z * z < reach * reach:
                pairs[count, 0], pairs[count, 1] = i, j
                count += 1
    return count
