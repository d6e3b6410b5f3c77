"""Who sits where: distances and directions from igloos to microphones, and what air and table transmit to a shell.

A seat's microphone lies at the edge of the table in front of its player; the igloo is held some 0.45 m from the centre.
Everything without a source is judgement.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, resample_poly, sosfilt

from hw_mock.igloo.constants import AIR, SOUND_SPEED
from hw_mock.igloo.device import Igloo
from hw_mock.igloo.hand import RATE as MOTION_RATE
from hw_mock.igloo.hand import Motion

Array = NDArray[np.float64]
RADIUS_M = 0.45  # radius of the circle on which igloos are held
WALL_KG_M2 = 2.0  # mass per area of 1.7 mm of plastic
FIRST_MODE_HZ = 3000.0  # of a held shell; below it, the wall acts as a spring
TABLE_KG = 25.0
ARM_KG = 0.4  # hand, igloo and the part of the forearm that moves with them
TABLE_HZ, TABLE_QUALITY = 12.0, 3.0  # sway of a table on its legs
# largest denominator of the resampling ratio: any rate to a millionth, at the cost of a longer filter
MOST_COARSE = 10_000
LEANS = 0.5  # share of players who rest an elbow on the table


def distance(r: np.random.Generator, seat: int, listener: int, seats: int) -> float:
    """Distance in m from the igloo at `seat` to the microphone of `listener`'s seat; the own one: 0.20–0.35 m."""
    if listener == seat:
        return float(r.uniform(0.20, 0.35))
    return RADIUS_M * 2 * math.sin(_angle(seat, listener, seats) / 2) * math.exp(r.normal(0, 0.1)) + 0.1


def direct_gain(seat: int, listener: int, seats: int, pattern: float) -> float:
    """Gain for direct sound from `seat` of a microphone of `pattern` p (0 omni, 0.5 cardioid) at `listener`'s edge,
    pointing at its player: (1 − p) + p·cos of the angle."""
    if listener == seat:
        return 1 - pattern + pattern * math.cos(0.5)  # the igloo is held some 30° above the axis
    # the chord from one point of the circle to another makes half the angle between them with the tangent
    return abs(1 - pattern - pattern * math.sin(_angle(seat, listener, seats) / 2))


def diffuse_gain(pattern: float) -> float:
    """The same for diffuse sound: RMS over the sphere."""
    return math.sqrt((1 - pattern) ** 2 + pattern**2 / 3)


def _angle(seat: int, other: int, seats: int) -> float:
    turn = 2 * math.pi * abs(seat - other) / max(seats, 2)
    return min(turn, 2 * math.pi - turn)


def moved_by_air(pressure: Array, igloo: Igloo, rate: float) -> Array:
    """Acceleration m/s² [n] of a held shell along one axis by a sound field [n] in Pa, in an accelerometer's band.

    Both are at `rate`, which must exceed 4800 Hz. It is the sum of two motions: of a rigid body much smaller than the
    wavelength (3/(2·density of the whole + air) of the pressure gradient, Landau and Lifshitz, Fluid Mechanics § 11),
    and of the wall, a spring below its first mode.
    """
    low = np.asarray(sosfilt(butter(4, 2400.0, "low", fs=rate, output="sos"), pressure))
    slope = np.gradient(low, 1 / rate)
    volume = 2 / 3 * math.pi * igloo.dome_radius**3
    density = (igloo.shell_mass + sum(igloo.masses)) / volume
    whole = 3 / (2 * density + AIR) * slope / SOUND_SPEED
    wall = 2 / (WALL_KG_M2 * (2 * math.pi * FIRST_MODE_HZ) ** 2) * np.gradient(slope, 1 / rate)
    return np.asarray(whole + wall)


def sway(motion: Motion, rate: float, samples: int) -> Array:
    """Acceleration m/s² [samples, 3] at `rate` of a table top under the elbow of somebody who shakes: the arm's recoil
    on a swaying mass. It reaches another hand through another elbow; bones and flesh transmit little above 30 Hz. Zero
    after the end of the motion."""
    force = ARM_KG * (motion.force - motion.force.mean(axis=0))
    pushed = force / TABLE_KG
    w = 2 * math.pi * TABLE_HZ / MOTION_RATE
    pole = math.exp(-w / (2 * TABLE_QUALITY))
    a = np.array([1.0, -2 * pole * math.cos(w), pole * pole])
    moved = np.asarray(sosfilt(np.array([[a.sum(), 0.0, 0.0, *a]]), pushed, axis=0))
    finer = Fraction(rate / MOTION_RATE).limit_denominator(MOST_COARSE)
    fine = resample_poly(moved, finer.numerator, finer.denominator, axis=0)
    out = np.zeros((samples, 3))
    out[: min(samples, len(fine))] = fine[:samples]
    return out
