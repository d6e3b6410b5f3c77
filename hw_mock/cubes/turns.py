"""The simulator's own slots, pairs and turns, as 3×3 integer matrices; it may not borrow those of `sensors`.

x east, y north, z up. A pose is a matrix that rotates body axes into the table's.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
SLOTS = ("NW", "NE", "SE", "SW")
PAIRS = {"n": ("NW", "NE"), "s": ("SW", "SE"), "w": ("NW", "SW"), "e": ("NE", "SE")}
PLACES = {"NW": (-0.5, 0.5), "NE": (0.5, 0.5), "SE": (0.5, -0.5), "SW": (-0.5, -0.5)}  # in cube widths
# axis of a tilt or turn: a quarter, right-handed
AXES = {
    "N": (-1.0, 0.0, 0.0),
    "S": (1.0, 0.0, 0.0),
    "E": (0.0, 1.0, 0.0),
    "W": (0.0, -1.0, 0.0),
    "cw": (0.0, 0.0, -1.0),
    "ccw": (0.0, 0.0, 1.0),
}
_FACES = {(0, 0, 1): "U", (0, 0, -1): "D", (0, 1, 0): "N", (0, -1, 0): "S", (1, 0, 0): "E", (-1, 0, 0): "W"}


def quarter(to: str) -> Matrix:
    """The matrix of a quarter turn towards `to`: N, S, E, W (a tilt) or cw, ccw (a turn seen from above)."""
    x, y, z = AXES[to]
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    out: Matrix = np.rint(np.eye(3) + cross + cross @ cross)
    return out


def up_north(pose: Matrix) -> tuple[str, str]:
    """The body faces that face up and north."""
    up, north = (tuple(int(v) for v in np.rint(row)) for row in (pose[2], pose[1]))
    return _FACES[up], _FACES[north]  # type: ignore[index]
