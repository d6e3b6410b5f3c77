"""Bead dynamics: a soft-sphere discrete element method (Cundall and Strack, 1979) in the moving igloo, in numba.

Why no existing engine: we need the contact force at audio rate. A general rigid-body engine resolves contacts as soft
constraints over two or more of its own steps, and none of its shapes is a concave dome. At a step of 20 µs, still too
long for a contact of 50 µs, MuJoCo took 2.8 s of CPU for a shake of 3 s with seven beads in forty planes; this module
takes 0.1–0.2 s at 2 µs. Discrete element packages are command-line programs for millions of grains. Sixteen spheres
and two walls with exact distances need only a short law: Hertz contacts, friction and spin, resolved at about 2 µs
while something touches, and ballistic flight at 48 kHz otherwise.

It is one long loop on purpose. Split into functions that are called at every step, it took two and a half times as
long; with the contacts of `seat_contacts` inlined (`inline="always"`) it gave the same bits and took even longer. So
the contact law exists twice, here and there, and a test checks that both agree.

The frame of reference is the hand's: its accelerations act as inertial forces. The shell is a rigid body on the
springs of the fingers, so it recoils from each hit, and the beads feel that too.
"""

from __future__ import annotations

import math

import numpy as np

from hw_mock.igloo.compiled import compiled
from hw_mock.igloo.contacts import PAIR_BRAKING, WALL_BRAKING
from hw_mock.igloo.frame import FAST, inertia, near_pairs
from hw_mock.igloo.traces import PAIR, Array, Traces, cell_at, longer, note_impact


