"""One sensor's orientation in a continuous frame: across gaps, and when its filter has to restart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from firmware_bridge.packets import Vector
from sensors.cubes import quats
from sensors.cubes.gaps import BRIDGED_S, Blind
from sensors.cubes.heading import Heading
from sensors.cubes.orientation import OrientationFilter, make_filter
from sensors.cubes.quats import Quat

_GAP_DEG = 45.0  # possible rotation while nothing was heard
_SAME_S = 0.1  # a node's own pose and our newest sample this close belong to the same moment
_BRIDGED_DEG = 3.0  # the possible error of a node's own pose over a gap


class SensorFrame:
    """`q` is the latest orientation, sensor axes to the filter's frame; None: nothing is known yet.

    After a restart the filter's frame has an arbitrary heading. `heading` is then turned so that the sensor lies in the
    table's frame as it did before, until a node reports what happened meanwhile.
    """

    def __init__(self, heading: Heading, filter_name: str | None) -> None:
        self.q: Quat | None = None
        self.blind = Blind()
        self._heading = heading
        self._filter_name = filter_name
        self._filter: OrientationFilter | None = None
        self._period = 0.0
        # the last orientation before the filter restarted, in the frame of then
        self._known: Quat | None = None

    @property
    def summed(self) -> Quat | None:
        """The integral of the rates alone; None where a chip's own angles are used, or the filter keeps none."""
        return None if self._filter is None else self._filter.turned

    def suits(self, period_s: float) -> bool:
        """Whether the filter fits samples `period_s` apart; if not, it has been restarted."""
        if self._filter is not None and 0.8 < period_s / self._period < 1.25:
            return True
        self._filter, self._period = make_filter(period_s, self._filter_name), period_s
        self._begin_anew()
        return False

    def feed(
        self,
        rates: Sequence[Vector],
        accels: Sequence[Vector],
        dt: float,
        bias: Vector,
        scale: Vector,
        up: Vector,
    ) -> Quat | None:
        """Take samples `dt` apart; returns the orientation before them in the same frame, or None where there is
        none."""
        assert self._filter is not None
        array = (np.array(rates) - bias) * (dt / self._period) / (1 + np.array(scale))
        before, self.q = self.q, self._filter.update(array, np.array(accels))
        if before is None:
            self._lies_as_before(self.level(up))
        return before

    def take(self, q: Quat) -> Quat | None:
        """Take an orientation that a chip computed itself; returns the one before it in the same frame, or None."""
        before, self.q = self.q, q
        if before is None:
            self._lies_as_before(q)
        return before

    def level(self, up: Vector) -> Quat:
        """The orientation, with its inclination corrected by gravity (a chip's own angles as they are)."""
        assert self.q is not None
        return self.q if self._filter is None else quats.levelled(self.q, up)

    def lose(self, now: float) -> None:
        """Nothing has been heard for long, up to `now`."""
        self.blind.begin(self.q, self._heading.turn, now)
        if self._filter is not None:
            self._filter.restart()
        self._begin_anew()
        self._heading.doubt_deg += _GAP_DEG

    def node_says(self, said: Quat, anew: bool, silent_s: float) -> Quat | None:
        """Take a node's own orientation, `silent_s` after our last sample. After a gap, the rotation during it is
        added.

        While samples are still missing, returns the current orientation by the node's pose (which is taken as known).
        """
        if anew:
            self.blind.forget()
        if self.q is None:
            return None
        if silent_s > BRIDGED_S:
            there = self.blind.now(said)
            if there is not None:
                self._heading.travelled(quats.multiply(there, quats.conjugate(self.q)))
                self.q = there
                self.blind.note(said, there)
            return there
        turn, found = self.blind.turn, self.blind.expected(said)
        if found is not None:
            expected, ours = found
            self._heading.turn = turn - quats.heading(quats.multiply(self.q, quats.conjugate(expected)))
            self._heading.travelled(quats.multiply(expected, quats.conjugate(ours)))
            self._heading.doubt_deg = max(0.0, self._heading.doubt_deg - _GAP_DEG) + _BRIDGED_DEG
        if silent_s < _SAME_S:
            self.blind.note(said, self.q)
        return None

    def _lies_as_before(self, level: Quat) -> None:
        if self._known is not None:
            self._heading.turn += quats.heading(quats.multiply(self._known, quats.conjugate(level)))

    def _begin_anew(self) -> None:
        self._known, self.q = self.q or self._known, None
