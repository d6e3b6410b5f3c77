"""How features depend on the count: a polynomial in ln N, centred on the middle of the game's counts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sensors.ear.frames.frontend import Floats
from sensors.ear.models.labels import Ints

MIDDLE = 1.8  # ln N in the middle of the game's counts
DEGREE = 2


def log_middle(counts: Sequence[int] | Ints) -> Floats:
    """ln N − MIDDLE."""
    x: Floats = np.log(np.asarray(counts, dtype=np.float64)) - MIDDLE
    return x


def powers_of(x: Floats) -> Floats:
    """1, x, x², … as columns, float64[counts, DEGREE + 1]."""
    return np.stack([x**k for k in range(DEGREE + 1)], axis=1)
