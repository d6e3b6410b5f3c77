"""The 24 orientations of a cube, and how tilts and turns lead from one to another (IC-4).

An orientation is a number 0…23; `LIES[i]` are the body faces that look up and north in it. World axes: x east, y north,
z up. A tilt to N brings the top face to the north side, and so on; a turn is about the vertical.
"""

from __future__ import annotations

FACES = ("U", "D", "N", "E", "S", "W")
AXIS = {
    "E": (1, 0, 0),
    "W": (-1, 0, 0),
    "N": (0, 1, 0),
    "S": (0, -1, 0),
    "U": (0, 0, 1),
    "D": (0, 0, -1),
}
_FACE = {vector: face for face, vector in AXIS.items()}
OPPOSITE = {"U": "D", "D": "U", "N": "S", "S": "N", "E": "W", "W": "E"}


def across(a: str, b: str) -> str:
    """The face that the cross product of two faces' normals points to."""
    (ax, ay, az), (bx, by, bz) = AXIS[a], AXIS[b]
    return _FACE[(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)]


LIES: tuple[tuple[str, str], ...] = tuple(
    (up, north) for up in FACES for north in FACES if north not in (up, OPPOSITE[up])
)
NUMBER = {pair: i for i, pair in enumerate(LIES)}


def facing(lie: int) -> dict[str, str]:
    """Body face → the world side that it faces, for one orientation."""
    up, north = LIES[lie]
    east = across(north, up)
    return {
        up: "U",
        OPPOSITE[up]: "D",
        north: "N",
        OPPOSITE[north]: "S",
        east: "E",
        OPPOSITE[east]: "W",
    }


def _moved(lie: int, how: str) -> int:
    up, north = LIES[lie]
    east = across(north, up)
    new = {
        "N": (OPPOSITE[north], up),
        "S": (north, OPPOSITE[up]),
        "E": (OPPOSITE[east], north),
        "W": (east, north),
        "cw": (up, OPPOSITE[east]),
        "ccw": (up, east),
    }[how]
    return NUMBER[new]


# how → for each orientation, the one it leads to
AFTER: dict[str, tuple[int, ...]] = {
    how: tuple(_moved(lie, how) for lie in range(24)) for how in ("N", "S", "E", "W", "cw", "ccw")
}


def parity(lie: int) -> int:
    """0 if an even number of quarter turns leads here from (U, N), 1 if an odd number does."""
    return _PARITY[lie]


def _parities() -> tuple[int, ...]:
    found = {NUMBER[("U", "N")]: 0}
    border = list(found)
    while border:
        lie = border.pop()
        for table in AFTER.values():
            if table[lie] not in found:
                found[table[lie]] = 1 - found[lie]
                border.append(table[lie])
    return tuple(found[lie] for lie in range(24))


_PARITY = _parities()
