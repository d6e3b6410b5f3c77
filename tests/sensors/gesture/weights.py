"""Weighings of igloos as a seat gives them, without a ring: exact but for what the model expects them to scatter by."""

from __future__ import annotations

import numpy as np

from sensors.gesture.model import Noise, Weighing

SEAT, PLATFORM = 0.038, 0.016


def weighed(
    beads: int, bead: float, shell: float, r: np.random.Generator, noise: Noise | None = None
) -> Weighing:
    n = noise or Noise()
    loose = beads * bead
    t = (shell + loose) / SEAT
    up = t + n.upright(3, 3, t) * r.normal()
    side = (shell + 2 / 7 * loose) / PLATFORM + n.loose(3, 3, 5 / 7 * bead / SEAT) / 0.42 * r.normal()
    return Weighing(up, side, 3, 1e-4, 3)
