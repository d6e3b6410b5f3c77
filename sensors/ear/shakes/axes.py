"""Which way a hit goes: the wide band's energy along three axes at right angles.

A bead pushes the shell along the way it strikes, and what rings on keeps to that way until the next bead strikes
elsewhere. An accelerometer's three axes hold this, and their sum does not. How the sensor is stuck on tells nothing, so
the axes that energy is taken along are those of the shake itself, the greatest first.
"""

from __future__ import annotations

import numpy as np

from sensors.ear.frames.frontend import COLUMNS, ROWS, Array, Floats


def energy_along(products: Array | Floats) -> Floats:
    """Energy along the shake's own axes, float64[frames, 3], of float[frames, PRODUCTS] as in `Frames`, one frame
    at least."""
    whole = np.empty((len(products), 3, 3))
    whole[:, ROWS, COLUMNS] = products
    whole[:, COLUMNS, ROWS] = products
    _, axes = np.linalg.eigh(whole.mean(axis=0))
    axes = axes[:, ::-1]
    along: Floats = np.einsum("ik,fik->fk", axes, whole @ axes)
    return np.maximum(along, 0.0)
