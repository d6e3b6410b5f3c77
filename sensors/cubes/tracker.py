"""One cube, from samples to rests: where it lay, where it lies now, and how sure that is.

The up side is measured by gravity at every rest, anew. The heading comes from the filter and has to be right only
from one rest to the next: what is left over at a rest is thrown away as drift, but no more than drift can be – the
rest of it is kept, because then somebody really moved the cube.
"""

from __future__ import annotations

import math

import numpy as np

from firmware_bridge.packets import Vector
from firmware_bridge.samples import FusedPose, MotionBatch
from sensors.cubes import quats, turns
from sensors.cubes.carry import Carry
from sensors.cubes.chip import ChipRates
from sensors.cubes.gaps import BRIDGED_S, Blind, filled
from sensors.cubes.heading import Heading
from sensors.cubes.orientation import OrientationFilter, make_filter
from sensors.cubes.quats import Quat
from sensors.cubes.rest import Rest, RestDetector, dwell_s
from sensors.cubes.scale import ScaleLearner

SATURATED_DPS = 1990.0
_TRAY_PLAY_DEG = 4.0
_STRAYED_DEG = 7.0  # a hand that holds still strays no further; a cube that did so slowly has been moved
_TRAY_S = 1.0  # no hand is quiet for so long: the cube lay in its tray, or on the table


