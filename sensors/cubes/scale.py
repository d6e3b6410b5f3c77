"""The gyroscope's scale error, learned over an evening from movements whose two ends are known.

At a rest in the tray, gravity gives the inclination and the tray the heading. The integral of the rates between two
rests may differ from that by the scale error of the axis of rotation. One movement says little (the play of the tray is
one to three degrees in ninety); a hundred determine it to a few tenths of a per cent. A Kalman filter over three axes.
"""

from __future__ import annotations

import math

import numpy as np

from firmware_bridge.packets import Vector
from sensors.cubes import quats
from sensors.cubes.quats import Quat

MOST = 0.05  # no intact gyroscope is further off
_PRIOR = 0.012  # standard deviation of the prior; data sheets: ±0.4 to ±1 %, the worst 2 %
_WANDER = 0.0002  # random walk for each movement, with temperature
_PLAY_DEG, _TILT_DEG = 2.5, 1.6  # uncertainty of a known rotation, about the vertical and about a level axis
_LEAST_DEG, _MOST_DEG = 60.0, 150.0  # beyond, near half a turn, the axis is ill-defined
_ONE_WAY = 1.4  # ratio of the total rotation to the net one: one plain turn, no fidgeting


class ScaleLearner:
    """`error` is the relative scale error of the three axes (0.01: one per cent too much); `sure`: its standard
    deviation."""

    def __init__(self) -> None:
        self.error: Vector = (0.0, 0.0, 0.0)
        self.used = 0
        self._spread = np.eye(3) * _PRIOR**2
        # orientation at the start, and the integral of the rates there
        self._departed: tuple[Quat, Quat] | None = None

    @property
    def sure(self) -> Vector:
        x, y, z = np.sqrt(np.diag(self._spread))
        return (float(x), float(y), float(z))

    def forget(self) -> None:
        """The start of the movement is unknown."""
        self._departed = None

    def lies(self, summed: Quat | None) -> None:
        """It still lies where it arrived; `summed`: the integral of the rates up to now."""
        if self._departed is not None and summed is not None:
            self._departed = (self._departed[0], summed)

    def arrives(self, lies: Quat | None, summed: Quat | None, travelled_deg: float) -> None:
        """A movement has ended in the tray; `lies`: sensor axes to table axes, None where that is not sure."""
        departed, self._departed = self._departed, None
        if lies is None or summed is None:
            return
        if departed is not None:
            before, felt = departed
            self.learn(before, lies, quats.multiply(quats.conjugate(felt), summed), travelled_deg)
        self._departed = (lies, summed)

    def learn(self, before: Quat, after: Quat, felt: Quat, travelled_deg: float) -> bool:
        """Take a movement: the true orientations at its two ends, sensor axes to table axes, and the rotation in sensor
        axes by the integral of the rates (with what was learned so far). True where it taught something."""
        true = quats.multiply(quats.conjugate(before), after)
        x, y, z = quats.rotation_vector(true)
        angle = math.sqrt(x * x + y * y + z * z)
        if not _LEAST_DEG < math.degrees(angle) < _MOST_DEG or travelled_deg > _ONE_WAY * math.degrees(angle):
            return False
        axis = np.array((x, y, z)) / angle
        left = quats.rotation_vector(quats.multiply(quats.conjugate(true), felt))
        too_much = float(np.dot(left, axis)) / angle
        upright = quats.rotate(before, (float(axis[0]), float(axis[1]), float(axis[2])))[2] ** 2
        noise = math.radians(upright * _PLAY_DEG + (1 - upright) * _TILT_DEG) / angle
        h = axis**2
        spread = self._spread + np.eye(3) * _WANDER**2
        expected = float(h @ spread @ h) + noise**2
        if too_much**2 > 9 * expected:
            return False  # it was put back differently from what we think, or held on the way
        gain = spread @ h / expected
        error = np.clip(np.array(self.error) + gain * too_much, -MOST, MOST)
        self.error = (float(error[0]), float(error[1]), float(error[2]))
        self._spread = spread - np.outer(gain, h) @ spread
        self.used += 1
        return True
