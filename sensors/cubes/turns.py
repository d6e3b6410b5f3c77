"""The 24 turns of a cube and the four slots: pure geometry. x east, y north, z up; matrices map body to table axes.

A turn is named by the body faces that look up and north; in the first pose these are U and N.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from sensors.cubes.quats import Quat, normalised, rotate

FACES = "UDNESW"
SLOTS = ("NW", "NE", "SE", "SW")
PAIRS = {"n": ("NW", "NE"), "s": ("SW", "SE"), "w": ("NW", "SW"), "e": ("NE", "SE")}
# the two sides towards which a pair can be tilted
SIDES = {"n": "NS", "s": "NS", "w": "EW", "e": "EW"}

AXES: dict[str, tuple[int, int, int]] = {
    "U": (0, 0, 1),
    "D": (0, 0, -1),
    "N": (0, 1, 0),
    "S": (0, -1, 0),
    "E": (1, 0, 0),
    "W": (-1, 0, 0),
}
_NAMES = {axis: name for name, axis in AXES.items()}


def _quats() -> tuple[Quat, ...]:
    """One quaternion for each turn: of the two with opposite signs, the one whose first nonzero number is positive."""
    step = (-1.0, 0.0, 1.0)
    of_all = [(w, x, y, z) for w, x, y, z in product(step, step, step, step) if (w, x, y, z) > (0, 0, 0, 0)]
    group = (normalised(q) for q in of_all if sum(map(abs, q)) in (1, 2, 4))
    return tuple(sorted(group, reverse=True))


QUATS = _quats()  # the identity is number 0
_BASE = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
MATRICES = np.array([np.rint([rotate(q, axis) for axis in _BASE]).T for q in QUATS]).astype(int)
_INDEX = {tuple(m.ravel()): i for i, m in enumerate(MATRICES)}
COMPOSE: NDArray[np.int64] = np.array([[_INDEX[tuple((a @ b).ravel())] for b in MATRICES] for a in MATRICES])
INVERSE: tuple[int, ...] = tuple(_INDEX[tuple(m.T.ravel())] for m in MATRICES)
IDENTITY = 0


def _from_images(x: tuple[int, int, int], y: tuple[int, int, int], z: tuple[int, int, int]) -> int:
    """The turn that takes east to `x`, north to `y`, up to `z`."""
    return _INDEX[tuple(np.array([x, y, z]).T.ravel())]


# IC-4. A tilt takes the top face to the named side. For N, east stays east, north goes down and up goes north.
TILT = {
    "N": _from_images((1, 0, 0), (0, 0, -1), (0, 1, 0)),
    "S": _from_images((1, 0, 0), (0, 0, 1), (0, -1, 0)),
    "E": _from_images((0, 0, -1), (0, 1, 0), (1, 0, 0)),
    "W": _from_images((0, 0, 1), (0, 1, 0), (-1, 0, 0)),
}
TURN = {
    "cw": _from_images((0, -1, 0), (1, 0, 0), (0, 0, 1)),
    "ccw": _from_images((0, 1, 0), (-1, 0, 0), (0, 0, 1)),
}


@cache
def up_north(turn: int) -> tuple[str, str]:
    """The body faces that look up and north in this turn."""
    m = MATRICES[turn]
    up, north = ((int(row[0]), int(row[1]), int(row[2])) for row in (m[2], m[1]))
    return _NAMES[up], _NAMES[north]


@cache
def turn_named(up: str, north: str) -> int:
    """The turn in which body face `up` looks up and `north` looks north. Raises ValueError where there is none."""
    for i in range(24):
        if up_north(i) == (up, north):
            return i
    raise ValueError(f"no turn of a cube has {up} up and {north} north")


def nearest(q: Quat) -> tuple[int, float, float]:
    """The turn nearest to a body-to-table quaternion, degrees off it, and degrees off the runner-up."""
    # called for every sample while a cube is in hand; NumPy takes twice as long for four numbers
    w, x, y, z = q
    dots = [abs(w * a + x * b + y * c + z * d) for a, b, c, d in QUATS]
    first = max(dots)
    best = dots.index(first)
    dots[best] = 0.0
    return best, _angle(first), _angle(max(dots))


def _angle(dot: float) -> float:
    return math.degrees(2.0 * math.acos(min(1.0, max(0.0, dot))))


def lying(up: tuple[float, float, float]) -> int:
    """The smallest turn that points a body vector up: the mounting of a sensor, as far as gravity shows it."""
    heights = [round(float((MATRICES[i] @ np.array(up))[2]), 1) for i in range(24)]
    return max(range(24), key=lambda i: (heights[i], QUATS[i][0]))


def difference(before: int, after: int) -> int:
    """The turn, in the table's frame, from pose `before` to pose `after`."""
    return int(COMPOSE[after, INVERSE[before]])


def angle_of(turn: int) -> int:
    """The angle of a turn: 0, 90, 120 or 180 degrees."""
    return round(_angle(QUATS[turn][0]))


def quarters(count: int) -> int:
    """The turn about the vertical by so many quarter turns, counter-clockwise from above."""
    return compose((TURN["ccw"],) * (count % 4))


def compose(turns: Iterable[int]) -> int:
    """The product of turns of the table's frame, the first one applied first."""
    out = IDENTITY
    for turn in turns:
        out = int(COMPOSE[turn, out])
    return out
