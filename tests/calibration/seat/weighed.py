"""A gesture done rightly on a seat of two damped tones, and what writes a folder of such."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from tests.sensors.gesture.seat_table import Table

Write = Callable[..., Path]


def right(beads: int, seed: int = 0) -> np.ndarray:
    return Table(seed + beads).quiet(0.4).tap().tap().placed(beads, beads, beads).quiet(0.3).take()
