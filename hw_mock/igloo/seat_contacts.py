"""Contact forces in one step of `seat_motion`: beads on walls and on each other, by the laws of `contacts`.

`beads.run` has its own copy inside its loop, where numba makes it fastest, and for one moving body. On the seat four
bodies move within a step, so the laws exist here once more, without what only sound needs. A test checks that both
agree.
"""

from __future__ import annotations

import math

from hw_mock.igloo.compiled import compiled
from hw_mock.igloo.contacts import PAIR_BRAKING, WALL_BRAKING
from hw_mock.igloo.frame import FAST
from hw_mock.igloo.traces import Array


@compiled(fastmath=FAST, inline="always", error_model="numpy")
def press_wall(
    i: int, side: int, depth: float, nx: float, ny: float, nz: float, speed: Array, spin: Array, shell: Array,
    radius: Array, mass: Array, laws: Array, dent: Array, push: Array, twist: Array, felt: Array, step: float,
) -> float:  # fmt: skip
    """Bead `i` on dome (0) or floor (1), `depth` m deep, normal inwards; adds forces to push, twist, felt [3]. Returns
    the normal force, N."""
    squeeze = depth - dent[i, side]
    f = 0.0
    if squeeze > 0.0:
        vx, vy, vz = speed[i, 0] - shell[3], speed[i, 1] - shell[4], speed[i, 2] - shell[5]
        closing = -(vx * nx + vy * ny + vz * nz)
        root = math.sqrt(squeeze)
        elastic = laws[side, 0] * squeeze * root
        spring = closing - elastic * laws[side, 2] + dent[i, side] * laws[side, 3]
        f = max(0.0, elastic + laws[side, 1] * math.sqrt(root) * spring)
        r = radius[i]
        tx = vx + closing * nx - r * (spin[i, 1] * nz - spin[i, 2] * ny)
        ty = vy + closing * ny - r * (spin[i, 2] * nx - spin[i, 0] * nz)
        tz = vz + closing * nz - r * (spin[i, 0] * ny - spin[i, 1] * nx)
        # friction that would stop the slip within some steps, limited by Coulomb's law
        g, limit, slip = WALL_BRAKING * mass[i] / step, laws[side, 4] * f, tx * tx + ty * ty + tz * tz
        if g * g * slip > limit * limit:
            g = limit / math.sqrt(slip)
        _give(i, f * nx - g * tx, f * ny - g * ty, f * nz - g * tz, push, felt)
        g *= r
        twist[i, 0] += g * (ny * tz - nz * ty)
        twist[i, 1] += g * (nz * tx - nx * tz)
        twist[i, 2] += g * (nx * ty - ny * tx)
    dent[i, side] = (dent[i, side] + step * f * laws[side, 2]) * (1.0 - step * laws[side, 3])
    return f


@compiled(fastmath=FAST, inline="always", error_model="numpy")
def _give(i: int, x: float, y: float, z: float, push: Array, felt: Array) -> None:
    push[i, 0] += x
    push[i, 1] += y
    push[i, 2] += z
    felt[0] -= x
    felt[1] -= y
    felt[2] -= z


@compiled(fastmath=FAST, inline="always", error_model="numpy")
def press_pair(
    i: int, j: int, at: Array, speed: Array, spin: Array, radius: Array, mass: Array, laws: Array, push: Array,
    twist: Array, step: float,
) -> float:  # fmt: skip
    """Beads `i` and `j`: adds forces to push and twist. Returns the normal force, N; 0 if they do not touch."""
    x, y, z = at[i, 0] - at[j, 0], at[i, 1] - at[j, 1], at[i, 2] - at[j, 2]
    both, far = radius[i] + radius[j], x * x + y * y + z * z
    if far >= both * both:
        return 0.0
    far = math.sqrt(far) + 1e-15
    nx, ny, nz = x / far, y / far, z / far
    vx, vy, vz = speed[i, 0] - speed[j, 0], speed[i, 1] - speed[j, 1], speed[i, 2] - speed[j, 2]
    closing = -(vx * nx + vy * ny + vz * nz)
    root = math.sqrt(both - far)
    f = max(0.0, laws[2, 0] * (both - far) * root + laws[2, 1] * math.sqrt(root) * closing)
    hx = radius[i] * spin[i, 0] + radius[j] * spin[j, 0]
    hy = radius[i] * spin[i, 1] + radius[j] * spin[j, 1]
    hz = radius[i] * spin[i, 2] + radius[j] * spin[j, 2]
    tx = vx + closing * nx - (hy * nz - hz * ny)
    ty = vy + closing * ny - (hz * nx - hx * nz)
    tz = vz + closing * nz - (hx * ny - hy * nx)
    g, limit = PAIR_BRAKING * min(mass[i], mass[j]) / step, laws[2, 4] * f
    slip = tx * tx + ty * ty + tz * tz
    if g * g * slip > limit * limit:
        g = limit / math.sqrt(slip)
    px, py, pz = f * nx - g * tx, f * ny - g * ty, f * nz - g * tz
    kx, ky, kz = g * (ny * tz - nz * ty), g * (nz * tx - nx * tz), g * (nx * ty - ny * tx)
    for b, sign in ((i, 1.0), (j, -1.0)):
        push[b, 0] += sign * px
        push[b, 1] += sign * py
        push[b, 2] += sign * pz
        twist[b, 0] += radius[b] * kx
        twist[b, 1] += radius[b] * ky
        twist[b, 2] += radius[b] * kz
    return float(f)
