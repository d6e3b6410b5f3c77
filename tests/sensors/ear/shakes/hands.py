"""What beads feel in a hand that shakes them, and which way is up."""

from __future__ import annotations

import numpy as np

from sensors.ear.frames.frontend import FELT_RATE, Floats

GRAVITY = 9.81
UP = np.array([0.0, 0.0, 1.0])


def unit(way: list[float]) -> Floats:
    direction = np.array(way, dtype=np.float64)
    return np.asarray(direction / np.linalg.norm(direction))


def shaken(floor: Floats, seconds: float = 2.0, hz: float = 4.0, g: float = 2.5) -> Floats:
    """What beads feel, float64[frames, 3], in a hand that goes up and down, a little slanting and to and fro."""
    t = np.arange(round(seconds * FELT_RATE)) / FELT_RATE
    across = np.cross(floor, [0.3, -0.8, 0.5])
    across /= np.linalg.norm(across)
    stroke = g * GRAVITY * np.sin(2 * np.pi * hz * t + 0.4 * np.sin(3 * t))
    return np.asarray(
        -GRAVITY * floor + np.outer(stroke, floor) + 0.35 * np.outer(stroke * np.cos(2 * t), across)
    )
