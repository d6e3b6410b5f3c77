"""The dynamics: soft-sphere discrete elements (Cundall and Strack, 1979) in the moving igloo, in numba.

Why no existing engine: what is wanted is the contact force at audio rate. A general rigid-body engine with
constraint-based contacts smears an impulse over its own time constant and has no concave dome among its shapes;
`benchmarks/physics.py --mujoco` prints what such an engine costs for the same shake (two orders more). Discrete-element packages
for granular matter are command-line programs for millions of grains. A shake has at most sixteen spheres and two
walls with exact distances, so the law is short: Hertz contacts, friction, spin, resolved at about 2 µs while
something touches, and ballistic flight at 48 kHz while nothing does.

The frame is the hand's: accelerations of the hand come in as inertial forces. The shell is a rigid body on the
springs of the fingers, so it recoils from each hit; beads feel that too.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

DOME, FLOOR, PAIR = 0, 1, 2
Array = NDArray[np.float64]


@njit(cache=True, fastmath={"contract", "arcp", "nsz"})  # type: ignore[untyped-decorator]
def run(  # noqa: C901 – one loop, in the order of the physics
    position: Array,
    velocity: Array,
    spin: Array,
    radius: Array,
    mass: Array,
    dome_radius: float,
    dome_centre: float,
    dome_law: Array,
    floor_law: Array,
    pair_law: Array,
    shell: Array,
    force: Array,
    turn: Array,
    turn_rate: Array,
    stop_path: Array,
    stop: Array,
    motion_rate: float,
    rate: float,
    substeps: int,
    steps: int,
    cells: int,
    record: bool,
    entry_sample: NDArray[np.int32],
    entry_cell: NDArray[np.int32],
    entry_impulse: NDArray[np.float32],
    wall_force: NDArray[np.float32],
    wall_torque: NDArray[np.float32],
    shell_acceleration: NDArray[np.float32],
    stop_force: NDArray[np.float32],
    click: NDArray[np.float32],
    impacts: Array,
) -> tuple[int, int]:
    """Move the beads for `steps` samples of `rate`; fills the outputs; returns how many entries and impacts there are.

    position, velocity, spin [N, 3] are changed in place: frame of the hand, z up from the floor's inside, origin at its
    centre. Laws: [stiffness, damping, impedance, relaxation, friction]; shell: [mass, grip stiffness, grip damping] and
    state x[3], v[3], in place. force [M, 3]: gravity minus the hand's acceleration, m/s²; turn, turn_rate [M, 3]: rad/s
    and rad/s², all at motion_rate. stop_path [M]: the hand's way towards a stop in m (empty: no stop); stop: [stiffness,
    damping, axis x, y, z]. Entries: sample, cell (surface·cells² + ring·cells + sector) and impulse N·s of each sample in
    which a bead pressed on the wall. wall_force N and wall_torque N·m [steps, 3] about the shell's middle, on the shell.
    click [steps]: bead-bead impulse in N·s. impacts [K, 6]: start s, impulse N·s, kind, bead, other, duration s.
    """
    n = position.shape[0]
    dt = 1.0 / rate
    h = dt / substeps
    dent = np.zeros((n, 2))
    accumulated = np.zeros((n, 2))
    began = np.zeros((n, 2))
    touching = np.zeros((n, 2), np.bool_)
    pair_accumulated = np.zeros((n, n))
    pair_began = np.zeros((n, n))
    pair_touching = np.zeros((n, n), np.bool_)
    cell_now = np.full((n, 2), -1, np.int64)
    impulse = np.zeros((n, 2))
    active = np.zeros(n, np.bool_)
    near_wall = np.zeros((n, 2), np.bool_)
    pairs = np.zeros((n * (n - 1) // 2 + 1, 2), np.int64)
    pair_count = 0
    acceleration = np.zeros((n, 3))
    push = np.zeros((n, 3))
    twist = np.zeros((n, 3))
    shell_mass, grip, grip_damping = shell[0], shell[1], shell[2]
    entries, hits = 0, 0
    have_stop = stop_path.shape[0] > 0
    middle = 0.45 * (dome_radius + dome_centre)
    torque_arm = np.zeros(3)
    for s in range(steps):
        t = s * dt
        u = t * motion_rate
        m0 = min(int(u), force.shape[0] - 2)
        w1 = min(u - m0, 1.0)
        w0 = 1.0 - w1
        fx = w0 * force[m0, 0] + w1 * force[m0 + 1, 0]
        fy = w0 * force[m0, 1] + w1 * force[m0 + 1, 1]
        fz = w0 * force[m0, 2] + w1 * force[m0 + 1, 2]
        ox = w0 * turn[m0, 0] + w1 * turn[m0 + 1, 0]
        oy = w0 * turn[m0, 1] + w1 * turn[m0 + 1, 1]
        oz = w0 * turn[m0, 2] + w1 * turn[m0 + 1, 2]
        ax = w0 * turn_rate[m0, 0] + w1 * turn_rate[m0 + 1, 0]
        ay = w0 * turn_rate[m0, 1] + w1 * turn_rate[m0 + 1, 1]
        az = w0 * turn_rate[m0, 2] + w1 * turn_rate[m0 + 1, 2]
        # inertial forces of the turning frame, once a sample: they change little in 21 µs
        fastest = 0.0
        for i in range(n):
            x, y, z = position[i, 0], position[i, 1], position[i, 2]
            vx, vy, vz = velocity[i, 0], velocity[i, 1], velocity[i, 2]
            cx, cy, cz = oy * z - oz * y, oz * x - ox * z, ox * y - oy * x
            acceleration[i, 0] = fx - (ay * z - az * y) - (oy * cz - oz * cy) - 2 * (oy * vz - oz * vy)
            acceleration[i, 1] = fy - (az * x - ax * z) - (oz * cx - ox * cz) - 2 * (oz * vx - ox * vz)
            acceleration[i, 2] = fz - (ax * y - ay * x) - (ox * cy - oy * cx) - 2 * (ox * vy - oy * vx)
            fastest = max(fastest, vx * vx + vy * vy + vz * vz)
        fastest = math.sqrt(fastest)
        # who may touch somebody within the next samples; the list lives four samples
        if s % 4 == 0:
            margin = 8 * fastest * dt + 2e-5
            pair_count = 0
            for i in range(n):
                for j in range(i + 1, n):
                    dx = position[i, 0] - position[j, 0]
                    dy = position[i, 1] - position[j, 1]
                    dz = position[i, 2] - position[j, 2]
                    reach = radius[i] + radius[j] + margin
                    if dx * dx + dy * dy + dz * dz < reach * reach:
                        pairs[pair_count, 0] = i
                        pairs[pair_count, 1] = j
                        pair_count += 1
        margin = 2 * fastest * dt + 1e-5
        any_active = False
        for i in range(n):
            x, y, z = position[i, 0] - shell[3], position[i, 1] - shell[4], position[i, 2] - shell[5]
            zc = z - dome_centre
            reach = dome_radius - radius[i] - margin
            near_wall[i, 0] = reach < 0.0 or x * x + y * y + zc * zc > reach * reach
            near_wall[i, 1] = z < radius[i] + margin
            active[i] = near_wall[i, 0] or near_wall[i, 1]
            any_active = any_active or active[i]
            for surface in range(2):
                impulse[i, surface] = 0.0
                if not near_wall[i, surface]:
                    dent[i, surface] = 0.0
        for p in range(pair_count):
            i, j = pairs[p, 0], pairs[p, 1]
            dx = position[i, 0] - position[j, 0]
            dy = position[i, 1] - position[j, 1]
            dz = position[i, 2] - position[j, 2]
            reach = radius[i] + radius[j] + margin
            if dx * dx + dy * dy + dz * dz < reach * reach:
                active[i] = True
                active[j] = True
                any_active = True
        for i in range(n):
            if not active[i]:
                for k in range(3):
                    velocity[i, k] += acceleration[i, k] * dt
                    position[i, k] += velocity[i, k] * dt - 0.5 * acceleration[i, k] * dt * dt
        pressing = 0.0
        if have_stop:
            pressing = w0 * stop_path[m0] + w1 * stop_path[m0 + 1]
        rounds = substeps if any_active or have_stop else 1
        step = dt / rounds
        sx = sy = sz = tx_ = ty_ = tz_ = 0.0
        bx = by = bz = 0.0
        stop_sum = 0.0
        click_now = 0.0
        for sub in range(rounds):
            now = t + sub * step
            wx = wy = wz = 0.0
            if any_active:
                for i in range(n):
                    if active[i]:
                        for k in range(3):
                            push[i, k] = mass[i] * acceleration[i, k]
                            twist[i, k] = 0.0
                for i in range(n):
                    for surface in range(2):
                        if not near_wall[i, surface]:
                            continue
                        x, y, z = (
                            position[i, 0] - shell[3],
                            position[i, 1] - shell[4],
                            position[i, 2] - shell[5],
                        )
                        if surface == 0:
                            zc = z - dome_centre
                            far = math.sqrt(x * x + y * y + zc * zc) + 1e-15
                            depth = far - (dome_radius - radius[i])
                            nx, ny, nz = -x / far, -y / far, -zc / far
                            law = dome_law
                        else:
                            depth = radius[i] - z
                            nx, ny, nz = 0.0, 0.0, 1.0
                            law = floor_law
                        dented = dent[i, surface]
                        squeeze = depth - dented
                        f = 0.0
                        if squeeze > 0.0:
                            vx = velocity[i, 0] - shell[6]
                            vy = velocity[i, 1] - shell[7]
                            vz = velocity[i, 2] - shell[8]
                            closing = -(vx * nx + vy * ny + vz * nz)
                            root = math.sqrt(squeeze)
                            elastic = law[0] * squeeze * root
                            closing_spring = closing - elastic / law[2] + dented / law[3]
                            f = max(0.0, elastic + law[1] * math.sqrt(root) * closing_spring)
                            # the surface of the bead against the wall, and friction that ends the slip
                            r = radius[i]
                            rx, ry, rz = -r * nx, -r * ny, -r * nz
                            tx = vx + closing * nx + spin[i, 1] * rz - spin[i, 2] * ry
                            ty = vy + closing * ny + spin[i, 2] * rx - spin[i, 0] * rz
                            tz = vz + closing * nz + spin[i, 0] * ry - spin[i, 1] * rx
                            slip = math.sqrt(tx * tx + ty * ty + tz * tz)
                            g = 0.0
                            if slip > 1e-9:
                                g = min(law[4] * f, 0.07 * mass[i] / step * slip) / slip
                            px, py, pz = f * nx - g * tx, f * ny - g * ty, f * nz - g * tz
                            push[i, 0] += px
                            push[i, 1] += py
                            push[i, 2] += pz
                            qx, qy, qz = -g * tx, -g * ty, -g * tz
                            twist[i, 0] += ry * qz - rz * qy
                            twist[i, 1] += rz * qx - rx * qz
                            twist[i, 2] += rx * qy - ry * qx
                            wx -= px
                            wy -= py
                            wz -= pz
                            torque_arm[0], torque_arm[1], torque_arm[2] = x + rx, y + ry, z + rz - middle
                            tx_ -= (torque_arm[1] * pz - torque_arm[2] * py) * step
                            ty_ -= (torque_arm[2] * px - torque_arm[0] * pz) * step
                            tz_ -= (torque_arm[0] * py - torque_arm[1] * px) * step
                            impulse[i, surface] += f * step
                            if not touching[i, surface]:
                                touching[i, surface] = True
                                began[i, surface] = now
                                accumulated[i, surface] = 0.0
                                cell_now[i, surface] = -1
                            accumulated[i, surface] += f * step
                        elif touching[i, surface]:
                            touching[i, surface] = False
                            if record and hits < impacts.shape[0]:
                                impacts[hits, 0] = began[i, surface]
                                impacts[hits, 1] = accumulated[i, surface]
                                impacts[hits, 2] = surface
                                impacts[hits, 3] = i
                                impacts[hits, 4] = -1
                                impacts[hits, 5] = now - began[i, surface]
                                hits += 1
                        dent[i, surface] = (dented + step * f / law[2]) / (1.0 + step / law[3])
                for p in range(pair_count):
                    i, j = pairs[p, 0], pairs[p, 1]
                    dx = position[i, 0] - position[j, 0]
                    dy = position[i, 1] - position[j, 1]
                    dz = position[i, 2] - position[j, 2]
                    both = radius[i] + radius[j]
                    square = dx * dx + dy * dy + dz * dz
                    if square < both * both:
                        far = math.sqrt(square) + 1e-15
                        nx, ny, nz = dx / far, dy / far, dz / far
                        squeeze = both - far
                        vx = velocity[i, 0] - velocity[j, 0]
                        vy = velocity[i, 1] - velocity[j, 1]
                        vz = velocity[i, 2] - velocity[j, 2]
                        closing = -(vx * nx + vy * ny + vz * nz)
                        root = math.sqrt(squeeze)
                        f = max(0.0, pair_law[0] * squeeze * root + pair_law[1] * math.sqrt(root) * closing)
                        hx = radius[i] * spin[i, 0] + radius[j] * spin[j, 0]
                        hy = radius[i] * spin[i, 1] + radius[j] * spin[j, 1]
                        hz = radius[i] * spin[i, 2] + radius[j] * spin[j, 2]
                        tx = vx + closing * nx - (hy * nz - hz * ny)
                        ty = vy + closing * ny - (hz * nx - hx * nz)
                        tz = vz + closing * nz - (hx * ny - hy * nx)
                        slip = math.sqrt(tx * tx + ty * ty + tz * tz)
                        g = 0.0
                        if slip > 1e-9:
                            light = min(mass[i], mass[j])
                            g = min(pair_law[4] * f, 0.035 * light / step * slip) / slip
                        px, py, pz = f * nx - g * tx, f * ny - g * ty, f * nz - g * tz
                        push[i, 0] += px
                        push[i, 1] += py
                        push[i, 2] += pz
                        push[j, 0] -= px
                        push[j, 1] -= py
                        push[j, 2] -= pz
                        kx = g * (ny * tz - nz * ty)
                        ky = g * (nz * tx - nx * tz)
                        kz = g * (nx * ty - ny * tx)
                        twist[i, 0] += radius[i] * kx
                        twist[i, 1] += radius[i] * ky
                        twist[i, 2] += radius[i] * kz
                        twist[j, 0] += radius[j] * kx
                        twist[j, 1] += radius[j] * ky
                        twist[j, 2] += radius[j] * kz
                        click_now += f * step
                        if not pair_touching[i, j]:
                            pair_touching[i, j] = True
                            pair_began[i, j] = now
                            pair_accumulated[i, j] = 0.0
                        pair_accumulated[i, j] += f * step
                    elif pair_touching[i, j]:
                        pair_touching[i, j] = False
                        if record and hits < impacts.shape[0]:
                            impacts[hits, 0] = pair_began[i, j]
                            impacts[hits, 1] = pair_accumulated[i, j]
                            impacts[hits, 2] = 2
                            impacts[hits, 3] = i
                            impacts[hits, 4] = j
                            impacts[hits, 5] = now - pair_began[i, j]
                            hits += 1
                for i in range(n):
                    if active[i]:
                        inverse = step / mass[i]
                        inertia = 0.4 * mass[i] * radius[i] * radius[i]
                        for k in range(3):
                            velocity[i, k] += push[i, k] * inverse
                            position[i, k] += velocity[i, k] * step
                            spin[i, k] += twist[i, k] * step / inertia
            blow = 0.0
            if have_stop:
                along = pressing + shell[3] * stop[2] + shell[4] * stop[3] + shell[5] * stop[4]
                if along > 0.0:
                    speed = shell[6] * stop[2] + shell[7] * stop[3] + shell[8] * stop[4]
                    speed += (stop_path[m0 + 1] - stop_path[m0]) * motion_rate
                    blow = max(0.0, stop[0] * along + stop[1] * speed)
                    stop_sum += blow * step
            # the shell on the fingers, recoiling
            ex = (
                wx - blow * (stop[2] if have_stop else 0.0) - grip * shell[3] - grip_damping * shell[6]
            ) / shell_mass
            ey = (
                wy - blow * (stop[3] if have_stop else 0.0) - grip * shell[4] - grip_damping * shell[7]
            ) / shell_mass
            ez = (
                wz - blow * (stop[4] if have_stop else 0.0) - grip * shell[5] - grip_damping * shell[8]
            ) / shell_mass
            shell[6] += ex * step
            shell[7] += ey * step
            shell[8] += ez * step
            shell[3] += shell[6] * step
            shell[4] += shell[7] * step
            shell[5] += shell[8] * step
            bx += ex * step
            by += ey * step
            bz += ez * step
            sx += wx * step
            sy += wy * step
            sz += wz * step
        if not record:
            continue
        wall_force[s, 0], wall_force[s, 1], wall_force[s, 2] = sx * rate, sy * rate, sz * rate
        wall_torque[s, 0], wall_torque[s, 1], wall_torque[s, 2] = tx_ * rate, ty_ * rate, tz_ * rate
        shell_acceleration[s, 0], shell_acceleration[s, 1], shell_acceleration[s, 2] = (
            bx * rate,
            by * rate,
            bz * rate,
        )
        stop_force[s] = stop_sum * rate
        click[s] = click_now
        for i in range(n):
            for surface in range(2):
                if impulse[i, surface] > 0.0 and entries < entry_sample.shape[0]:
                    if cell_now[i, surface] < 0 or s % 32 == 0:
                        x, y = position[i, 0] - shell[3], position[i, 1] - shell[4]
                        flat = math.sqrt(x * x + y * y)
                        if surface == 0:
                            z = position[i, 2] - shell[5] - dome_centre
                            ring = math.atan2(flat, z) / math.pi * 2.0 * 0.8
                        else:
                            ring = flat / dome_radius
                        sector = (math.atan2(y, x) + math.pi) / (2 * math.pi)
                        a = min(max(int(ring * cells), 0), cells - 1)
                        b = min(int(sector * cells), cells - 1)
                        cell_now[i, surface] = (surface * cells + a) * cells + b
                    entry_sample[entries] = s
                    entry_cell[entries] = cell_now[i, surface]
                    entry_impulse[entries] = impulse[i, surface]
                    entries += 1
    return entries, hits


def buffers(steps: int, beads: int) -> dict[str, Any]:
    """Outputs of `run` for so many samples."""
    room = steps * max(2, min(beads, 8))
    return {
        "entry_sample": np.empty(room, np.int32),
        "entry_cell": np.empty(room, np.int32),
        "entry_impulse": np.empty(room, np.float32),
        "wall_force": np.zeros((steps, 3), np.float32),
        "wall_torque": np.zeros((steps, 3), np.float32),
        "shell_acceleration": np.zeros((steps, 3), np.float32),
        "stop_force": np.zeros(steps, np.float32),
        "click": np.zeros(steps, np.float32),
        "impacts": np.zeros((steps, 6), np.float64),
    }
