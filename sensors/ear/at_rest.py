"""What an accelerometer feels while it lies or is held still: one g, if its numbers are in g."""

from __future__ import annotations

import numpy as np

from sensors.ear.frontend import Array

STILL_S = 0.1
STILL_G = 0.03  # standard deviation of all axes together: noise and a hand's tremor, and no motion
# Zero-g offsets of cheap sensors reach 0.1 g, their gains 3 % (data sheets of MPU-6050 and LSM6DSO). A range that is
# set otherwise than the numbers are read is off by two at least.
LIGHTEST_G, HEAVIEST_G = 0.75, 1.33
TAKEN_OFF_G = 0.15  # below, gravity was taken off, and nothing is known


def gravity_at_rest(samples: Array, rate: float) -> float | None:
    """Magnitude of the mean of float32[samples, 3], in their own unit, where they are still for `STILL_S`; the median
    of such stretches, None where there is none."""
    n = max(2, round(STILL_S * rate))
    stretches = samples[: len(samples) // n * n].reshape(-1, n, samples.shape[1]).astype(np.float64)
    still = np.sqrt(stretches.var(axis=1).sum(axis=1)) < STILL_G
    if not np.any(still):
        return None
    return float(np.median(np.linalg.norm(stretches[still].mean(axis=1), axis=1)))


def scaled(samples: Array, rate: float) -> str | None:
    """A sentence where what is felt at rest is not one g."""
    gravity = gravity_at_rest(samples, rate)
    if gravity is None or gravity < TAKEN_OFF_G or LIGHTEST_G <= gravity <= HEAVIEST_G:
        return None
    return (
        f"at rest this accelerometer feels {gravity:.2g} g, and one is right: its range is set otherwise than its "
        "numbers are read; mend that in what reads it, or beads are taken to hit harder or softer than they do"
    )
