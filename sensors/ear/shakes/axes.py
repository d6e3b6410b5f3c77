"""The direction of a hit: the wide band's energy along three orthogonal axes.

A bead pushes the shell in the direction it strikes, and the ringing keeps that direction until the next bead strikes
elsewhere. The three axes of an accelerometer show this; their sum does not. The orientation of the glued-on sensor says
nothing, so energy is taken along the principal axes of the shake itself, the strongest first.
"""

from __future__ import annotations

import numpy as np

from sensors.ear.frames.frontend import COLUMNS, ROWS, Array, Floats


def energy_along(products: Array | Floats) -> Floats:
    """Energy along the shake's principal axes, float64[frames, 3]. `products`: float[frames, PRODUCTS] as in `Frames`,
    at least one frame."""
    whole = np.empty((len(products), 3, 3))
    whole[:, ROWS, COLUMNS] = products
    whole[:, COLUMNS, ROWS] = products
    _, axes = np.linalg.eigh(whole.mean(axis=0))
    axes = axes[:, ::-1]
    along: Floats = np.einsum("ik,fik->fk", axes, whole @ axes)
    return np.maximum(along, 0.0)
