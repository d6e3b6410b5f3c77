"""Which way north is in the filter's frame, and how wrong that may have become since the last rest.

At a rest in the tray the residual is thrown away where drift explains it; more than that is real and kept.
"""

from __future__ import annotations

import math

from sensors.cubes import quats, turns
from sensors.cubes.quats import Quat, Vec

_SCALE_ERROR = 0.025  # of the angle turned: scale and alignment of a cheap gyroscope
_DRIFT_DPS = 0.2
_ASKEW_DEG = 15.0  # nothing in a tray lies further off
_LEANING_DEG = 12.0  # of a sensor that nobody calibrated, in a cube that lies flat
_MANY = 0.2  # of late rests lay askew: there is no tray


class Heading:
    """`turn` (radians) takes the filter's frame to the table's; `path` is the rotation vector since the last rest."""

    def __init__(self) -> None:
        self.turn = 0.0
        self.path: Vec = (0.0, 0.0, 0.0)
        self.travel_deg = 0.0  # turned since the last rest, there and back counted twice
        self.doubt_deg = 0.0  # what may have been missed: gaps, saturation
        self._askew = 0.0  # share of late rests that lay as in no tray

    @property
    def tray(self) -> bool:
        """Whether the cube has lately lain as in a tray."""
        return self._askew < _MANY

    def begin(self) -> None:
        """A movement begins."""
        self.path, self.travel_deg = (0.0, 0.0, 0.0), 0.0

    def reorient(self, quarters: int) -> None:
        """North was lost by so many quarter turns, counter-clockwise."""
        self.turn += quarters * math.pi / 2
        self.path = quats.rotate(quats.about_z(quarters * math.pi / 2), self.path)

    def travelled(self, step: Quat) -> None:
        """The orientation turned by `step` of the filter's frame."""
        x, y, z = quats.rotate(quats.about_z(self.turn), quats.rotation_vector(step))
        self.path = (self.path[0] + x, self.path[1] + y, self.path[2] + z)
        self.travel_deg += math.degrees(math.sqrt(x * x + y * y + z * z))

    def to_table(self, q: Quat) -> Quat:
        """An orientation in the filter's frame, in the table's."""
        return quats.multiply(quats.about_z(self.turn), q)

    def drift_deg(self, took: float) -> float:
        """By how many degrees the gyroscope may be wrong after a movement of `took` seconds.

        A scale error counts in full on what was turned in one direction, and like a random walk on what went to and
        fro.
        """
        coherent = math.degrees(math.sqrt(sum(v * v for v in self.path)))
        scale = _SCALE_ERROR * (coherent + math.sqrt(90.0 * self.travel_deg))
        return 1.0 + scale + _DRIFT_DPS * took + self.doubt_deg

    def lay(self, off_deg: float) -> None:
        """Learn from a rest `off_deg` off its turn whether there is a tray at all."""
        self._askew += 0.25 * ((off_deg > _ASKEW_DEG) - self._askew)

    def keep(self, estimate: Quat, turn: int, seconds: float) -> None:
        """At rest for `seconds` more: throw away what drift did in them."""
        self.throw_away(estimate, turn, seconds * _DRIFT_DPS)

    def throw_away(self, estimate: Quat, turn: int, bound_deg: float) -> None:
        """Discard what separates an estimate from the turn it is nearest to, if that is no more than `bound_deg`
        (outside a tray, a quarter of it).

        Gravity knows the inclination, so a cube that leans further than any tray allows tells nothing about its
        heading.
        """
        residual = quats.multiply(turns.QUATS[turn], quats.conjugate(estimate))
        if quats.inclination_deg(residual) > _LEANING_DEG:
            return
        left = quats.heading(residual)
        if abs(left) <= math.radians(bound_deg if self.tray else 0.25 * bound_deg):
            self.turn += left
