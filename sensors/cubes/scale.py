"""The scale of a gyroscope, learned over an evening from movements of which both ends are known.

At a rest in the tray gravity gives the inclination and the tray the heading; what the rates alone sum up to between
two rests may differ from that by the scale error of the axis that was turned about. One movement says little (the
play of the tray is a degree or three in ninety), a hundred say it to a few tenths of a per cent: a Kalman filter over
three axes.
"""

from __future__ import annotations

import math

import numpy as np

from firmware_bridge.packets import Vector
from sensors.cubes import quats
from sensors.cubes.quats import Quat

MOST = 0.05  # no gyroscope that is whole is further off
_PRIOR = 0.012  # data sheets: ±0.4 to ±1 %, the worst 2 %
_WANDER = 0.0002  # a movement, with warmth
_PLAY_DEG, _TILT_DEG = 2.5, 1.6  # of a known turn, about the vertical and about a level axis
_LEAST_DEG, _MOST_DEG = 60.0, 150.0  # nearer to half a turn the axis is ill-defined
_ONE_WAY = 1.4  # of what was turned in all, to what is left of it: a plain turn, no fidgeting


class ScaleLearner:
    """`error` is what the gyroscope measures too much on its three axes (0.01: one per cent); `sure` its deviation."""

    def __init__(self) -> None:
        self.error: Vector = (0.0, 0.0, 0.0)
        self.used = 0
        self._spread = np.eye(3) * _PRIOR**2
        self._departed: tuple[Quat, Quat] | None = None  # how it lay, and what the rates had summed up to

    @property
    def sure(self) -> Vector:
        x, y, z = np.sqrt(np.diag(self._spread))
        return (float(x), float(y), float(z))

    def forget(self) -> None:
        """Where the movement began is not known."""
        self._departed = None

    def lies(self, summed: Quat | None) -> None:
        """It still lies where it arrived; `summed`: of the rates, up to now."""
        if self._departed is not None and summed is not None:
            self._departed = (self._departed[0], summed)

    def arrives(self, lies: Quat | None, summed: Quat | None, travelled_deg: float) -> None:
        """A movement has ended in the tray; `lies` from sensor axes to the table's, None where that is not sure."""
        departed, self._departed = self._departed, None
        if lies is None or summed is None:
            return
        if departed is not None:
            before, felt = departed
            self.learn(before, lies, quats.multiply(quats.conjugate(felt), summed), travelled_deg)
        self._departed = (lies, summed)

    def learn(self, before: Quat, after: Quat, felt: Quat, travelled_deg: float) -> bool:
        """Take a movement: where the sensor truly lay at its two ends, sensor axes to the table's, and the turn in
        sensor axes that the rates (with what was learned so far) summed up to. True where it taught something."""
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
            return False  # it was put back otherwise than we think, or held on the way
        gain = spread @ h / expected
        error = np.clip(np.array(self.error) + gain * too_much, -MOST, MOST)
        self.error = (float(error[0]), float(error[1]), float(error[2]))
        self._spread = spread - np.outer(gain, h) @ spread
        self.used += 1
        return True
