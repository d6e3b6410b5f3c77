"""Dynamics of the seat, the igloo on it and its beads, in numba.

Bodies: base on soft feet, on which it moves and rocks; platform on the leaves (the carriage moves with it up and down
only); shell on three nubs, free to lift off and to slip; beads. Rotation of the platform relative to the base is
neglected: leaves 12 mm wide keep its rocking above four times the seat's natural frequencies, and an igloo 1 mm off
centre then changes the result by 10⁻⁵. So is the component of gravity by which the rocking base tilts: two
ten-thousandths of the force that moves it.

Divisions follow numpy: no divisor is checked for 0, because none can be 0 and the checks took a fifth of the time.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from hw_mock.igloo.compiled import compiled
from hw_mock.igloo.frame import FAST, near_pairs
from hw_mock.igloo.seat_contacts import press_pair, press_wall
from hw_mock.igloo.traces import Array

# Relaxation time of the feet's foam or gel. Its loss factor is about equal from a bob to the seat's tones, unlike that
# of a viscous damper: a standard linear solid with its loss peak at 21 Hz, between them. So feet are stiffer for the
# tones.
CREEPS_S = 1 / (2 * math.pi * 21.0)


class Bodies(NamedTuple):
    """Masses kg, stiffnesses N/m, dampings N·s/m, gravity m/s². Of two values or rows the first is x, the second z."""

    base: float
    # [3, 2] stiffness, and that of a parallel spring that creeps; third row: rocking about the centre, in N·m
    feet: Array
    # inertia kg·m²; heights above the base's centre, m: platform, feet, pencil; where the pencil strikes along x, m
    rock: Array
    moved: Array  # [2] mass on the leaves
    leaves: Array  # [2, 2]
    shell: float
    nubs: Array  # [2, 2] stiffness and damping, sideways and upright
    nub_friction: float
    grip: Array  # stiffness, damping of the fingers
    gravity: Array  # [3], in the axes of the tilted seat
    dome: Array  # radius inside, height of its centre
    laws: Array  # [3, 5] of dome, floor and pair, as `beads.run` takes them
    radius: Array  # [N] of the beads
    mass: Array  # [N]


class State(NamedTuple):
    """State variables, changed in place. platform [4]: x, z and speeds; base [9]: x, z, rad of rocking towards x, their
    speeds, and the feet's creep in each. shell [6]: position and velocity. beads [N, 3]."""

    base: Array
    platform: Array
    shell: Array
    stretch: Array  # [1]: shear displacement of the nubs
    position: Array
    velocity: Array
    spin: Array


