"""Simulates a few beads in an accelerated dome: hard spheres with restitution and friction.

After the discrete element method with hard spheres (Luding, Collisions and contacts between two particles, 1998).
Sizes, restitution and friction are judgements and fit no igloo in particular: calibration learns how a set of igloos
differs from them. The beads of hw_mock are simulated separately, finer and slower, and nothing of them is used here.

`loop` is compiled: `dome_compiler` makes its machine code in its own process, `machine_code` stores and loads it.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from sensors.ear.frames.frontend import FELT_RATE, Floats
from sensors.ear.shakes import machine_code

REACH = 0.0195  # m, from the dome's middle to the centre of a bead that touches the dome
HIGH = 0.002  # m, height of the dome's middle above the centres of beads that lie on the floor
RADIUS = 0.003  # m, of a bead
BOUNCE_WALL, BOUNCE_BEAD, FRICTION = 0.6, 0.7, 0.2
HEARD = 0.03  # m/s: slower hits are not counted, and slower beads stick
STEPS_HZ = 3000.0
SUMS = ("hits", "impulse", "energy", "floor", "pairs", "closing")


def throw(force: Floats, floor: Floats, at: Floats, rate: float) -> tuple[Floats, Floats]:
    """Throw beads of unit mass under `force`, float64[frames at 250 Hz, 3] in m/s² in the sensor's axes.

    floor [3]: the floor's normal into the dome. at [beads, 3]: initial centres, m. rate: steps a second. Returns, for
    each frame and per bead, the size of the impulse along each axis [frames, 3] and `SUMS` [frames, 6]. Raises
    ValueError for arrays of other shapes.
    """
    frames, beads = len(force), len(at)
    pushes, sums = np.zeros((frames, 3)), np.zeros((frames, len(SUMS)))
    given = (
        np.ascontiguousarray(force, dtype=np.float64),
        np.ascontiguousarray(floor, dtype=np.float64),
        np.array(at, dtype=np.float64, order="C"),
        np.zeros((beads, 3)),
        pushes,
        sums,
        np.empty((3, 3)),
    )
    if given[0].shape != (frames, 3) or given[1].shape != (3,) or given[2].shape != (beads, 3):
        raise ValueError(f"no throw: force {force.shape}, floor {floor.shape}, places {at.shape}")
    # machine code sees only addresses, so shapes were checked above
    compiled()(frames, beads, *(array.ctypes.data for array in given), rate, FELT_RATE)
    return np.abs(pushes) / beads, sums / beads


SIGNATURE = ctypes.CFUNCTYPE(
    None, ctypes.c_ssize_t, ctypes.c_ssize_t, *[ctypes.c_void_p] * 7, ctypes.c_double, ctypes.c_double
)


@lru_cache(maxsize=1)
def compiled() -> Callable[..., None]:
    """`loop` as machine code: takes the numbers of frames and beads, then the addresses of the arguments of `loop`. The
    first call on a machine compiles it, which takes some seconds."""
    return SIGNATURE(machine_code.load("sensors.ear.shakes.dome_compiler", made_of=(__file__,)))


def loop(
    force: Floats,
    floor: Floats,
    p: Floats,
    v: Floats,
    pushes: Floats,
    sums: Floats,
    spare: Floats,
    rate: float,
    felt_rate: float,
) -> None:
    """The work of `throw`, in one function for the compiler. It does the same in plain Python, a thousand times slower.

    p, v [beads, 3]: positions in m and velocities in m/s, updated. pushes [frames, 3] and sums [frames, 6]: added to.
    spare [3, 3]: scratch memory. felt_rate: frames a second.
    """
    n, frames = p.shape[0], force.shape[0]
    normal, away, middle = spare[0], spare[1], spare[2]
    for k in range(3):
        middle[k] = floor[k] * HIGH
    step = 1.0 / rate
    for s in range(int((frames - 1) / felt_rate * rate)):
        t = s * step * felt_rate
        frame = int(t)
        share = t - frame
        for k in range(3):
            pull = (force[frame, k] + share * (force[frame + 1, k] - force[frame, k])) * step
            for i in range(n):
                v[i, k] += pull
                p[i, k] += v[i, k] * step
        for i in range(n):
            for j in range(i + 1, n):
                square = 0.0
                for k in range(3):
                    away[k] = p[j, k] - p[i, k]
                    square += away[k] * away[k]
                if square >= 4 * RADIUS * RADIUS or square == 0.0:
                    continue
                far = math.sqrt(square)
                closing = 0.0
                for k in range(3):
                    away[k] /= far
                    closing -= (v[j, k] - v[i, k]) * away[k]
                deep = 0.5 * (2 * RADIUS - far)
                blow = 0.0
                if closing > 0:
                    blow = 0.5 * (1 + (BOUNCE_BEAD if closing > HEARD else 0.0)) * closing
                for k in range(3):
                    p[i, k] -= deep * away[k]
                    p[j, k] += deep * away[k]
                    v[i, k] -= blow * away[k]
                    v[j, k] += blow * away[k]
                if closing > HEARD:
                    sums[frame, 4] += 1
                    sums[frame, 5] += closing
        for i in range(n):
            for side in range(2):
                if side == 0:
                    square = 0.0
                    for k in range(3):
                        normal[k] = p[i, k] - middle[k]
                        square += normal[k] * normal[k]
                    if square <= REACH * REACH:
                        continue
                    far = math.sqrt(square)
                    for k in range(3):
                        normal[k] /= far
                        p[i, k] = middle[k] + REACH * normal[k]
                else:
                    low = p[i, 0] * floor[0] + p[i, 1] * floor[1] + p[i, 2] * floor[2]
                    if low >= 0:
                        continue
                    for k in range(3):
                        normal[k] = -floor[k]
                        p[i, k] -= low * floor[k]
                closing = v[i, 0] * normal[0] + v[i, 1] * normal[1] + v[i, 2] * normal[2]
                if closing <= 0:
                    continue
                blow = (1 + (BOUNCE_WALL if closing > HEARD else 0.0)) * closing
                slip = 0.0
                for k in range(3):
                    away[k] = v[i, k] - closing * normal[k]
                    slip += away[k] * away[k]
                slip = math.sqrt(slip) + 1e-9
                held = min(FRICTION * blow, slip * 2 / 7) / slip  # 2/7: a sphere starts to roll here
                for k in range(3):
                    push = blow * normal[k] + held * away[k]
                    v[i, k] -= push
                    pushes[frame, k] += push
                sums[frame, 1] += blow
                if closing > HEARD:
                    sums[frame, 0] += 1
                    sums[frame, 2] += blow * blow
                    if side == 1:
                        sums[frame, 3] += blow


@lru_cache(maxsize=2048)
def places(beads: int, time: int, floor: tuple[float, float, float]) -> Floats:
    """Initial centres, float64[beads, 3]: random positions in the dome above its floor."""
    r = np.random.default_rng([beads, time])
    up = np.array(floor)
    found: list[Floats] = []
    while len(found) < beads:
        place = r.uniform(-REACH, REACH, 3)
        if place @ up > 0 and np.linalg.norm(place - HIGH * up) < REACH:
            found.append(place)
    return np.array(found)
