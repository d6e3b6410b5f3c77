"""Contact law of the fourth world. Compiled; all lengths in m, forces in N.

Along the normal it is Hertz's law with a damper that gives a restitution independent of speed (Antypov and Elliott
2011, EPL 94:50004); along the wall a spring and Coulomb friction (Cundall and Strack 1979, Géotechnique 29:47).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hw_mock.igloo.compiled import compiled

Array = NDArray[np.float64]
SHAPES = 16  # functions of the place where the shell is hit: spherical harmonics up to the third degree


def damping(restitution: float) -> float:
    """The damper as a share of the square root of mass and stiffness (Antypov and Elliott 2011, equation 17). Here an
    ending contact never pulls, so a low restitution comes out a little higher: .55 for .5, .72 for .7."""
    ln = np.log(restitution)
    return float(-np.sqrt(5) * ln / np.hypot(np.pi, ln))


@compiled()
def shapes(x: float, y: float, z: float, out: Array) -> None:
    """Real spherical harmonics of a direction up to the third degree, normalized to equal size."""
    out[0] = 1.0
    out[1] = 1.7 * x
    out[2] = 1.7 * y
    out[3] = 1.7 * z
    out[4] = 3.9 * x * y
    out[5] = 3.9 * y * z
    out[6] = 1.1 * (3 * z * z - 1)
    out[7] = 3.9 * x * z
    out[8] = 1.9 * (x * x - y * y)
    out[9] = 2.1 * y * (3 * x * x - y * y)
    out[10] = 10.2 * x * y * z
    out[11] = 1.6 * y * (5 * z * z - 1)
    out[12] = 1.3 * z * (5 * z * z - 3)
    out[13] = 1.6 * x * (5 * z * z - 1)
    out[14] = 5.1 * z * (x * x - y * y)
    out[15] = 2.1 * x * (x * x - 3 * y * y)


@compiled()
def nearest(rho: float, z: float, a: float, h: float) -> tuple[float, float]:
    """The point of a quarter ellipse, with semi-axes `a` and `h`, that is nearest to a point inside it. Four iterations
    replace the ellipse by its circle of curvature."""
    tx, tz = 0.7071, 0.7071
    for _ in range(4):
        x, y = a * tx, h * tz
        ex = (a * a - h * h) * tx**3 / a
        ez = (h * h - a * a) * tz**3 / h
        rx, rz = x - ex, y - ez
        qx, qz = rho - ex, z - ez
        r, q = np.hypot(rx, rz), np.hypot(qx, qz) + 1e-15
        tx = min(1.0, max(0.0, (qx * r / q + ex) / a))
        tz = min(1.0, max(0.0, (qz * r / q + ez) / h))
        t = np.hypot(tx, tz)
        tx, tz = tx / t, tz / t
    return a * tx, h * tz


@compiled()
def touch(
    depth: float,
    n: Array,
    v: Array,
    spin: Array,
    mass: float,
    radius: float,
    modulus: float,
    damper: float,
    friction: float,
    stretch: Array,
    dt: float,
    out: Array,
) -> float:
    """Write the force on the bead into `out`; returns its normal component. n: from the other body to the bead; v: of
    the bead relative to it; spin: the angular velocity that moves the surfaces relative to each other, times radius."""
    k = 4.0 / 3.0 * modulus * np.sqrt(radius)
    approach = v[0] * n[0] + v[1] * n[1] + v[2] * n[2]
    normal = k * depth**1.5 - damper * np.sqrt(mass * k) * depth**0.25 * approach
    if normal < 0:
        normal = 0.0
    # relative velocity of the surfaces at the contact
    s0 = v[0] - approach * n[0] - (spin[1] * n[2] - spin[2] * n[1])
    s1 = v[1] - approach * n[1] - (spin[2] * n[0] - spin[0] * n[2])
    s2 = v[2] - approach * n[2] - (spin[0] * n[1] - spin[1] * n[0])
    kt = 0.8 * 1.5 * k * np.sqrt(depth)
    along = stretch[0] * n[0] + stretch[1] * n[1] + stretch[2] * n[2]
    stretch[0] += s0 * dt - along * n[0]
    stretch[1] += s1 * dt - along * n[1]
    stretch[2] += s2 * dt - along * n[2]
    damp = 0.3 * np.sqrt(mass * kt)
    f0, f1, f2 = -kt * stretch[0] - damp * s0, -kt * stretch[1] - damp * s1, -kt * stretch[2] - damp * s2
    size = np.sqrt(f0 * f0 + f1 * f1 + f2 * f2)
    if size > friction * normal:
        share = friction * normal / (size + 1e-30)
        f0, f1, f2 = f0 * share, f1 * share, f2 * share
        for c in range(3):  # the spring slips
            stretch[c] *= share
    out[0] = normal * n[0] + f0
    out[1] = normal * n[1] + f1
    out[2] = normal * n[2] + f2
    return normal


@compiled()
def floor(place: Array, size: float, n: Array) -> float:
    """How deep a bead is in the floor, m (0 or less: not); the way out into `n`."""
    n[0], n[1], n[2] = 0.0, 0.0, 1.0
    return size - place[2]


@compiled()
def dome(place: Array, size: float, a: float, h: float, n: Array) -> float:
    """How deep a bead is in the dome, `a` wide to each side and `h` high, m; the way out into `n`."""
    rho = np.hypot(place[0], place[1])
    z = max(place[2], 0.0)
    q = np.hypot(rho / a, z / h)
    if (1 - q) * min(a, h) >= 1.01 * size:  # a lower bound of the distance, wherever the nearest point is
        return 0.0
    pr, pz = nearest(rho, z, a, h)
    nr, nz = rho - pr, z - pz
    far = np.hypot(nr, nz) + 1e-15
    sign = 1.0 if q < 1 else -1.0
    c, s = (place[0] / rho, place[1] / rho) if rho > 1e-9 else (1.0, 0.0)
    n[0], n[1], n[2] = sign * nr / far * c, sign * nr / far * s, sign * nz / far
    return size - sign * far


@compiled()
def turn(n: Array, force: Array, size: float, torque: Array) -> None:
    """Add the torque of a force on a bead of radius `size` at its side away from `n`."""
    torque[0] -= (n[1] * force[2] - n[2] * force[1]) * size
    torque[1] -= (n[2] * force[0] - n[0] * force[2]) * size
    torque[2] -= (n[0] * force[1] - n[1] * force[0]) * size


@compiled()
def resist(w: Array, size: float, limit: float, torque: Array) -> None:
    """Add the rolling resistance of a bead that rolls at `w` rad/s: `limit` N·m, less below 1 mm/s."""
    spin = np.sqrt(w[0] ** 2 + w[1] ** 2 + w[2] ** 2) + 1e-12
    hold = limit * min(1.0, spin * size / 1e-3) / spin
    for c in range(3):
        torque[c] -= hold * w[c]
