"""Checks an accelerometer at rest: it must feel one g, if its numbers are in g and no axis is dead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from sensors.ear.frames.frontend import Array
from sensors.why import Reason, Why

STILL_S = 0.1
# these are certainly rest: no shake stays at the end of its range, or in a turn, for so long
IN_A_ROW = 3
STILL_G = 0.03  # standard deviation of all axes together: covers noise and a hand's tremor, not motion
HELD_STILL_G = 0.06  # the same for a stretch that is `IN_A_ROW`, which a stroke never is
# Zero-g offsets of cheap sensors reach 0.1 g, their gain errors 3 % (data sheets of MPU-6050 and LSM6DSO). A range set
# differently from how the numbers are read is off by a factor of two at least.
LIGHTEST_G, HEAVIEST_G = 0.75, 1.33
TAKEN_OFF_G = 0.15  # below, gravity was removed, and nothing can be said
LOOK_AT = "look at its wiring, and at what reads it"
DEAD_FROM_S = 1.0
# from end to end, at least: by then even the least noise and the coarsest chip move on every axis
MOVED_G = 0.5
COARSE_G = 0.06  # between two values: too many beads are heard, and peaks of strokes look clipped
FINER = f"set it to more bits or a narrower range (less ±g), or take one with steps below {COARSE_G:g} g"
ROUNDING_G = 1e-4  # one value computed in two ways differs by less in floats
FEW = 4000  # samples that suffice to show a fine chip


def gravity_at_rest(samples: Array, rate: float, still_g: float = STILL_G, in_a_row: int = 1) -> float | None:
    """Magnitude of the mean of float32[samples, 3], in their own unit, where they are still for `STILL_S`, or for
    `in_a_row` such stretches; the median over the stretches, None where there is none. `still_g` holds for one g, and
    scales with a larger magnitude."""
    n = max(2, round(STILL_S * rate))
    stretches = samples[: len(samples) // n * n].reshape(-1, n, samples.shape[1]).astype(np.float64)
    one_g = np.maximum(1.0, np.linalg.norm(stretches.mean(axis=1), axis=1))
    still = np.sqrt(stretches.var(axis=1).sum(axis=1)) < still_g * one_g
    for _ in range(in_a_row - 1):  # keep only the first stretch of each row
        still = still & np.append(still[1:], False)
    if not np.any(still):
        return None
    return float(np.median(np.linalg.norm(stretches[still].mean(axis=1), axis=1)))


def wrong_gravity(samples: Array, rate: float) -> float | None:
    """The magnitude felt at rest, where it is not one g. None where it is, or cannot be told."""
    gravity = gravity_at_rest(samples, rate)
    if gravity is not None and TAKEN_OFF_G < gravity < LIGHTEST_G:
        return gravity
    gravity = gravity_at_rest(samples, rate, HELD_STILL_G, IN_A_ROW)
    return gravity if gravity is not None and gravity > HEAVIEST_G else None


def dead(samples: Array, rate: float, since: str = "throughout") -> str | None:
    """The fault of float32[samples, 3] where an axis stays at exactly one value while another one moves."""
    if len(samples) < DEAD_FROM_S * rate:
        return None
    moved = np.ptp(samples, axis=0)
    if not moved.max() > MOVED_G or moved.all():
        return None
    # + 0.0 turns −0 into 0
    *others, last = (f"{'xyz'[axis]} ({samples[0, axis] + 0.0:g})" for axis in np.flatnonzero(moved == 0))
    axes = f"axes {others[0]} and {last} give" if others else f"axis {last} gives"
    return f"{axes} one value {since}, while the igloo moves"


def dies(samples: Array, rate: float) -> str | None:
    """The same from some time on, as when a wire comes off in the midst of a shake. A coarse chip may give one value
    for that long."""
    if coarse_step(samples) is not None:
        return None
    last = sorted(int(np.flatnonzero(np.diff(axis)).max(initial=-1)) + 1 for axis in samples.T)
    faults = (dead(samples[first:], rate, f"from {first / rate:.1f} s on") for first in last)
    return next((fault for fault in faults if fault is not None), None)


def step(samples: Array) -> float:
    """The smallest step between two values of an axis of float32[samples, 3]; 0 where there are no two values. Values
    that differ only by rounding count as one."""
    steps = [np.diff(np.unique(axis)) for axis in samples.T]
    least = min((one[one > ROUNDING_G].min(initial=np.inf) for one in steps), default=np.inf)
    return float(least) if least < np.inf else 0.0


def coarse_step(samples: Array) -> float | None:
    """The step between values of float32[samples, 3] where it is too coarse to count by; None where it is finer, or
    where they hardly moved, so that it cannot be told."""
    if 0 < step(samples[:FEW]) < COARSE_G:
        return None  # as for nearly all sensors
    moved = len(samples) > 0 and np.ptp(samples, axis=0).max() > MOVED_G
    coarse = step(samples) if moved else 0.0
    return coarse if coarse >= COARSE_G else None


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a sensor, whoever shakes it, and what to do about it."""

    kind: Literal["dead", "gravity", "coarse", "narrow", "packed", "bits"]
    cause: str
    mend: str
    reason: Reason | None = None  # why a shake is not sure, where it is counted nevertheless

    def __str__(self) -> str:
        return f"{self.cause}; {self.mend}"


def fault_of(samples: Array, rate: float) -> Fault | None:
    """The fault where an axis is dead, gravity at rest is not one g, or the steps are coarse."""
    if one_value := dead(samples, rate):
        return Fault("dead", f"this accelerometer's {one_value}", LOOK_AT)
    if len(samples) and (gravity := wrong_gravity(samples, rate)) is not None:
        return Fault(
            "gravity",
            f"at rest this accelerometer feels {gravity:.2g} g, and one is right: its range is set otherwise than its "
            "numbers are read",
            "mend that in what reads it, or beads are taken to hit harder or softer than they do",
        )
    return too_coarse(samples)


def too_coarse(samples: Array) -> Fault | None:
    """The fault where the steps of float32[samples, 3] are coarse."""
    coarse = coarse_step(samples)
    if coarse is None:
        return None
    cause = f"this accelerometer's values go in steps of {coarse:.2g} g, too coarse to count by"
    return Fault("coarse", cause, FINER, Reason(Why.COARSE, f"{cause}: {FINER}"))
