"""The table's north in the filter's frame, and the possible heading error since the last rest.

At a rest in the tray, a residual that drift explains is discarded; a larger one is real and kept.
"""

from __future__ import annotations

import math

from sensors.cubes import quats, turns
from sensors.cubes.quats import Quat, Vec

_SCALE_ERROR = 0.025  # of the angle turned: scale and alignment errors of a cheap gyroscope
_DRIFT_DPS = 0.2
_ASKEW_DEG = 15.0  # nothing in a tray lies further off a turn
_LEANING_DEG = 12.0  # residual inclination of an uncalibrated sensor in a cube that lies flat
_MANY = 0.2  # share of recent rests askew from which on there is no tray


class Heading:
    """`turn` (radians) rotates the filter's frame to the table's; `path` is the rotation vector since the last rest."""

    def __init__(self) -> None:
        self.turn = 0.0
        self.path: Vec = (0.0, 0.0, 0.0)
        self.travel_deg = 0.0  # total rotation since the last rest, back and forth both counted
        self.doubt_deg = 0.0  # possible error from what was missed: gaps, saturation
        self._askew = 0.0  # share of recent rests that were not in a tray

    @property
    def tray(self) -> bool:
        """Whether the cube has recently lain in a tray."""
        return self._askew < _MANY

    def begin(self) -> None:
        """A movement begins."""
        self.path, self.travel_deg = (0.0, 0.0, 0.0), 0.0

    def reorient(self, quarters: int) -> None:
        """Correct the heading by so many quarter turns, counter-clockwise."""
        self.turn += quarters * math.pi / 2
        self.path = quats.rotate(quats.about_z(quarters * math.pi / 2), self.path)

    def travelled(self, step: Quat) -> None:
        """The orientation was rotated by `step`, in the filter's frame."""
        x, y, z = quats.rotate(quats.about_z(self.turn), quats.rotation_vector(step))
        self.path = (self.path[0] + x, self.path[1] + y, self.path[2] + z)
        self.travel_deg += math.degrees(math.sqrt(x * x + y * y + z * z))

    def to_table(self, q: Quat) -> Quat:
        """An orientation of the filter's frame, in the table's frame."""
        return quats.multiply(quats.about_z(self.turn), q)

    def drift_deg(self, took: float) -> float:
        """The possible heading error, in degrees, after a movement of `took` seconds.

        A scale error counts in full for rotation in one direction, and as a random walk for rotation back and forth.
        """
        coherent = math.degrees(math.sqrt(sum(v * v for v in self.path)))
        scale = _SCALE_ERROR * (coherent + math.sqrt(90.0 * self.travel_deg))
        return 1.0 + scale + _DRIFT_DPS * took + self.doubt_deg

    def lay(self, off_deg: float) -> None:
        """Learn whether there is a tray, from a rest `off_deg` off its turn."""
        self._askew += 0.25 * ((off_deg > _ASKEW_DEG) - self._askew)

    def keep(self, estimate: Quat, turn: int, seconds: float) -> None:
        """At rest for `seconds` more: discard the drift of that time."""
        self.throw_away(estimate, turn, seconds * _DRIFT_DPS)

    def throw_away(self, estimate: Quat, turn: int, bound_deg: float) -> None:
        """Discard the heading residual between an estimate and its nearest turn, if it is at most `bound_deg` (outside
        a tray, a quarter of it).

        Gravity shows the inclination, so a cube that leans further than any tray allows tells nothing about its
        heading.
        """
        residual = quats.multiply(turns.QUATS[turn], quats.conjugate(estimate))
        if quats.inclination_deg(residual) > _LEANING_DEG:
            return
        left = quats.heading(residual)
        if abs(left) <= math.radians(bound_deg if self.tray else 0.25 * bound_deg):
            self.turn += left
