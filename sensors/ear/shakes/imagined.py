"""What beads would do in a hand that moves like this: simulated beads, accelerated as the accelerometer was.

How a person shakes is the largest source of error: few beads in a wild hand make as many hits as many beads in a calm
one. An accelerometer feels what beads feel, gravity minus acceleration. So a few hard spheres are moved by the measured
acceleration in a dome of typical size (sensors.ear.shakes.dome); how often and how hard they hit says what this motion
makes of a bead. The orientation of the dome's floor is unknown, for a sensor is glued on at any angle. So every
direction is tried, and those weigh most under which beads would have hit when and where the shell was pushed. A whole
sweep determines the floor better, and that is stored in the owner's profile (`common_floor`).
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import scipy  # its parts are loaded when they are first asked

from sensors.ear.frames.frontend import FELT_RATE, GRAVITY, Direction, Floats
from sensors.ear.shakes.band_features import Features
from sensors.ear.shakes.dome import STEPS_HZ, SUMS, compiled, places, throw

GROUP = "imagined"
SLOW_HZ = 25.0  # the arm moves slower than this; hits must not act on the beads as well
TRIED_BEADS, TOLD_BEADS = 5, (3, 10)
SETTLED = 25  # frames, until the beads' initial positions are forgotten
LEAST_FRAMES = 10  # fewer are too short to say anything
SCANNED = 250  # frames on which all directions are tried
SMOOTH = 1.5  # frames
# weight of a direction: exp(this · correlation); tuned on simulated takes of known directions
SHARPNESS = 60.0
UPRIGHT = 1.0  # log prior of an upright igloo: people hold igloos upright rather than not
# log prior of a sweep's floor: from twelve simulated takes it is mostly right within .2 … .35 rad
KNOWN_FLOOR = 15.0
NEAR = 0.5  # cosine: directions farther than this from a known floor are not tried
LEAST_IGLOOS = 8  # with takes, before a common floor is looked for
# least length of the mean of unit vectors; of eight random ones, one mean in twenty is that long
AGREED_LENGTH = 0.55
CLOSE = 4.0  # concentration of the weights by which igloos that disagree lose influence
LEAST_SUM = 0.03  # added to each sum a second before its logarithm

PROCESSORS = min(4, os.cpu_count() or 1)
LOADING = threading.Lock()

# what is told where too little was felt
NOTHING_FELT: Features = dict.fromkeys(
    (f"{GROUP}.{name}_{n}" for n in TOLD_BEADS for name in (*SUMS, "pushed", "alike")), 0.0
)

One = TypeVar("One")
Done = TypeVar("Done")
Thrown = dict[tuple[Any, ...], Floats]  # results of throws in one take, by floor, beads, times and frames


@dataclass(frozen=True, slots=True)
class Effort:
    """How many directions are tried; how many of them again, and how often; how many are used, and how many throws each
    gets."""

    directions: int
    again: int
    times: int
    believed: int
    throws: int


FULL = Effort(64, 12, 3, 4, 2)
QUICK = Effort(16, 0, 0, 1, 1)
TOLD = Effort(64, 5, 3, 3, 2)  # where the floor is known


def imagined(
    felt: npt.NDArray[np.floating[Any]],
    quick: bool = False,
    known: Direction | None = None,
    thrown: Thrown | None = None,
    soon: bool = False,
) -> tuple[Features, Direction | None]:
    """Features of beads thrown by what was felt (sensors.ear.frames.frontend.Frames), float[frames at 250 Hz, 6] in g.
    For 3 and for 10 beads: ln of `SUMS` per bead and second; ln of the shell's push relative to theirs, and the
    correlation of the two. Second, the most likely normal of the floor.

    Zeros and None where too little was felt. `quick`: with less effort. `known`: the prior orientation of the floor.
    `thrown`: cached results of earlier throws for this very take; new ones are added. `soon`: somebody waits, so beads
    are thrown on several processors; the result is the same.
    """
    effort = QUICK if quick else FULL if known is None else TOLD
    if len(felt) < SETTLED + LEAST_FRAMES:
        return NOTHING_FELT.copy(), None
    force, pushed = forces(felt)
    lying, weights = floors(force, pushed, effort, known, thrown, soon)
    beside, times = (force, pushed), range(50, 50 + effort.throws)
    values = [
        sum(
            w * told for w, told in zip(weights, _thrown(*beside, lying, n, times, thrown, soon), strict=True)
        )
        for n in TOLD_BEADS
    ]
    x, y, z = lying[0].tolist()
    return dict(zip(NOTHING_FELT, np.concatenate(values).tolist(), strict=True)), (x, y, z)


def common_floor(found: Sequence[Direction]) -> Direction | None:
    """The common orientation of the floor: the mean of `found`, one direction for each of several igloos with the same
    sensor. (Takes of a single igloo would agree however the sensor is glued on.) None where they do not agree."""
    if len(found) < LEAST_IGLOOS:
        return None
    normals = np.array(found)
    middle = normals.mean(axis=0)
    if np.linalg.norm(middle) < AGREED_LENGTH:
        return None
    for _ in range(5):
        near = np.exp(CLOSE * normals @ (middle / np.linalg.norm(middle)))
        middle = near @ normals
    x, y, z = (middle / np.linalg.norm(middle)).tolist()
    return x, y, z


def ready() -> None:
    """Load the compiled code. Call it before anybody shakes: the first time on a machine it compiles for some
    seconds."""
    # ears open at once, each in its own thread: one of them compiles, which takes much memory, and the others wait
    with LOADING:
        compiled()


def forces(felt: npt.NDArray[np.floating[Any]]) -> tuple[Floats, Floats]:
    """The force on beads, float64[frames at 250 Hz, 3] in m/s²; the pushes on the shell, [frames less `SETTLED`, 3] in
    g."""
    slow = scipy.signal.butter(2, SLOW_HZ, fs=FELT_RATE, output="sos")
    force = -GRAVITY * scipy.signal.sosfiltfilt(slow, felt[:, :3].astype(np.float64), axis=0)
    pushed = scipy.ndimage.gaussian_filter1d(np.maximum(felt[:, 3:].astype(np.float64), 0.0), SMOOTH, axis=0)
    return np.ascontiguousarray(force), pushed[SETTLED:]


def floors(
    force: Floats,
    pushed: Floats,
    effort: Effort,
    known: Direction | None = None,
    thrown: Thrown | None = None,
    soon: bool = False,
) -> tuple[Floats, Floats]:
    """The most likely normals of the floor, float64[believed, 3], and their weights."""
    directions = spread_out(effort.directions)
    down = force[SETTLED:].mean(axis=0)
    if known is not None:
        there = np.array(known)
        near = directions[directions @ there > NEAR] if effort.again else directions[:0]
        directions = np.ascontiguousarray(np.vstack([near, there]))
    before = -UPRIGHT * directions @ down / (np.linalg.norm(down) + 1e-9)
    if known is not None:
        before += KNOWN_FLOOR * directions @ there
    # only few directions are tried on the rest: a verdict is due
    first = force[: SETTLED + SCANNED], pushed[:SCANNED]
    alike = _thrown(*first, directions, TRIED_BEADS, range(1), thrown, soon)[:, -1]
    chosen = np.argsort(-SHARPNESS * alike - before)[: effort.again or effort.believed]
    if effort.again:
        times = range(1, 1 + effort.times)
        alike[chosen] = _thrown(force, pushed, directions[chosen], TRIED_BEADS, times, thrown, soon)[:, -1]
    told = (SHARPNESS * alike + before)[chosen]
    best = np.argsort(-told)[: effort.believed]
    weights = np.exp(told[best] - told[best[0]])
    return directions[chosen[best]], weights / weights.sum()


def _thrown(
    force: Floats,
    pushed: Floats,
    floors: Floats,
    beads: int,
    times: range,
    thrown: Thrown | None = None,
    soon: bool = False,
) -> Floats:
    """Float64[floors, 8], see `imagined`: averages over throws of the beads from different initial positions, for each
    of `floors` [floors, 3]."""
    known = {} if thrown is None else thrown
    keys = [(*floor.tolist(), beads, times, len(force)) for floor in floors]
    new = [n for n, key in enumerate(keys) if key not in known]
    from_where = [(floors[n], places(beads, time, tuple(floors[n]))) for n in new for time in times]
    each = _side_by_side(lambda one: throw(force, *one, STEPS_HZ), from_where, soon)
    for k, n in enumerate(new):
        known[keys[n]] = _summary(pushed, each[k * len(times) : (k + 1) * len(times)])
    return np.array([known[key] for key in keys])


def _summary(pushed: Floats, each: Sequence[tuple[Floats, Floats]]) -> Floats:
    """Float64[8] of several throws beside what pushed the shell."""
    pushes = scipy.ndimage.gaussian_filter1d(np.mean([p for p, _ in each], axis=0), SMOOTH, axis=0)[SETTLED:]
    sums = np.mean([s for _, s in each], axis=0)[SETTLED:].sum(axis=0) / (len(pushed) / FELT_RATE)
    size = (pushed * pushes).sum() / (np.square(pushes).sum() + 1e-12)
    return np.array([*np.log(sums + LEAST_SUM), math.log(size + 1e-6), _alike(pushes, pushed)])


def _side_by_side(do: Callable[[One], Done], each: Sequence[One], soon: bool) -> list[Done]:
    """`do` of each, in their order; machine code leaves the interpreter to other threads. `soon`: on several
    processors, else on this thread alone, as where every processor has a take of its own."""
    return list(_helpers().map(do, each)) if soon and PROCESSORS > 1 else list(map(do, each))


@lru_cache(maxsize=1)
def _helpers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(PROCESSORS, thread_name_prefix="imagined beads")


def _alike(one: Floats, other: Floats) -> float:
    """Correlation of the square roots of float64[frames, 3], over frames and axes."""
    a, b = np.sqrt(one), np.sqrt(other)
    a, b = a - a.mean(), b - b.mean()
    return float((a * b).sum() / math.sqrt(float(np.square(a).sum() * np.square(b).sum()) + 1e-30))


@lru_cache(maxsize=2)
def spread_out(many: int) -> Floats:
    """Directions spread evenly over the sphere, float64[many, 3] (a Fibonacci sphere)."""
    i = np.arange(many) + 0.5
    z = 1 - 2 * i / many
    angle = np.pi * (1 + math.sqrt(5)) * i
    flat = np.sqrt(1 - z * z)
    return np.stack([flat * np.cos(angle), flat * np.sin(angle), z], axis=1)