class CubeTracker:
    """Feed samples, get rests. `mount` turns sensor axes into body axes (None: taken from the first rest)."""

    def __init__(
        self, mount: Quat | None = None, start: int = turns.IDENTITY, filter_name: str | None = None
    ) -> None:
        self.pose: int | None = None
        self.moving = True
        self.moving_since = 0.0
        self.bias: Vector = (0.0, 0.0, 0.0)
        self.scale = ScaleLearner()
        self.last_t: float | None = None
        self._mount = mount
        self._start = start
        self._filter_name = filter_name
        self._filter: OrientationFilter | None = None
        self._period = 0.0
        self._rest = RestDetector()
        self._heading = Heading()
        self._carry = Carry()
        self._chip = ChipRates()
        self._blind = Blind()
        self._q: Quat | None = None  # sensor to filter's frame, newest
        self._known: Quat | None = None  # the last one before the filter began anew, in the frame of then
        self._last: tuple[Vector, Vector] | None = None
        self._lay: Quat | None = None  # how it lay, in the filter's frame
        self._anchored_at = 0.0
        self._held: tuple[float, Quat] | None = None  # since when it has strayed little, and from where
        self._tray = False  # it has been seen to lie as only in a tray or on a table
        self._departed: tuple[Quat, Quat] | None = (
            None  # at the last rest: sensor to table, and the rates' sum
        )

    @property
    def orientation(self) -> Quat | None:
        """Body to table as it is felt now, also on the way from rest to rest; None before the first rest."""
        return None if self._q is None or self._mount is None else self._estimate(still=not self.moving)[0]

    # ---- samples

    def motion(self, batch: MotionBatch) -> list[Rest]:
        """Take samples of rate and acceleration; the rests that they end."""
        rates, accels = list(batch.rates), list(batch.accels)
        if not rates:
            return []
        if self._filter is None or not 0.8 < batch.period_s / self._period < 1.25:
            self._filter = make_filter(batch.period_s, self._filter_name)
            self._period = batch.period_s
            self._begin_anew()
        gap = batch.missing * batch.period_s
        first_t = batch.t
        if self._last is not None and batch.missing:
            if gap <= BRIDGED_S:
                rates = filled(self._last[0], rates, batch.missing)
                accels = filled(self._last[1], accels, batch.missing)
                first_t -= gap
                self._heading.doubt_deg += 0.1 * gap * math.hypot(*rates[0])
            else:
                self._go_blind(batch.t)
        self._last = (batch.rates[-1], batch.accels[-1])
        dt = batch.period_s
        for i, (rate, accel) in enumerate(zip(rates, accels, strict=True)):
            self._rest.update(first_t + i * dt, dt, rate, accel)
            if max(rate) > SATURATED_DPS or min(rate) < -SATURATED_DPS:
                self._heading.doubt_deg += dt * 200.0
        self.bias = self._rest.bias
        array = (np.array(rates) - self._rest.bias) * (dt / self._period) / (1 + np.array(self.scale.error))
        before = self._q
        self._q = self._filter.update(array, np.array(accels))
        if before is not None:
            self._heading.travelled(quats.multiply(self._q, quats.conjugate(before)))
            self._carried(before, self._q, accels, dt)
        elif (
            self._known is not None
        ):  # the new frame's heading means nothing: it lies as it did, for all we know
            turned = quats.multiply(self._known, quats.conjugate(self._level()))
            self._heading.turn += quats.heading(turned)
        return self._consider(first_t + (len(rates) - 1) * dt)

    def fused(self, pose: FusedPose) -> list[Rest]:
        """Take an orientation of the chip itself; as samples where there are no rates, as a bridge where there are."""
        if pose.bridging:
            self._bridge(pose.pose)
            return []
        last = self._chip.last
        if last is not None:
            if pose.t <= last[0]:
                return []
            if pose.t - last[0] > BRIDGED_S:
                self._chip.forget()
                self._rest.restart()
                if not self.moving:
                    self._begin(last[0])
            self._heading.travelled(quats.multiply(pose.pose, quats.conjugate(last[1])))
            if pose.accel is not None:
                self._carried(last[1], pose.pose, [pose.accel], pose.t - last[0])
        self._chip.add(pose.t, pose.pose)
        self._q = pose.pose
        if self._chip.rate is not None and last is not None:
            self._rest.bias_known = True
            self._rest.update(pose.t, pose.t - last[0], self._chip.rate, pose.accel or (0.0, 0.0, 1.0))
            self._rest.bias = (0.0, 0.0, 0.0)
        return self._consider(pose.t)

    def correct(self, turn: int) -> None:
        """A person says how the cube lies. The same face up: the heading was lost. Another: its sensor sits otherwise.

        Raises ValueError where nothing has come from the cube yet.
        """
        if self._q is None or self._mount is None or self.pose is None:
            raise ValueError("nothing has come from this cube yet")
        estimate, (now, _, _) = self._estimate()
        if turns.up_north(now)[0] != turns.up_north(turn)[0]:
            change = quats.multiply(quats.conjugate(turns.QUATS[turn]), turns.QUATS[now])
            self._mount = quats.multiply(change, self._mount)
            estimate, _ = self._estimate()
        left = quats.heading(quats.multiply(turns.QUATS[turn], quats.conjugate(estimate)))
        self._heading.turn += left
        self.pose, self._heading.doubt_deg, self._departed = turn, 0.0, None

    def _carried(self, before: Quat, after: Quat, accels: list[Vector], dt: float) -> None:
        if self.moving:
            self._carry.step(self._heading.to_table(before), self._heading.to_table(after), accels, dt)
        else:
            self._carry.rests(self._rest.accel)

    # ---- gaps

    def _begin_anew(self) -> None:
        """The filter has forgotten its frame; the heading is carried over into the next."""
        self._known = self._q or self._known
        self._q = self._lay = self._departed = None

    def _go_blind(self, now: float) -> None:
        self._held = None
        self._blind.begin(self._q, self._heading.turn, now)
        if self._filter is not None:
            self._filter.restart()
        self._begin_anew()
        self._rest.restart()
        self._heading.doubt_deg += 45.0
        if not self.moving and self.last_t is not None:
            self._begin(self.last_t)

    def _bridge(self, said: Quat) -> None:
        """After a gap, what turned between the node's last word and this one is added."""
        if self._q is None:
            return
        turn = self._blind.turn
        found = self._blind.expected(said)
        if found is not None:
            expected, ours = found
            self._heading.turn = turn - quats.heading(quats.multiply(self._q, quats.conjugate(expected)))
            self._heading.travelled(quats.multiply(expected, quats.conjugate(ours)))
            self._heading.doubt_deg = max(0.0, self._heading.doubt_deg - 45.0) + 3.0
        self._blind.note(said, self._q)

    # ---- rests

    def _begin(self, t: float) -> None:
        self.moving, self.moving_since, self._held = True, t, None
        self._heading.begin()
        self._carry.begin()

    def _consider(self, t: float) -> list[Rest]:
        """Whether the newest sample, of time `t`, ends a movement."""
        self.last_t = t
        if self._q is None:
            return []
        if not self.moving:
            self._lie(t, self._q)
            return []
        rest = self._rest
        if self._blind.waits(t):
            return []  # the node is about to say what happened meanwhile
        if self._held is None or quats.angle_deg(self._held[1], self._q) > _STRAYED_DEG:
            self._held = (t, self._q)
        quiet = rest.quiet_since is not None and t - rest.quiet_since >= 0.1
        since = rest.quiet_since if quiet and rest.quiet_since is not None else self._held[0]
        if t - since < (0.1 if rest.bias_known and quiet else 0.55):
            return []
        if self.pose is None:
            return self._first(t, since, quiet)
        estimate, (after, off, second) = self._estimate(still=quiet)
        if t - since < dwell_s(off, quiet, self._tray and self._heading.tray):
            return []
        out = Rest(
            t=rest.came_to_rest(since) if quiet else since,
            since=self.moving_since,
            before=self.pose,
            after=after,
            off_deg=off,
            margin_deg=max(0.0, second - off - 2 * self._heading.doubt_deg),
            path=self._heading.path,
            quiet=quiet,
            moved_m=self._moved(t) if quiet else None,
        )
        if quiet:
            self._heading.lay(off)
        self._arrive(after, quiet)
        drift = self._heading.drift_deg(t - self.moving_since)
        self._heading.throw_away(estimate, after, drift + (_TRAY_PLAY_DEG if quiet else 0.0))
        self._settle(t, after)
        return [out]

    def _lie(self, t: float, q: Quat) -> None:
        """It lies: throw away what drifts, and see whether it begins to move – quickly, or slowly but far."""
        rest = self._rest
        if rest.still_since is None:
            self._begin(t)
        elif rest.quiet_since is not None and t - self._anchored_at > 0.1:
            estimate, (turn, _, _) = self._estimate()
            self._heading.keep(estimate, turn, t - self._anchored_at)
            self._anchored_at, self._lay = t, q
            self._tray = self._tray or t - rest.quiet_since > _TRAY_S
            if self._departed is not None and self._filter is not None and self._filter.turned is not None:
                self._departed = (self._departed[0], self._filter.turned)
        elif self._lay is not None and quats.angle_deg(self._lay, q) > _STRAYED_DEG:
            self._begin(self._anchored_at)
            self._heading.travelled(quats.multiply(q, quats.conjugate(self._lay)))

    def _settle(self, t: float, turn: int) -> None:
        self.moving, self._heading.doubt_deg, self._anchored_at, self.pose = False, 0.0, t, turn
        self._blind.before, self._lay = None, self._q

    def _arrive(self, after: int, quiet: bool) -> None:
        """Where both ends of a movement are known, the gyroscope's scale can be learned from it."""
        if self._filter is None or self._filter.turned is None or self._mount is None:
            return
        now = None
        if quiet and self._tray and self._heading.tray and self._heading.doubt_deg == 0.0:
            lies = quats.levelled(quats.multiply(turns.QUATS[after], self._mount), self._rest.accel)
            now = (lies, self._filter.turned)
            if self._departed is not None:
                before, felt = self._departed
                felt = quats.multiply(quats.conjugate(felt), self._filter.turned)
                self.scale.learn(before, lies, felt, self._heading.travel_deg)
        self._departed = now

    def _moved(self, t: float) -> tuple[float, float] | None:
        if self._heading.doubt_deg > 5:
            return None
        return self._carry.moved(t - self.moving_since)

    def _first(self, t: float, since: float, quiet: bool) -> list[Rest]:
        assert self._q is not None
        if self._mount is None:
            # where somebody told how it lies, its sensor's axes are the body's by agreement
            up = quats.rotate(quats.conjugate(self._level()), (0.0, 0.0, 1.0))
            told = self._start != turns.IDENTITY
            self._mount = turns.QUATS[turns.IDENTITY if told else turns.lying(up)]
        level = quats.multiply(self._level(), quats.conjugate(self._mount))
        wanted = turns.QUATS[self._start]
        self._heading.turn = -quats.heading(quats.multiply(level, quats.conjugate(wanted)))
        after, off, second = turns.nearest(self._heading.to_table(level))
        self._settle(t, after)
        margin = max(0.0, second - off)
        return [Rest(since, since, after, after, off, margin, (0.0, 0.0, 0.0), quiet, first=True)]

    def _level(self) -> Quat:
        """The filter's orientation with its up side as gravity says now (a chip's own angles as they are)."""
        assert self._q is not None
        return self._q if self._filter is None else quats.levelled(self._q, self._rest.accel)

    def _estimate(self, still: bool = True) -> tuple[Quat, tuple[int, float, float]]:
        """Body to table, and the nearest turns. In a hand that trembles the filter knows better than gravity of now."""
        assert self._mount is not None
        assert self._q is not None
        body = quats.multiply(self._level() if still else self._q, quats.conjugate(self._mount))
        estimate = self._heading.to_table(body)
        return estimate, turns.nearest(estimate)