@compiled(fastmath=FAST, error_model="numpy", nogil=True)
def ring(
    seat: Bodies, state: State, loaded: bool, drive: Array, hand: Array, rate: float, substeps: int,
    platform: Array, clicks: Array,
) -> None:  # fmt: skip
    """Move all bodies for the samples of `drive` [S, 4], N: x and z of the pencil, and of the table on the feet. The
    igloo is there if `loaded`.

    hand [S, 3]: how firmly the igloo is held (0 let go, 1 held), the hand's x and z, m. Written: platform [S, 2], its
    acceleration in m/s²; clicks [S], the sum of the beads' contact forces, N. `substeps` per sample suffice at 2 m/s.
    """
    n = state.position.shape[0] if loaded else 0
    # unpack the tuples once: numba counts references whenever an array is taken out of one
    at, speed, spin, shell = state.position, state.velocity, state.spin, state.shell
    base, moving, stretch = state.base, state.platform, state.stretch
    radius, mass, laws, gravity = seat.radius, seat.mass, seat.laws, seat.gravity
    leaves, feet, moved, nubs, rock = seat.leaves, seat.feet, seat.moved, seat.nubs, seat.rock
    dome_radius, dome_centre = seat.dome[0], seat.dome[1]
    dt = 1.0 / rate
    dent, push, twist = np.zeros((n + 1, 2)), np.zeros((n + 1, 3)), np.zeros((n + 1, 3))
    pairs = np.zeros((n * (n - 1) // 2 + 1, 2), np.int64)
    felt = np.zeros(3)
    count = 0
    hardest = 0.0
    for s in range(drive.shape[0]):
        hardest *= 0.9
        if s % 4 == 0 and loaded:
            top = 0.0
            for i in range(n):
                top = max(top, speed[i, 0] ** 2 + speed[i, 1] ** 2 + speed[i, 2] ** 2)
            count = near_pairs(at, radius[:n], 10 * math.sqrt(top) * dt + 3e-5, pairs)
        # rolling along the floor presses nothing; half of its speed may meet a wall or a bead
        for i in range(n):
            level = abs(speed[i, 0] - shell[3]) + abs(speed[i, 1] - shell[4])
            hardest = max(hardest, abs(speed[i, 2] - shell[5]), 0.5 * level)
        rounds = max(2, math.ceil(substeps * (max(hardest, 1e-3) / 2.0) ** 0.2))
        step = dt / rounds
        before_x, before_z = moving[2], moving[3]
        sounding = 0.0
        for _ in range(rounds):
            felt[:] = 0.0
            press = side = 0.0
            if loaded:
                for i in range(n):
                    for k in range(3):
                        push[i, k] = mass[i] * gravity[k]
                        twist[i, k] = 0.0
                    sounding += _on_walls(
                        i, at, speed, spin, shell, radius, mass, laws, dome_radius, dome_centre, dent, push, twist,
                        felt, step,
                    )  # fmt: skip
                for p in range(count):
                    i, j = pairs[p, 0], pairs[p, 1]
                    sounding += press_pair(i, j, at, speed, spin, radius, mass, laws, push, twist, step)
                for i in range(n):
                    for k in range(3):
                        speed[i, k] += push[i, k] / mass[i] * step
                        at[i, k] += speed[i, k] * step
                        spin[i, k] += twist[i, k] / (0.4 * mass[i] * radius[i] * radius[i]) * step
                press, side = _on_nubs(moving, shell, stretch, nubs, seat.nub_friction, step)
                firm = hand[s, 0]
                fx = felt[0] + side + seat.shell * gravity[0]
                fz = felt[2] + press + seat.shell * gravity[2]
                fx += firm * (seat.grip[0] * (hand[s, 1] - shell[0]) - seat.grip[1] * shell[3])
                fz += firm * (seat.grip[0] * (hand[s, 2] - shell[2]) - seat.grip[1] * shell[5])
                shell[3] += fx / seat.shell * step
                shell[5] += fz / seat.shell * step
                shell[0] += shell[3] * step
                shell[2] += shell[5] * step
            _on_leaves(base, moving, leaves, feet, rock, moved, seat.base, side, press, drive, s, step)
        platform[s, 0] = (moving[2] - before_x) * rate
        platform[s, 1] = (moving[3] - before_z) * rate
        clicks[s] = sounding / rounds


@compiled(fastmath=FAST, inline="always", error_model="numpy")
def _on_walls(
    i: int, at: Array, speed: Array, spin: Array, shell: Array, radius: Array, mass: Array, laws: Array,
    dome_radius: float, dome_centre: float, dent: Array, push: Array, twist: Array, felt: Array, step: float,
) -> float:  # fmt: skip
    x, y, z = at[i, 0] - shell[0], at[i, 1] - shell[1], at[i, 2] - shell[2]
    f = 0.0
    if z < radius[i] or dent[i, 1] > 1e-12:
        f = press_wall(
            i,
            1,
            radius[i] - z,
            0.0,
            0.0,
            1.0,
            speed,
            spin,
            shell,
            radius,
            mass,
            laws,
            dent,
            push,
            twist,
            felt,
            step,
        )
    zc = z - dome_centre
    far = x * x + y * y + zc * zc
    reach = dome_radius - radius[i]
    if far > reach * reach or dent[i, 0] > 1e-12:
        far = math.sqrt(far)
        f += press_wall(
            i, 0, far - reach, -x / far, -y / far, -zc / far, speed, spin, shell, radius, mass, laws, dent, push,
            twist, felt, step,
        )  # fmt: skip
    return f


@compiled(fastmath=FAST, inline="always", error_model="numpy")
def _on_nubs(
    moving: Array, shell: Array, stretch: Array, nubs: Array, friction: float, step: float
) -> tuple[float, float]:
    """Forces N on the shell, up and sideways: nubs push but never pull, and are sheared as far as friction holds."""
    deep = moving[1] - shell[2]
    if deep <= 0.0:
        stretch[0] = 0.0
        return 0.0, 0.0
    press = max(0.0, nubs[1, 0] * deep + nubs[1, 1] * (moving[3] - shell[5]))
    slip = moving[2] - shell[3]
    stretch[0] += slip * step
    side = nubs[0, 0] * stretch[0] + nubs[0, 1] * slip
    most = friction * press
    if abs(side) > most:
        side = most if side > 0 else -most
        stretch[0] = side / nubs[0, 0]
    return press, side


@compiled(fastmath=FAST, inline="always", error_model="numpy")
def _on_leaves(
    base: Array, moving: Array, leaves: Array, feet: Array, rock: Array, moved: Array, base_mass: float, side: float,
    press: float, drive: Array, s: int, step: float,
) -> None:  # fmt: skip
    high, low, at, beside = rock[1], rock[2], rock[3], rock[4]
    pull_x = -leaves[0, 0] * (moving[0] - base[0] - high * base[2])
    pull_x -= leaves[0, 1] * (moving[2] - base[3] - high * base[5])
    pull_z = -leaves[1, 0] * (moving[1] - base[1]) - leaves[1, 1] * (moving[3] - base[4])
    foot_x = base[0] + low * base[2]
    stand_x = -feet[0, 0] * foot_x - feet[0, 1] * (foot_x - base[6])
    stand_z = -feet[1, 0] * base[1] - feet[1, 1] * (base[1] - base[7])
    turn = -feet[2, 0] * base[2] - feet[2, 1] * (base[2] - base[8])
    stand_x += drive[s, 2]
    turn += low * stand_x - high * pull_x + at * drive[s, 0] - beside * drive[s, 1]
    base[6] += (foot_x - base[6]) / CREEPS_S * step
    base[7] += (base[1] - base[7]) / CREEPS_S * step
    base[8] += (base[2] - base[8]) / CREEPS_S * step
    moving[2] += (pull_x - side) / moved[0] * step
    moving[3] += (pull_z - press) / moved[1] * step
    base[3] += (stand_x - pull_x + drive[s, 0]) / base_mass * step
    base[4] += (stand_z - pull_z + drive[s, 1] + drive[s, 3]) / base_mass * step
    base[5] += turn / rock[0] * step
    for k in range(3):
        base[k] += base[3 + k] * step
    for k in range(2):
        moving[k] += moving[2 + k] * step
