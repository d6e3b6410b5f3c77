"""The course of a quarter turn by hand: its angle over time, and how the cube deviates from the axis and its place."""

from __future__ import annotations

import numpy as np

from hw_mock.cubes.motion import GRID_S, Array, smooth
from hw_mock.cubes.tempers import Temper
from hw_mock.cubes.untidy import Untidy


def swung(untidy: Untidy, times: int, duration: float, stops: float | None, over_deg: float) -> Array:
    """The angle (n,) in radians on the grid: `times` quarters in `duration` seconds, with overshoot.

    `stops`: at which share of the way the hand hesitates; None: it does not.
    """
    n = max(60, round(duration / GRID_S))
    whole = np.radians(90.0 * times)
    s = smooth(n)
    if stops is not None:
        held = np.full(round(untidy.draw((0.1, 0.5)) / GRID_S), stops)
        first = smooth(max(40, round(n * stops))) * stops
        second = stops + smooth(max(40, round(n * (1 - stops)))) * (1 - stops)
        s = np.concatenate([first, held, second])
    back = max(30, round(untidy.draw((0.06, 0.15)) / GRID_S))
    beyond = np.radians(over_deg)
    angle: Array = np.concatenate([s * (whole + beyond), whole + beyond * (1 - smooth(back))])
    return angle


def strayed(untidy: Untidy, bell: Array, t: Temper) -> Array:
    """Deviation from the ideal rotation, rotation vectors (n, 3): skew and tremor, zero at both ends (`bell` 0…1…0)."""
    n = len(bell)
    off = np.outer(bell, untidy.random.normal(size=3) * np.radians(untidy.draw(t.skew)) / 1.7)
    trembling = untidy.tremble(n, untidy.draw(t.wobble)) * np.minimum(1, 4 * bell)[:, None]
    out: Array = off + trembling
    return out


def carried(untidy: Untidy, n: int, look: bool, way: Array | None) -> Array:
    """Positions (n, 3) in m of a cube that is lifted – high, to look through it, or just over its neighbours – and
    put back.

    `way` (2,): how far east and north of its old place it ends; None: in its old place.
    """
    place = np.zeros((n, 3))
    up = smooth(min(n // 4, 400))
    height = untidy.draw((0.05, 0.25)) if look else 0.06
    place[: len(up), 2] = up * height
    place[len(up) : n - len(up), 2] = height
    place[n - len(up) :, 2] = up[::-1] * height
    place += untidy.wander(n, 0.03 if look else 0.003)
    if way is not None:
        place[:, :2] += smooth(n)[:, None] * way
    return place


def dropped(height_m: float) -> Array:
    """Positions (n, 3) in m of a cube that is lifted to `height_m` and let go."""
    fall = round(np.sqrt(2 * height_m / 9.81) / GRID_S)
    falling = height_m - 0.5 * 9.81 * (np.arange(fall) * GRID_S) ** 2
    z = np.concatenate([smooth(300) * height_m, falling, [0.0]])
    place = np.zeros((len(z), 3))
    place[:, 2] = z
    return place
