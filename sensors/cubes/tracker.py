"""One cube, from samples to rests: where it lay, where it lies now, and how sure that is.

The up side is measured by gravity at every rest, anew. The heading comes from the filter and has to be right only
from one rest to the next: what is left over at a rest is thrown away as drift, but no more than drift can be – the
rest of it is kept, because then somebody really moved the cube.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from firmware_bridge.packets import Vector
from firmware_bridge.samples import FusedPose, MotionBatch
from sensors.cubes import quats, turns
from sensors.cubes.orientation import G, OrientationFilter, make_filter
from sensors.cubes.quats import Quat, Vec
from sensors.cubes.rest import RestDetector

BRIDGED_S = 0.3  # a gap that the samples on its two sides can speak for
_BRIDGE_S = 0.5  # a node says its own pose ten times a second
CARRIED_S = 2.5  # for how long accelerations can be summed up twice
SATURATED_DPS = 1990.0
_SCALE_ERROR = 0.025  # of the angle turned: scale and alignment of a cheap gyroscope
_DRIFT_DPS = 0.2
_TRAY_PLAY_DEG = 4.0
_HELD_DEG = 7.0  # a hand that holds still strays no further
_TRAY_S = 1.0  # no hand is quiet for so long: the cube lay in its tray, or on the table
_ASKEW_DEG = 15.0  # nothing in a tray lies further off


@dataclass(frozen=True, slots=True)
class Rest:
    """A cube has come to rest: turns `before` and `after` (numbers of turns.QUATS), and how.

    `t` when it came to rest, `since` when it began to move; `off_deg` off the turn `after`, `margin_deg` what the
    runner-up is further off, less twice the heading's uncertainty; `path` the rotation vector summed up on the way
    (radians, table axes); `quiet` as in a tray, else as in a hand.
    """

    t: float
    since: float
    before: int
    after: int
    off_deg: float
    margin_deg: float
    path: Vec
    quiet: bool
    first: bool = False
    moved_m: tuple[float, float] | None = (
        None  # east, north, from the first rest to this one; None: not to be told
    )


class CubeTracker:
    """Feed samples, get rests. `mount` turns sensor axes into body axes (None: taken from the first rest)."""

    def __init__(
        self, mount: Quat | None = None, start: int = turns.IDENTITY, filter_name: str | None = None
    ) -> None:
        self.pose: int | None = None
        self.moving = True
        self.moving_since = 0.0
        self.bias: Vector = (0.0, 0.0, 0.0)
        self.last_t: float | None = None
        self._mount = mount
        self._start = start
        self._filter_name = filter_name
        self._filter: OrientationFilter | None = None
        self._period = 0.0
        self._rest = RestDetector()
        self._turn = 0.0  # heading of the table in the filter's frame, radians
        self._q: Quat | None = None  # sensor to filter's frame, newest
        self._last: tuple[Vector, Vector] | None = None
        self._path: Vec = (0.0, 0.0, 0.0)
        self._travel = 0.0
        self._doubt = 0.0  # degrees of heading that may have been missed since the last rest
        self._node_pose: tuple[Quat, Quat] | None = (
            None  # the node's own orientation, and ours at that moment
        )
        self._blind: Quat | None = None  # our last orientation before a gap
        self._seeing_since = 0.0  # when the gap ended
        self._chip: list[tuple[float, Quat]] = []
        self._anchored_at = 0.0
        self._carried: list[float] = [
            0.0
        ] * 4  # velocity and way east and north since the last rest, m/s and m
        self._gravity = 1.0  # its size as this accelerometer measures it at rest, g
        self._held: tuple[float, Quat] | None = (
            None  # since when the orientation has strayed little, and from where
        )
        self._tray = False  # it has been seen to lie as only in a tray or on a table
        self._askew = 0.0  # share of late rests that lie as in no tray: then residuals are real, not drift

    @property
    def orientation(self) -> Quat | None:
        """Body to table as it is felt now, also on the way from rest to rest; None before the first rest."""
        return None if self._q is None or self._mount is None else self._estimate()[0]

    # ---- samples

    def motion(self, batch: MotionBatch) -> list[Rest]:
        """Take samples of rate and acceleration; the rests that they end."""
        rates, accels = list(batch.rates), list(batch.accels)
        if not rates:
            return []
        if self._filter is None or not 0.8 < batch.period_s / self._period < 1.25:
            self._filter = make_filter(batch.period_s, self._filter_name)
            self._period = batch.period_s
        gap = batch.missing * batch.period_s
        first_t = batch.t
        if self._last is not None and batch.missing:
            if gap <= BRIDGED_S:
                rates, accels = self._filled(batch.missing, rates, accels)
                first_t -= gap
                self._doubt += 0.1 * gap * _length(rates[0])
            else:
                self._go_blind(gap, batch.t)
        self._last = (batch.rates[-1], batch.accels[-1])
        dt = batch.period_s
        for i, (rate, accel) in enumerate(zip(rates, accels, strict=True)):
            self._rest.update(first_t + i * dt, dt, rate, accel)
            if max(rate) > SATURATED_DPS or min(rate) < -SATURATED_DPS:
                self._doubt += dt * 200.0
        self.bias = self._rest.bias
        array = (np.array(rates) - self._rest.bias) * (dt / self._period)
        before = self._q
        self._q = self._filter.update(array, np.array(accels))
        if before is not None:
            self._carry(before, accels, dt)
            self._travelled(quats.multiply(self._q, quats.conjugate(before)))
        return self._consider(first_t + (len(rates) - 1) * dt)

    def fused(self, pose: FusedPose) -> list[Rest]:
        """Take an orientation of the chip itself; as samples where there are no rates, as a bridge where there are."""
        if pose.bridging:
            self._bridge(pose)
            return []
        last_t, before = self._chip[-1] if self._chip else (None, None)
        if last_t is not None and before is not None:
            dt = pose.t - last_t
            if dt <= 0:
                return []
            if dt > BRIDGED_S:
                self._chip.clear()
                self._rest.restart()
                if not self.moving:
                    self._begin(last_t)
            self._travelled(quats.multiply(pose.pose, quats.conjugate(before)))
            while len(self._chip) > 1 and pose.t - self._chip[0][0] > 0.06:
                self._chip.pop(0)
        self._chip.append((pose.t, pose.pose))
        self._q = pose.pose
        then, old = self._chip[0]
        if pose.t > then:
            turned = quats.rotation_vector(quats.multiply(quats.conjugate(old), pose.pose))
            scale = math.degrees(1.0) / (pose.t - then)
            rate = (turned[0] * scale, turned[1] * scale, turned[2] * scale)
            self._rest.bias_known = True
            self._rest.update(pose.t, pose.t - (last_t or then), rate, pose.accel or (0.0, 0.0, 1.0))
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
        self._turn += left
        self.pose, self._doubt = turn, 0.0

    # ---- gaps

    def _filled(
        self, missing: int, rates: Sequence[Vector], accels: Sequence[Vector]
    ) -> tuple[list[Vector], list[Vector]]:
        """`missing` samples on the straight line between the last one and the first of these, then these."""
        assert self._last is not None
        steps = [(i + 1) / (missing + 1) for i in range(missing)]
        between = [_mixed(self._last[0], rates[0], s) for s in steps]
        return [*between, *rates], [*(_mixed(self._last[1], accels[0], s) for s in steps), *accels]

    def _go_blind(self, gap: float, now: float) -> None:
        self._seeing_since, self._held = now, None
        if self._blind is None:
            self._blind = self._q
        if self._filter is not None:
            self._filter.restart()
        self._rest.restart()
        self._q = None
        self._doubt += 45.0
        if not self.moving and self.last_t is not None:
            self._begin(self.last_t)

    def _bridge(self, pose: FusedPose) -> None:
        """The node integrates by itself: after a gap, what turned between its last word and this one is added."""
        if self._blind is not None and self._q is not None and self._node_pose is not None:
            theirs, ours = self._node_pose
            expected = quats.multiply(ours, quats.multiply(quats.conjugate(theirs), pose.pose))
            turned = quats.multiply(self._q, quats.conjugate(expected))
            self._turn -= quats.heading(turned)
            self._travelled(quats.multiply(expected, quats.conjugate(ours)))
            self._doubt = max(0.0, self._doubt - 45.0) + 3.0
            self._blind = None
        elif self._blind is not None:
            return
        if self._q is not None:
            self._node_pose = (pose.pose, self._q)

    def _carry(self, before: Quat, accels: Sequence[Vector], dt: float) -> None:
        """Sum up the acceleration twice. It is of use for a second or so, and only because both ends are at rest."""
        if not self.moving:
            self._gravity += 0.05 * (_length(self._rest.accel) - self._gravity)
            return
        n = len(accels)
        mean = (sum(a[0] for a in accels) / n, sum(a[1] for a in accels) / n, sum(a[2] for a in accels) / n)
        assert self._q is not None
        a, b = before, self._q
        sign = 1.0 if a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] >= 0 else -1.0
        middle = quats.normalised(
            (a[0] + sign * b[0], a[1] + sign * b[1], a[2] + sign * b[2], a[3] + sign * b[3])
        )
        x, y, _ = quats.rotate(quats.multiply(quats.about_z(self._turn), middle), mean)
        c, step, k = self._carried, n * dt, G / self._gravity
        c[2] += c[0] * step + 0.5 * x * k * step * step
        c[3] += c[1] * step + 0.5 * y * k * step * step
        c[0] += x * k * step
        c[1] += y * k * step

    def _moved(self, t: float) -> tuple[float, float] | None:
        """Metres east and north since the last rest; velocity left at rest is an error that grew evenly."""
        took = t - self.moving_since
        if self._filter is None or took > CARRIED_S or self._doubt > 5:
            return None
        vx, vy, x, y = self._carried
        return (x - vx * took / 2, y - vy * took / 2)

    def _travelled(self, step: Quat) -> None:
        x, y, z = quats.rotate(quats.about_z(self._turn), quats.rotation_vector(step))
        self._path = (self._path[0] + x, self._path[1] + y, self._path[2] + z)
        self._travel += math.degrees(math.sqrt(x * x + y * y + z * z))

    # ---- rests

    def _begin(self, t: float) -> None:
        self.moving, self.moving_since, self._held = True, t, None
        self._path, self._travel = (0.0, 0.0, 0.0), 0.0
        self._carried = [0.0] * 4

    def _consider(self, t: float) -> list[Rest]:
        """Whether the newest sample, of time `t`, ends a movement."""
        self.last_t = t
        rest = self._rest
        if self._q is None:
            return []
        if not self.moving:
            if rest.still_since is None:
                self._begin(t)
            elif rest.quiet_since is not None and t - self._anchored_at > 0.1:
                self._anchor(*self._estimate(), (t - self._anchored_at) * _DRIFT_DPS)
                self._anchored_at = t
                self._tray = self._tray or t - rest.quiet_since > _TRAY_S
            return []
        if self._blind is not None and self._node_pose is not None and t - self._seeing_since < _BRIDGE_S:
            return []  # the node is about to say what happened meanwhile
        if self._held is None or quats.angle_deg(self._held[1], self._q) > _HELD_DEG:
            self._held = (t, self._q)
        quiet = rest.quiet_since is not None and t - rest.quiet_since >= 0.1
        since = rest.quiet_since if quiet and rest.quiet_since is not None else self._held[0]
        if t - since < (0.1 if rest.bias_known and quiet else 0.55):
            return []
        if self.pose is None:
            return self._first(t, since, quiet)
        estimate, (after, off, second) = self._estimate(still=quiet)
        if t - since < _dwell(off, quiet, self._tray and self._askew < 0.2):
            return []
        out = Rest(
            t=since,
            since=self.moving_since,
            before=self.pose,
            after=after,
            off_deg=off,
            margin_deg=max(0.0, second - off - 2 * self._doubt),
            path=self._path,
            quiet=quiet,
            moved_m=self._moved(t) if quiet else None,
        )
        if quiet:
            self._askew += 0.25 * ((off > _ASKEW_DEG) - self._askew)
        self._anchor(estimate, (after, off, second), self._drift(t) + (_TRAY_PLAY_DEG if quiet else 0.0))
        self.moving, self._doubt, self._anchored_at, self.pose = False, 0.0, t, after
        self._blind = None
        return [out]

    def _drift(self, t: float) -> float:
        """Degrees of heading that the gyroscope may be wrong by since the last rest.

        A scale error counts in full on what was turned one way, and like a random walk on what went to and fro.
        """
        coherent = math.degrees(math.sqrt(sum(v * v for v in self._path)))
        to_and_fro = math.sqrt(90.0 * self._travel)
        return (
            1.0 + _SCALE_ERROR * (coherent + to_and_fro) + _DRIFT_DPS * (t - self.moving_since) + self._doubt
        )

    def _first(self, t: float, since: float, quiet: bool) -> list[Rest]:
        assert self._q is not None
        if self._mount is None:
            known = (
                self._start != turns.IDENTITY
            )  # a pose that somebody told: then the sensor's axes are the body's
            self._mount = turns.QUATS[turns.IDENTITY] if known else self._mount_of_first_rest()
        level = quats.multiply(self._level(), quats.conjugate(self._mount))
        wanted = turns.QUATS[self._start]
        self._turn = -quats.heading(quats.multiply(level, quats.conjugate(wanted)))
        after, off, second = turns.nearest(quats.multiply(quats.about_z(self._turn), level))
        self.pose, self.moving, self._doubt, self._anchored_at = after, False, 0.0, t
        margin = max(0.0, second - off)
        return [Rest(since, since, after, after, off, margin, (0.0, 0.0, 0.0), quiet, first=True)]

    def _mount_of_first_rest(self) -> Quat:
        """Sensor z is up by agreement; where gravity says otherwise the first rest is still up U."""
        assert self._q is not None
        up = quats.rotate(quats.conjugate(self._level()), (0.0, 0.0, 1.0))
        best = max(
            range(24), key=lambda i: (round(quats.rotate(turns.QUATS[i], up)[2], 1), turns.QUATS[i][0])
        )
        return turns.QUATS[best]

    def _level(self) -> Quat:
        """The filter's orientation with its up side as gravity says now (a chip's own angles as they are)."""
        assert self._q is not None
        return self._q if self._filter is None else quats.levelled(self._q, self._rest.accel)

    def _estimate(self, still: bool = True) -> tuple[Quat, tuple[int, float, float]]:
        """Body to table, and the nearest turns. In a hand that trembles the filter knows better than gravity of now."""
        assert self._mount is not None
        assert self._q is not None
        body = quats.multiply(self._level() if still else self._q, quats.conjugate(self._mount))
        estimate = quats.multiply(quats.about_z(self._turn), body)
        return estimate, turns.nearest(estimate)

    def _anchor(self, estimate: Quat, near: tuple[int, float, float], bound_deg: float) -> None:
        """Throw away what is left of the heading where drift explains it; more than that is real and kept."""
        left = quats.heading(quats.multiply(turns.QUATS[near[0]], quats.conjugate(estimate)))
        if self._askew > 0.2:
            bound_deg *= 0.25
        if abs(left) <= math.radians(bound_deg):
            self._turn += left


def _dwell(off_deg: float, quiet: bool, tray: bool) -> float:
    """Seconds of stillness that make a rest: the further off one of the 24 turns, the longer we wait.

    Where there is a `tray`, a cube that is held still is being looked at: that is no rest yet.
    """
    if quiet:
        return 0.11 if off_deg < 9 else 0.3 if off_deg < 16 else 0.8 if off_deg < 30 else 1.5
    if tray:
        return 3.0 if off_deg < 16 else 5.0
    return 0.6 if off_deg < 9 else 0.9 if off_deg < 16 else 1.4 if off_deg < 30 else 2.5


def _length(v: Vector) -> float:
    return math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


def _mixed(a: Vector, b: Vector, s: float) -> Vector:
    return (a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1]), a[2] + s * (b[2] - a[2]))