@compiled(fastmath=FAST)
def run(
    position: Array,
    velocity: Array,
    spin: Array,
    radius: Array,
    mass: Array,
    dome: tuple[float, float],
    laws: Array,
    shell: Array,
    motion: tuple[Array, Array, Array, Array],
    stop: Array,
    rates: tuple[float, float],
    substeps: int,
    samples: int,
    cells: int,
    out: Traces,
) -> Traces:
    """Move the beads for `samples`; position, velocity, spin [N, 3] and shell are changed in place. It is a single
    function so that numba compiles one loop.

    Returns `out` filled; its arrays of entries and impacts are replaced by longer ones if needed, and those of the
    `out` passed in are then incomplete. `out` may be shorter than `samples`: the rest is simulated but not recorded.

    Frame of the hand: z up from the floor's inside, origin in its centre. dome: radius and height of its centre, m.
    laws [3, 5] of dome, floor and pair: stiffness, damping, compliance 1/Z, rate of dent recovery 1/s, friction.
    shell: mass, grip stiffness, grip damping, then x[3], v[3] relative to the hand. motion: force [M, 3] (gravity
    minus the hand's acceleration, m/s²), angular velocity [M, 3] rad/s, its derivative [M, 3] rad/s², and how far the
    hand has gone into a stop [M] m (empty: no stop). stop: stiffness, damping, axis[3]. rates: of samples and of
    motion, Hz. `substeps` per sample suffice at 2 m/s.
    """
    n = position.shape[0]
    rate, motion_rate = rates
    dt = 1.0 / rate
    felt, turn, turn_rate, stop_path = motion
    dome_radius, dome_centre = dome
    dent = np.zeros((n, 2))
    impulse = np.zeros((n, 2))
    cell_now = np.full((n, 2), -1, np.int64)
    # for each current contact: start, impulse and initial speed; a start below zero: no contact
    wall_since = np.zeros((n, 2, 3))
    wall_since[:, :, 0] = -1.0
    pair_since = np.zeros((n, n, 3))
    pair_since[:, :, 0] = -1.0
    wall_bead = np.zeros(2 * n, np.int64)
    wall_side = np.zeros(2 * n, np.int64)
    movers = np.zeros(n, np.int64)
    active = np.zeros(n, np.bool_)
    known = np.zeros((n * (n - 1) // 2 + 1, 2), np.int64)
    close = np.zeros((n * (n - 1) // 2 + 1, 2), np.int64)
    known_count = 0
    acceleration = np.zeros((n, 3))
    push = np.zeros((n, 3))
    twist = np.zeros((n, 3))
    here = np.zeros((3, 3))
    middle = 0.45 * (dome_radius + dome_centre)
    have_stop = stop_path.shape[0] > 0
    entry_sample, entry_cell, entry_impulse = out.entry_sample, out.entry_cell, out.entry_impulse
    impacts, counts = out.impacts, out.counts
    hardest = 0.0
    for s in range(samples):
        t = s * dt
        at = t * motion_rate
        m = min(int(at), felt.shape[0] - 2)
        share = min(at - m, 1.0)
        for k in range(3):
            here[0, k] = felt[m, k] + share * (felt[m + 1, k] - felt[m, k])
            here[1, k] = turn[m, k] + share * (turn[m + 1, k] - turn[m, k])
            here[2, k] = turn_rate[m, k] + share * (turn_rate[m + 1, k] - turn_rate[m, k])
        fastest = inertia(position, velocity, here, acceleration)
        if s % 4 == 0:  # neighbour list, valid for four samples
            known_count = near_pairs(position, radius, 8 * fastest * dt + 2e-5, known)
        margin = 2 * fastest * dt + 1e-5
        hardest *= 0.9  # a contact lasts some samples: a fast bead is still being decelerated
        walls = 0
        for i in range(n):
            x, y, z = position[i, 0] - shell[3], position[i, 1] - shell[4], position[i, 2] - shell[5]
            zc = z - dome_centre
            reach = dome_radius - radius[i] - margin
            far = x * x + y * y + zc * zc
            active[i] = False
            impulse[i, 0] = 0.0
            impulse[i, 1] = 0.0
            if reach < 0.0 or far > reach * reach:
                active[i] = True
                wall_bead[walls], wall_side[walls] = i, 0
                walls += 1
                inward = (velocity[i, 0] - shell[6]) * x + (velocity[i, 1] - shell[7]) * y
                inward += (velocity[i, 2] - shell[8]) * zc
                hardest = max(hardest, inward / math.sqrt(far))
            else:
                dent[i, 0] = 0.0
            if z < radius[i] + margin:
                active[i] = True
                wall_bead[walls], wall_side[walls] = i, 1
                walls += 1
                hardest = max(hardest, shell[8] - velocity[i, 2])
            else:
                dent[i, 1] = 0.0
        pairs = 0
        for p in range(known_count):
            i, j = known[p, 0], known[p, 1]
            x, y, z = (
                position[i, 0] - position[j, 0],
                position[i, 1] - position[j, 1],
                position[i, 2] - position[j, 2],
            )
            reach = radius[i] + radius[j] + margin
            far = x * x + y * y + z * z
            if far < reach * reach:
                active[i] = True
                active[j] = True
                close[pairs, 0], close[pairs, 1] = i, j
                pairs += 1
                inward = (velocity[j, 0] - velocity[i, 0]) * x + (velocity[j, 1] - velocity[i, 1]) * y
                inward += (velocity[j, 2] - velocity[i, 2]) * z
                hardest = max(hardest, inward / math.sqrt(far))
        moving = 0
        for i in range(n):
            if active[i]:
                movers[moving] = i
                moving += 1
            else:
                for k in range(3):
                    velocity[i, k] += acceleration[i, k] * dt
                    position[i, k] += velocity[i, k] * dt - 0.5 * acceleration[i, k] * dt * dt
        rounds = 4 if have_stop else 1
        if walls + pairs > 0:  # Hertz: contact time ∝ speed^-1/5
            rounds = max(4, math.ceil(substeps * (max(hardest, 1e-3) / 2.0) ** 0.2))
        if counts[0] + walls > entry_sample.shape[0]:
            entry_sample = longer(entry_sample, counts[0] + walls)
            entry_cell = longer(entry_cell, counts[0] + walls)
            entry_impulse = longer(entry_impulse, counts[0] + walls)
        if counts[1] + rounds * (walls + pairs) > impacts.shape[0]:  # no contact ends twice in one step
            impacts = longer(impacts, counts[1] + rounds * (walls + pairs))
        step = dt / rounds
        sum_x = sum_y = sum_z = torque_x = torque_y = torque_z = 0.0
        recoil_x = recoil_y = recoil_z = blows = click = 0.0
        for sub in range(rounds):
            now = t + sub * step
            wall_x = wall_y = wall_z = 0.0
            for q in range(moving):
                i = movers[q]
                for k in range(3):
                    push[i, k] = mass[i] * acceleration[i, k]
                    twist[i, k] = 0.0
            for q in range(walls):
                i, side = wall_bead[q], wall_side[q]
                x, y, z = position[i, 0] - shell[3], position[i, 1] - shell[4], position[i, 2] - shell[5]
                if side == 0:
                    zc = z - dome_centre
                    far = math.sqrt(x * x + y * y + zc * zc) + 1e-15
                    depth = far - dome_radius + radius[i]
                    inverse = -1.0 / far
                    nx, ny, nz = x * inverse, y * inverse, zc * inverse
                else:
                    depth = radius[i] - z
                    nx, ny, nz = 0.0, 0.0, 1.0
                squeeze = depth - dent[i, side]
                f = 0.0
                if squeeze > 0.0:
                    vx, vy, vz = (
                        velocity[i, 0] - shell[6],
                        velocity[i, 1] - shell[7],
                        velocity[i, 2] - shell[8],
                    )
                    closing = -(vx * nx + vy * ny + vz * nz)
                    root = math.sqrt(squeeze)
                    elastic = laws[side, 0] * squeeze * root
                    spring_speed = closing - elastic * laws[side, 2] + dent[i, side] * laws[side, 3]
                    f = max(0.0, elastic + laws[side, 1] * math.sqrt(root) * spring_speed)
                    r = radius[i]
                    # slip of the bead's surface along the wall, and the friction against it
                    tx = vx + closing * nx - r * (spin[i, 1] * nz - spin[i, 2] * ny)
                    ty = vy + closing * ny - r * (spin[i, 2] * nx - spin[i, 0] * nz)
                    tz = vz + closing * nz - r * (spin[i, 0] * ny - spin[i, 1] * nx)
                    # friction that would stop the slip within some steps, limited by Coulomb's law
                    g, limit = WALL_BRAKING * mass[i] / step, laws[side, 4] * f
                    slip = tx * tx + ty * ty + tz * tz
                    if g * g * slip > limit * limit:
                        g = limit / math.sqrt(slip)
                    px, py, pz = f * nx - g * tx, f * ny - g * ty, f * nz - g * tz
                    push[i, 0] += px
                    push[i, 1] += py
                    push[i, 2] += pz
                    g *= r
                    twist[i, 0] += g * (ny * tz - nz * ty)
                    twist[i, 1] += g * (nz * tx - nx * tz)
                    twist[i, 2] += g * (nx * ty - ny * tx)
                    wall_x -= px
                    wall_y -= py
                    wall_z -= pz
                    ax, ay, az = x - r * nx, y - r * ny, z - r * nz - middle
                    torque_x -= (ay * pz - az * py) * step
                    torque_y -= (az * px - ax * pz) * step
                    torque_z -= (ax * py - ay * px) * step
                    impulse[i, side] += f * step
                    if wall_since[i, side, 0] < 0.0:
                        wall_since[i, side, 0] = now
                        wall_since[i, side, 1] = 0.0
                        wall_since[i, side, 2] = closing
                        cell_now[i, side] = -1
                    wall_since[i, side, 1] += f * step
                elif wall_since[i, side, 0] >= 0.0:
                    note_impact(impacts, counts, wall_since[i, side], now, side, i, -1)
                dent[i, side] = (dent[i, side] + step * f * laws[side, 2]) * (1.0 - step * laws[side, 3])
            for q in range(pairs):
                i, j = close[q, 0], close[q, 1]
                x, y, z = (
                    position[i, 0] - position[j, 0],
                    position[i, 1] - position[j, 1],
                    position[i, 2] - position[j, 2],
                )
                both = radius[i] + radius[j]
                far = x * x + y * y + z * z
                if far < both * both:
                    far = math.sqrt(far) + 1e-15
                    nx, ny, nz = x / far, y / far, z / far
                    squeeze = both - far
                    vx, vy, vz = (
                        velocity[i, 0] - velocity[j, 0],
                        velocity[i, 1] - velocity[j, 1],
                        velocity[i, 2] - velocity[j, 2],
                    )
                    closing = -(vx * nx + vy * ny + vz * nz)
                    root = math.sqrt(squeeze)
                    f = max(0.0, laws[2, 0] * squeeze * root + laws[2, 1] * math.sqrt(root) * closing)
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
                    push[i, 0] += px
                    push[i, 1] += py
                    push[i, 2] += pz
                    push[j, 0] -= px
                    push[j, 1] -= py
                    push[j, 2] -= pz
                    kx, ky, kz = g * (ny * tz - nz * ty), g * (nz * tx - nx * tz), g * (nx * ty - ny * tx)
                    twist[i, 0] += radius[i] * kx
                    twist[i, 1] += radius[i] * ky
                    twist[i, 2] += radius[i] * kz
                    twist[j, 0] += radius[j] * kx
                    twist[j, 1] += radius[j] * ky
                    twist[j, 2] += radius[j] * kz
                    click += f * step
                    if pair_since[i, j, 0] < 0.0:
                        pair_since[i, j, 0] = now
                        pair_since[i, j, 1] = 0.0
                        pair_since[i, j, 2] = closing
                    pair_since[i, j, 1] += f * step
                elif pair_since[i, j, 0] >= 0.0:
                    note_impact(impacts, counts, pair_since[i, j], now, PAIR, i, j)
            for q in range(moving):
                i = movers[q]
                inverse = step / mass[i]
                rolling = inverse / (0.4 * radius[i] * radius[i])
                for k in range(3):
                    velocity[i, k] += push[i, k] * inverse
                    position[i, k] += velocity[i, k] * step
                    spin[i, k] += twist[i, k] * rolling
            blow = 0.0
            if have_stop:
                way = stop_path[m] + share * (stop_path[m + 1] - stop_path[m])
                way += shell[3] * stop[2] + shell[4] * stop[3] + shell[5] * stop[4]
                if way > 0.0:
                    speed = (stop_path[m + 1] - stop_path[m]) * motion_rate
                    speed += shell[6] * stop[2] + shell[7] * stop[3] + shell[8] * stop[4]
                    blow = max(0.0, stop[0] * way + stop[1] * speed)
                    blows += blow * step
            # recoil of the shell on the fingers
            ex = (wall_x - blow * stop[2] - shell[1] * shell[3] - shell[2] * shell[6]) / shell[0]
            ey = (wall_y - blow * stop[3] - shell[1] * shell[4] - shell[2] * shell[7]) / shell[0]
            ez = (wall_z - blow * stop[4] - shell[1] * shell[5] - shell[2] * shell[8]) / shell[0]
            shell[6] += ex * step
            shell[7] += ey * step
            shell[8] += ez * step
            shell[3] += shell[6] * step
            shell[4] += shell[7] * step
            shell[5] += shell[8] * step
            recoil_x += ex * step
            recoil_y += ey * step
            recoil_z += ez * step
            sum_x += wall_x * step
            sum_y += wall_y * step
            sum_z += wall_z * step
        if s >= out.click.shape[0]:
            continue
        out.force[s, 0], out.force[s, 1], out.force[s, 2] = sum_x * rate, sum_y * rate, sum_z * rate
        out.torque[s, 0], out.torque[s, 1], out.torque[s, 2] = (
            torque_x * rate,
            torque_y * rate,
            torque_z * rate,
        )
        out.recoil[s, 0], out.recoil[s, 1], out.recoil[s, 2] = (
            recoil_x * rate,
            recoil_y * rate,
            recoil_z * rate,
        )
        out.stop[s] = blows * rate
        out.click[s] = click
        for q in range(walls):
            i, side = wall_bead[q], wall_side[q]
            if impulse[i, side] > 0.0:
                if cell_now[i, side] < 0 or s % 32 == 0:
                    x, y = position[i, 0] - shell[3], position[i, 1] - shell[4]
                    z = position[i, 2] - shell[5] - dome_centre
                    cell_now[i, side] = cell_at(x, y, z, side, dome_radius, cells)
                e = counts[0]
                entry_sample[e], entry_cell[e], entry_impulse[e] = s, cell_now[i, side], impulse[i, side]
                counts[0] = e + 1
    return Traces(
        entry_sample,
        entry_cell,
        entry_impulse,
        out.force,
        out.torque,
        out.recoil,
        out.stop,
        out.click,
        impacts,
        counts,
    )
