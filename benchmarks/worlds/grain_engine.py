"""Time stepping of the fourth world: contact forces, and the motion of the beads. Compiled."""

from __future__ import annotations

import numpy as np

from benchmarks.worlds.grain_contacts import SHAPES, Array, dome, floor, resist, shapes, touch, turn
from hw_mock.igloo.compiled import compiled

RATE = 96000  # Hz, sample rate of the forces
STEPS = 5  # engine steps per sample: of 2 µs, ten of them in the shortest contact
# columns of the forces on the shell
PUSH = slice(0, SHAPES)  # normal force times each shape, N
FORCE = slice(SHAPES, SHAPES + 3)  # with friction, N
TORQUE = slice(SHAPES + 3, SHAPES + 6)  # about the centre of the floor, N·m
CLICK = SHAPES + 6  # bead on bead, with a sign, N
COLUMNS = SHAPES + 7
LEAST_NS = 1e-9  # least impulse of a contact that counts


@compiled()
def run(
    x: Array,
    sizes: Array,
    masses: Array,
    inside: Array,
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
    """Simulate beads that start at `x`, float64[beads, 3], which is changed in place. Writes `forces` and `blows`, and
    returns the number of blows.

    `inside`: half width and height of the dome, m; `moduli`, `dampers` and `frictions` of a bead on the shell and on a
    bead; the frame's motion as in benchmarks.worlds.grain_igloo.shaken.
    """
    beads = len(sizes)
    dt = 1.0 / (RATE * steps)
    v = np.zeros((beads, 3))
    w = np.zeros((beads, 3))
    f = np.zeros((beads, 3))
    torque = np.zeros((beads, 3))
    things = beads + 2  # what bead i may touch: another bead, the floor, the dome
    stretch = np.zeros((beads, things, 3))
    going = np.zeros((beads, things, 6))  # start, impulse, speed, direction; start < 0: none
    going[:, :, 0] = -1.0
    n, rel, spin, out = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3)
    pull, rate, spinning = np.zeros(3), np.zeros(3), np.zeros(3)
    shape = np.zeros(SHAPES)
    share = 1.0 / steps
    count = 0
    for sample in range(len(forces)):
        for step in range(steps):
            time = (sample * steps + step) * dt
            f[:] = 0.0
            torque[:] = 0.0
            for i in range(beads):
                for wall in range(2):
                    g, spring = going[i, beads + wall], stretch[i, beads + wall]
                    if wall == 0:
                        depth = floor(x[i], sizes[i], n)
                    else:
                        depth = dome(x[i], sizes[i], inside[0], inside[1], n)
                    if depth > 0:
                        rel[:] = v[i]
                        spin[:] = w[i] * sizes[i]
                        normal = touch(
                            depth, n, rel, spin, masses[i], sizes[i], moduli[0], dampers[0], frictions[0],
                            spring, dt, out,
                        )  # fmt: skip
                        f[i] += out
                        turn(n, out, sizes[i], torque[i])
                        resist(w[i], sizes[i], rolling * normal * sizes[i], torque[i])
                        _onto_shell(
                            x[i] - n * sizes[i], 0.4 * inside[1], normal, out, share, shape, forces[sample]
                        )
                        _go_on(g, time, rel, n, normal * dt)
                    elif g[0] >= 0:
                        count = _close(g, float(wall), blows, count)
                        spring[:] = 0.0
                for j in range(i + 1, beads):
                    reach = sizes[i] + sizes[j]
                    d0, d1, d2 = x[i, 0] - x[j, 0], x[i, 1] - x[j, 1], x[i, 2] - x[j, 2]
                    square = d0 * d0 + d1 * d1 + d2 * d2
                    if square < reach * reach:
                        far = np.sqrt(square)
                        n[0], n[1], n[2] = d0 / far, d1 / far, d2 / far
                        rel[:] = v[i] - v[j]
                        spin[:] = w[i] * sizes[i] + w[j] * sizes[j]
                        mass = masses[i] * masses[j] / (masses[i] + masses[j])
                        normal = touch(
                            reach - far, n, rel, spin, mass, sizes[i] * sizes[j] / reach, moduli[1], dampers[1],
                            frictions[1], stretch[i, j], dt, out,
                        )  # fmt: skip
                        f[i] += out
                        f[j] -= out
                        turn(n, out, sizes[i], torque[i])
                        turn(n, out, sizes[j], torque[j])
                        forces[sample, CLICK] += share * normal * (0.6 * n[0] + 0.48 * n[1] + 0.64 * n[2])
                        _go_on(going[i, j], time, rel, n, normal * dt)
                    elif going[i, j, 0] >= 0:
                        count = _close(going[i, j], -1.0, blows, count)
                        stretch[i, j, :] = 0.0
            at = min(time * motion_rate, len(felt) - 1.001)
            low = int(at)
            part = at - low
            pull[:] = felt[low] * (1 - part) + felt[low + 1] * part
            rate[:] = turning[low] * (1 - part) + turning[low + 1] * part
            spinning[:] = spun[low] * (1 - part) + spun[low + 1] * part
            for i in range(beads):
                _in_turning_frame(x[i], v[i], pull, rate, spinning, out)
                inertia = 0.4 * masses[i] * sizes[i] ** 2
                for c in range(3):
                    v[i, c] += dt * (f[i, c] / masses[i] - out[c])
                    x[i, c] += dt * v[i, c]
                    w[i, c] += dt * torque[i, c] / inertia
    return count


