"""The steps of the fourth world: forces of all that touches, and where they take the beads. Compiled."""

from __future__ import annotations

import numpy as np
from numba import njit

from benchmarks.grain_contacts import SHAPES, Array, nearest, shapes, touch

RATE = 96000  # Hz, of forces
STEPS = 5  # of the engine in each: 2 µs, ten of them in the shortest touch
# columns of the forces on the shell
PUSH = slice(0, SHAPES)  # normal force times each shape, N
FORCE = slice(SHAPES, SHAPES + 3)  # with friction, N
TORQUE = slice(SHAPES + 3, SHAPES + 6)  # about the middle of the floor, N·m
CLICK = SHAPES + 6  # bead on bead, with a sign, N
COLUMNS = SHAPES + 7
LEAST_NS = 1e-9  # impulse of a touch that counts as one


@njit(cache=True)
def run(
    x: Array,
    sizes: Array,
    masses: Array,
    dome: Array,
    moduli: Array,
    dampers: Array,
    frictions: Array,
    rolling: float,
    felt: Array,
    turning: Array,
    spun: Array,
    motion_rate: float,
    steps: int,
    forces: Array,
    blows: Array,
) -> int:
    beads = len(sizes)
    dt = 1.0 / (RATE * steps)
    v = np.zeros((beads, 3))
    w = np.zeros((beads, 3))
    f = np.zeros((beads, 3))
    torque = np.zeros((beads, 3))
    things = beads + 2  # of bead i: another bead, the floor, the dome
    stretch = np.zeros((beads, things, 3))
    going = np.zeros((beads, things, 6))  # start, impulse, speed, direction; start < 0: none
    going[:, :, 0] = -1.0
    n = np.zeros(3)
    rel = np.zeros(3)
    spin = np.zeros(3)
    out = np.zeros(3)
    shape = np.zeros(SHAPES)
    a, h = dome[0], dome[1]
    small = min(a, h)
    count = 0
    for sample in range(len(forces)):
        for step in range(steps):
            time = (sample * steps + step) * dt
            at = min(time * motion_rate, len(felt) - 1.001)
            low = int(at)
            part = at - low
            f[:] = 0.0
            torque[:] = 0.0
            for i in range(beads):
                # walls
                for wall in range(2):
                    thing = beads + wall
                    touching = False
                    depth = 0.0
                    if wall == 0:
                        depth = sizes[i] - x[i, 2]
                        if depth > 0:
                            n[0], n[1], n[2] = 0.0, 0.0, 1.0
                            touching = True
                    else:
                        rho = np.hypot(x[i, 0], x[i, 1])
                        z = max(x[i, 2], 0.0)
                        q = np.hypot(rho / a, z / h)
                        if (1 - q) * small < 1.01 * sizes[i]:
                            pr, pz = nearest(rho, z, a, h)
                            nr, nz = rho - pr, z - pz
                            far = np.hypot(nr, nz) + 1e-15
                            inside = q < 1
                            depth = sizes[i] - far if inside else sizes[i] + far
                            if depth > 0:
                                sign = 1.0 if inside else -1.0
                                c, s = (x[i, 0] / rho, x[i, 1] / rho) if rho > 1e-9 else (1.0, 0.0)
                                n[0], n[1], n[2] = sign * nr / far * c, sign * nr / far * s, sign * nz / far
                                touching = True
                    if touching:
                        for c in range(3):
                            rel[c] = v[i, c]
                            spin[c] = w[i, c] * sizes[i]
                        normal = touch(
                            depth, n, rel, spin, masses[i], sizes[i], moduli[0], dampers[0], frictions[0],
                            stretch[i, thing], dt, out,
                        )  # fmt: skip
                        for c in range(3):
                            f[i, c] += out[c]
                        t0 = -(n[1] * out[2] - n[2] * out[1]) * sizes[i]
                        t1 = -(n[2] * out[0] - n[0] * out[2]) * sizes[i]
                        t2 = -(n[0] * out[1] - n[1] * out[0]) * sizes[i]
                        size = np.sqrt(w[i, 0] ** 2 + w[i, 1] ** 2 + w[i, 2] ** 2) + 1e-12
                        hold = rolling * normal * sizes[i] * min(1.0, size * sizes[i] / 1e-3) / size
                        torque[i, 0] += t0 - hold * w[i, 0]
                        torque[i, 1] += t1 - hold * w[i, 1]
                        torque[i, 2] += t2 - hold * w[i, 2]
                        # the shell
                        px, py, pz2 = (
                            x[i, 0] - n[0] * sizes[i],
                            x[i, 1] - n[1] * sizes[i],
                            x[i, 2] - n[2] * sizes[i],
                        )
                        middle = pz2 - 0.4 * h
                        away = np.sqrt(px * px + py * py + middle * middle) + 1e-12
                        shapes(px / away, py / away, middle / away, shape)
                        for k in range(SHAPES):
                            forces[sample, k] += normal * shape[k] / steps
                        for c in range(3):
                            forces[sample, SHAPES + c] -= out[c] / steps
                        forces[sample, SHAPES + 3] -= (py * out[2] - pz2 * out[1]) / steps
                        forces[sample, SHAPES + 4] -= (pz2 * out[0] - px * out[2]) / steps
                        forces[sample, SHAPES + 5] -= (px * out[1] - py * out[0]) / steps
                        g = going[i, thing]
                        if g[0] < 0:
                            g[0], g[1] = time, 0.0
                            g[2] = -(rel[0] * n[0] + rel[1] * n[1] + rel[2] * n[2])
                            g[3], g[4], g[5] = n[0], n[1], n[2]
                        g[1] += normal * dt
                    elif going[i, thing, 0] >= 0:
                        count = _close(going[i, thing], float(wall), blows, count)
                        stretch[i, thing, :] = 0.0
                for j in range(i + 1, beads):
                    d0, d1, d2 = x[i, 0] - x[j, 0], x[i, 1] - x[j, 1], x[i, 2] - x[j, 2]
                    square = d0 * d0 + d1 * d1 + d2 * d2
                    reach = sizes[i] + sizes[j]
                    if square < reach * reach:
                        far = np.sqrt(square)
                        n[0], n[1], n[2] = d0 / far, d1 / far, d2 / far
                        for c in range(3):
                            rel[c] = v[i, c] - v[j, c]
                            spin[c] = w[i, c] * sizes[i] + w[j, c] * sizes[j]
                        mass = masses[i] * masses[j] / (masses[i] + masses[j])
                        radius = sizes[i] * sizes[j] / reach
                        normal = touch(
                            reach - far, n, rel, spin, mass, radius, moduli[1], dampers[1], frictions[1],
                            stretch[i, j], dt, out,
                        )  # fmt: skip
                        for c in range(3):
                            f[i, c] += out[c]
                            f[j, c] -= out[c]
                        t0 = -(n[1] * out[2] - n[2] * out[1])
                        t1 = -(n[2] * out[0] - n[0] * out[2])
                        t2 = -(n[0] * out[1] - n[1] * out[0])
                        torque[i, 0] += t0 * sizes[i]
                        torque[i, 1] += t1 * sizes[i]
                        torque[i, 2] += t2 * sizes[i]
                        torque[j, 0] += t0 * sizes[j]
                        torque[j, 1] += t1 * sizes[j]
                        torque[j, 2] += t2 * sizes[j]
                        forces[sample, CLICK] += normal * (0.6 * n[0] + 0.48 * n[1] + 0.64 * n[2]) / steps
                        g = going[i, j]
                        if g[0] < 0:
                            g[0], g[1] = time, 0.0
                            g[2] = -(rel[0] * n[0] + rel[1] * n[1] + rel[2] * n[2])
                            g[3], g[4], g[5] = n[0], n[1], n[2]
                        g[1] += normal * dt
                    elif going[i, j, 0] >= 0:
                        count = _close(going[i, j], -1.0, blows, count)
                        stretch[i, j, :] = 0.0
            o0 = turning[low, 0] * (1 - part) + turning[low + 1, 0] * part
            o1 = turning[low, 1] * (1 - part) + turning[low + 1, 1] * part
            o2 = turning[low, 2] * (1 - part) + turning[low + 1, 2] * part
            e0 = spun[low, 0] * (1 - part) + spun[low + 1, 0] * part
            e1 = spun[low, 1] * (1 - part) + spun[low + 1, 1] * part
            e2 = spun[low, 2] * (1 - part) + spun[low + 1, 2] * part
            p0 = felt[low, 0] * (1 - part) + felt[low + 1, 0] * part
            p1 = felt[low, 1] * (1 - part) + felt[low + 1, 1] * part
            p2 = felt[low, 2] * (1 - part) + felt[low + 1, 2] * part
            for i in range(beads):
                x0, x1, x2 = x[i, 0], x[i, 1], x[i, 2]
                v0, v1, v2 = v[i, 0], v[i, 1], v[i, 2]
                c0, c1, c2 = o1 * x2 - o2 * x1, o2 * x0 - o0 * x2, o0 * x1 - o1 * x0
                v[i, 0] += dt * (
                    f[i, 0] / masses[i]
                    - p0
                    - (e1 * x2 - e2 * x1)
                    - (o1 * c2 - o2 * c1)
                    - 2 * (o1 * v2 - o2 * v1)
                )
                v[i, 1] += dt * (
                    f[i, 1] / masses[i]
                    - p1
                    - (e2 * x0 - e0 * x2)
                    - (o2 * c0 - o0 * c2)
                    - 2 * (o2 * v0 - o0 * v2)
                )
                v[i, 2] += dt * (
                    f[i, 2] / masses[i]
                    - p2
                    - (e0 * x1 - e1 * x0)
                    - (o0 * c1 - o1 * c0)
                    - 2 * (o0 * v1 - o1 * v0)
                )
                inertia = 0.4 * masses[i] * sizes[i] ** 2
                for c in range(3):
                    x[i, c] += dt * v[i, c]
                    w[i, c] += dt * torque[i, c] / inertia
    return count


@njit(cache=True)
def _close(g: Array, wall: float, blows: Array, count: int) -> int:
    if g[1] > LEAST_NS and count < len(blows):
        blows[count, 0], blows[count, 1], blows[count, 2], blows[count, 3] = g[0], g[1], wall, g[2]
        blows[count, 4], blows[count, 5], blows[count, 6] = g[3], g[4], g[5]
        count += 1
    g[0] = -1.0
    return count
