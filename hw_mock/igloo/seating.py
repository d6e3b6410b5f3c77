"""Who sits where: distances and directions from igloos to microphones, and what air and table pass on to a shell.

A microphone of a seat lies at the edge of the table before its player, the igloo is held some 0.45 m from the middle.
All judgement where no source is named.
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
RADIUS_M = 0.45  # of the circle on which igloos are held
WALL_KG_M2 = 2.0  # of a shell of 1.7 mm of plastic
FIRST_MODE_HZ = 3000.0  # of a held shell: below, its wall is a spring
TABLE_KG = 25.0
ARM_KG = 0.4  # hand, igloo and the part of the forearm that moves with them
TABLE_HZ, TABLE_QUALITY = 12.0, 3.0  # sway of a table on its legs
MOST_COARSE = 10_000  # for any rate to a millionth, at the cost of a longer filter
LEANS = 0.5  # of the players rest an elbow on the table


def distance(r: np.random.Generator, seat: int, listener: int, seats: int) -> float:
    """m from the igloo at `seat` to the microphone of `listener`'s seat; one's own is 0.20–0.35 m away."""
    if listener == seat:
        return float(r.uniform(0.20, 0.35))
    return RADIUS_M * 2 * math.sin(_angle(seat, listener, seats) / 2) * math.exp(r.normal(0, 0.1)) + 0.1


def direct_gain(seat: int, listener: int, seats: int, pattern: float) -> float:
    """What a microphone of `pattern` (0 omni, 0.5 cardioid) at `listener`'s edge, pointing at its player, takes of
    sound straight from `seat`: (1 − p) + p·cos of the angle."""
    if listener == seat:
        return 1 - pattern + pattern * math.cos(0.5)  # the igloo is held some 30° above the axis
    # from a point of the circle another one lies inwards, half the angle between them off the tangent
    return abs(1 - pattern - pattern * math.sin(_angle(seat, listener, seats) / 2))


def diffuse_gain(pattern: float) -> float:
    """The same for sound from everywhere: root of the mean square over the sphere."""
    return math.sqrt((1 - pattern) ** 2 + pattern**2 / 3)


def _angle(seat: int, other: int, seats: int) -> float:
    turn = 2 * math.pi * abs(seat - other) / max(seats, 2)
    return min(turn, 2 * math.pi - turn)


def moved_by_air(pressure: Array, igloo: Igloo, rate: float) -> Array:
    """m/s² [n] of a held shell along one axis in the band of an accelerometer, from a sound field [n] in Pa.

    Both at `rate`, the sound's: above 4800 Hz.
    As a rigid body in a wave much longer than itself (3/(2·density of the whole + air) of the pressure's gradient,
    Landau and Lifshitz, Fluid Mechanics § 11), and as a wall that is a spring below its first mode.
    """
    low = np.asarray(sosfilt(butter(4, 2400.0, "low", fs=rate, output="sos"), pressure))
    slope = np.gradient(low, 1 / rate)
    volume = 2 / 3 * math.pi * igloo.dome_radius**3
    density = (igloo.shell_mass + sum(igloo.masses)) / volume
    whole = 3 / (2 * density + AIR) * slope / SOUND_SPEED
    wall = 2 / (WALL_KG_M2 * (2 * math.pi * FIRST_MODE_HZ) ** 2) * np.gradient(slope, 1 / rate)
    return np.asarray(whole + wall)


def sway(motion: Motion, rate: float, samples: int) -> Array:
    """m/s² [samples, 3] of a table top at `rate` under the elbow of somebody who shakes: the arm's recoil on a swaying
    mass. Another hand gets it through another elbow; bones and flesh pass little above 30 Hz. Zeros
    where the motion has ended."""
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