@compiled()
def _onto_shell(
    at: Array, middle: float, normal: float, on_bead: Array, share: float, shape: Array, row: Array
) -> None:
    """Add a force on the shell at a point, lasting `share` of the sample, to a sample of the shell's forces."""
    away = np.sqrt(at[0] ** 2 + at[1] ** 2 + (at[2] - middle) ** 2) + 1e-12
    shapes(at[0] / away, at[1] / away, (at[2] - middle) / away, shape)
    for k in range(SHAPES):
        row[k] += share * normal * shape[k]
    for c in range(3):
        row[SHAPES + c] -= share * on_bead[c]
    row[SHAPES + 3] -= share * (at[1] * on_bead[2] - at[2] * on_bead[1])
    row[SHAPES + 4] -= share * (at[2] * on_bead[0] - at[0] * on_bead[2])
    row[SHAPES + 5] -= share * (at[0] * on_bead[1] - at[1] * on_bead[0])


@compiled()
def _in_turning_frame(x: Array, v: Array, pull: Array, o: Array, e: Array, out: Array) -> None:
    """Write into `out` the acceleration that is subtracted from a bead's in the igloo's frame: of the frame, gravity,
    the terms of angular acceleration `e` and angular velocity `o` at x, and the Coriolis term."""
    c0, c1, c2 = o[1] * x[2] - o[2] * x[1], o[2] * x[0] - o[0] * x[2], o[0] * x[1] - o[1] * x[0]
    c0, c1, c2 = c0 + 2 * v[0], c1 + 2 * v[1], c2 + 2 * v[2]
    out[0] = pull[0] + e[1] * x[2] - e[2] * x[1] + o[1] * c2 - o[2] * c1
    out[1] = pull[1] + e[2] * x[0] - e[0] * x[2] + o[2] * c0 - o[0] * c2
    out[2] = pull[2] + e[0] * x[1] - e[1] * x[0] + o[0] * c1 - o[1] * c0


@compiled()
def _go_on(g: Array, time: float, rel: Array, n: Array, impulse: float) -> None:
    """Start a contact, or continue it."""
    if g[0] < 0:
        g[0], g[1] = time, 0.0
        g[2] = -(rel[0] * n[0] + rel[1] * n[1] + rel[2] * n[2])
        g[3], g[4], g[5] = n[0], n[1], n[2]
    g[1] += impulse


@compiled()
def _close(g: Array, wall: float, blows: Array, count: int) -> int:
    """End a contact; it is one more blow if its impulse suffices."""
    if g[1] > LEAST_NS and count < len(blows):
        blows[count, 0], blows[count, 1], blows[count, 2], blows[count, 3] = g[0], g[1], wall, g[2]
        blows[count, 4], blows[count, 5], blows[count, 6] = g[3], g[4], g[5]
        count += 1
    g[0] = -1.0
    return count
