"""One cube, from samples to rests: feeds the filter, bridges or doubts gaps, names a sensor that fails.

The cube's pose and its certainty are worked out in `lying.py`.
"""

from __future__ import annotations

import math

from firmware_bridge.packets import Vector
from firmware_bridge.samples import FusedPose, MotionBatch
from sensors.cubes import quats, turns
from sensors.cubes.chip import ChipRates
from sensors.cubes.frame import SensorFrame
from sensors.cubes.gaps import BRIDGED_S, filled
from sensors.cubes.heading import Heading
from sensors.cubes.health import Health
from sensors.cubes.lying import Lying
from sensors.cubes.quats import Quat
from sensors.cubes.rest import Rest, RestDetector
from sensors.cubes.scale import ScaleLearner

SATURATED_DPS = 1990.0
_GUESSED_S = 1.0  # s, the longest silence across which the rates at its two ends are still interpolated


class CubeTracker:
    """Feed samples, get rests. `mount` rotates sensor axes to body axes (None: taken from the first rest)."""

    def __init__(
        self, mount: Quat | None = None, start: int = turns.IDENTITY, filter_name: str | None = None
    ) -> None:
        self.bias: Vector = (0.0, 0.0, 0.0)
        self.last_t: float | None = None
        self._span = 0.0  # seconds of the newest batch
        self._rest = RestDetector()
        self._heading = Heading()
        self._frame = SensorFrame(self._heading, filter_name)
        self._lying = Lying(mount, start, self._rest, self._frame, self._heading)
        self._chip = ChipRates()
        self._health = Health()
        self._last: tuple[Vector, Vector] | None = None

    @property
    def pose(self) -> int | None:
        """The turn at its last rest; None before the first rest."""
        return self._lying.pose

    @property
    def moving(self) -> bool:
        return self._lying.moving

    @property
    def moving_since(self) -> float:
        """When its last movement began, s on the clock of its samples."""
        return self._lying.moving_since

    @property
    def orientation(self) -> Quat | None:
        """Present orientation, body to table, also between rests; None before the first rest."""
        return self._lying.orientation

    @property
    def scale(self) -> ScaleLearner:
        """The gyroscope's scale error, as learned from its rests."""
        return self._lying.scale

    @property
    def stuck(self) -> bool:
        """Whether its readings have not changed for a second: it may be dead."""
        return self.last_t is not None and self._health.stuck(self.last_t)

    # ---- samples

    def motion(self, batch: MotionBatch) -> list[Rest]:
        """Take samples of rate and acceleration; returns the rests that they complete."""
        rates, accels = list(batch.rates), list(batch.accels)
        if not rates:
            return []
        if not self._frame.suits(batch.period_s):
            self._lying.begin_anew()
        if self.last_t is not None and batch.t < self.last_t - BRIDGED_S:
            self._set_back(batch.t)
        gap, before_gap = batch.missing * batch.period_s, self._last
        self._last = (batch.rates[-1], batch.accels[-1])
        first_t, spun = batch.t, None
        if before_gap is not None and (batch.missing or batch.anew):
            if gap <= BRIDGED_S and not batch.anew:
                rates = filled(before_gap[0], rates, batch.missing)
                accels = filled(before_gap[1], accels, batch.missing)
                first_t -= gap
                self._heading.doubt_deg += 0.1 * gap * math.hypot(*rates[0])
            else:
                spun = self._unheard(batch, gap, before_gap[0])
        dt = batch.period_s
        self._span = dt * len(batch.rates)
        end = self._felt(first_t, dt, rates, accels)
        self._health.update(end, batch.rates, batch.accels, self._rest)
        if self._health.failed:
            return self._fails(end)
        self.bias = self._rest.bias
        before = self._frame.feed(rates, accels, dt, self.bias, self.scale.error, self._rest.accel)
        if spun is not None and not self._frame.blind.waits(first_t):
            self._guess(gap * (spun + self._spin_dps(rates[0])) / 2)
        if before is not None and self._frame.q is not None:
            self._heading.travelled(quats.multiply(self._frame.q, quats.conjugate(before)))
            self._lying.carried(before, self._frame.q, accels, dt)
        return self._consider(end) if self._health.credible else self._fails(end)

    def _felt(self, first_t: float, dt: float, rates: list[Vector], accels: list[Vector]) -> float:
        """Detect rests in samples of rate and acceleration, `dt` apart; returns the time of the last sample."""
        for i, (rate, accel) in enumerate(zip(rates, accels, strict=True)):
            self._rest.update(first_t + i * dt, dt, rate, accel)
            if max(rate) > SATURATED_DPS or min(rate) < -SATURATED_DPS:
                self._heading.doubt_deg += dt * 200.0
        return first_t + (len(rates) - 1) * dt

    def fused(self, pose: FusedPose) -> list[Rest]:
        """Take the chip's own orientation: as samples where it sends no rates, to bridge gaps where it does."""
        if pose.bridging:
            return self._node_says(pose)
        step = 0.0 if self.last_t is None else pose.t - self.last_t
        if abs(step) > BRIDGED_S:
            # it may have lost power, and its heading restarted: its present angles prove no turn
            self._set_back(pose.t)
            self._chip.forget()
            self._lying.unheard(self.last_t, pose.t, anew=False)
        elif self.last_t is not None and step <= 0:
            return []
        before = self._frame.take(pose.pose)
        if before is not None:
            self._heading.travelled(quats.multiply(pose.pose, quats.conjugate(before)))
            if pose.accel is not None:
                self._lying.carried(before, pose.pose, [pose.accel], step)
        self._chip.add(pose.t, pose.pose)
        if self._chip.rate is not None and before is not None:
            self._rest.bias_known = True
            self._rest.update(pose.t, step, self._chip.rate, pose.accel or (0.0, 0.0, 1.0))
            self._rest.bias = (0.0, 0.0, 0.0)
        return self._consider(pose.t)

    def correct(self, turn: int) -> None:
        """A person says how the cube lies; see `Lying.correct`. Raises ValueError before the first sample."""
        self._lying.correct(turn)

    def reorient(self, quarters: int, known: bool) -> None:
        """Its heading is, and was, so many quarter turns counter-clockwise off the tracked one. Allowed also while it
        moves.

        `known`: this is certain. Else the heading stays as doubtful as it was.
        """
        self._lying.reorient(quarters, known)

    # ---- gaps

    def _unheard(self, batch: MotionBatch, gap: float, rate: Vector) -> float | None:
        """A gap too long to interpolate came before `batch`; `rate` is the last rate before it. Returns how fast the
        cube turned about the vertical when the gap began, °/s, or None where the ends of the gap say nothing about what
        was between them."""
        spun = None
        if batch.anew:
            self._frame.blind.forget()
        elif gap <= _GUESSED_S:
            spun = self._spin_dps(rate)
        self._lying.unheard(self.last_t, batch.t, batch.anew)
        return spun

    def _spin_dps(self, rate: Vector) -> float:
        """Its rate about the vertical, counter-clockwise from above, for a rate in its own axes."""
        if self._frame.q is None:
            return 0.0
        x, y, z = (r - b for r, b in zip(rate, self.bias, strict=True))
        return quats.rotate(self._frame.q, (x, y, z))[2]

    def _guess(self, turned_deg: float) -> None:
        """Take the probable rotation about the vertical during a gap as the starting point for the probabilities of its
        heading."""
        angle = math.radians(turned_deg)
        self._heading.travelled(quats.about_z(angle))
        self._heading.turn += angle

    def _set_back(self, now: float) -> None:
        """Times continue from `now`, which may be earlier than the last one: a clock was set back."""
        if self.last_t is None or now >= self.last_t:
            return
        self._rest.restart()
        self.last_t = now
        self._lying.set_back(now)

    def _node_says(self, pose: FusedPose) -> list[Rest]:
        """Take a node's own pose; while no samples come through, a resting pose counts as a rest."""
        silent = 0.0 if self.last_t is None else pose.t - self.last_t - self._span
        if silent > BRIDGED_S and not self.moving and self.last_t is not None:
            self._lying.begin(self.last_t)
        hidden = self._frame.blind.before is not None
        there = self._frame.node_says(pose.pose, pose.anew, silent)
        if hidden and self._frame.blind.before is None:
            self._lying.bridged()
        if there is None or not pose.resting:
            return []
        return self._lying.said(pose.t)

    # ---- rests

    def _consider(self, t: float) -> list[Rest]:
        self.last_t = t
        return self._lying.consider(t)

    def _fails(self, t: float) -> list[Rest]:
        """A reading that cannot be gravity says nothing about the pose: the cube counts as moving until gravity is felt
        again."""
        self.last_t = t
        self._lying.unfelt(t, lost=self._health.failed)
        fault = self._health.fault(t, self._rest.accel)
        return [] if fault is None else [self._lying.fault(t, fault)]
