"""How one cube lay, how it lies now, and how sure that is: from a movement to the rest that ends it.

Gravity measures the up side anew at every rest. The heading comes from the filter and has to hold only from one rest to
the next. A residual at a rest is discarded as drift, up to what drift can explain; a larger one is kept, because then
somebody really moved the cube.
"""

from __future__ import annotations

import math

from firmware_bridge.packets import Vector
from sensors.cubes import quats, turns
from sensors.cubes.carry import Carry
from sensors.cubes.doubt import BELIEVED, HeadingDoubt
from sensors.cubes.frame import SensorFrame
from sensors.cubes.heading import Heading
from sensors.cubes.quats import Quat
from sensors.cubes.rest import Rest, RestDetector, dwell_s
from sensors.cubes.scale import ScaleLearner

_TRAY_PLAY_DEG = 4.0
# a hand that holds still strays no further; a cube that strays slowly beyond it has been moved
_STRAYED_DEG = 7.0
_WORD_DEG = 5.0  # possible error of a node's own pose
_TRAY_S = 1.0  # no hand is quiet for so long: the cube lay in its tray or on the table

_Nearest = tuple[int, float, float]  # a turn, how far off it is, and how far off the second-best is, degrees


class Lying:
    """`pose` is the turn at its last rest, `moving` whether it moves now, `moving_since` when that movement began.

    `mount` rotates sensor axes to body axes (None: taken from the first rest, where the cube lies as `start`). The
    tracker feeds `rest`, `frame` and `heading` with samples.
    """

    def __init__(
        self, mount: Quat | None, start: int, rest: RestDetector, frame: SensorFrame, heading: Heading
    ) -> None:
        self.pose: int | None = None
        self.moving = True
        self.moving_since = 0.0
        self.scale = ScaleLearner()
        self._mount = mount
        self._start = start
        self._rest = rest
        self._frame = frame
        self._heading = heading
        self._carry = Carry()
        self._doubt = HeadingDoubt()
        self._lay: Quat | None = None  # its orientation at rest, in the filter's frame
        self._anchored_at = 0.0
        self._held: tuple[float, Quat] | None = None  # since when it has held still, and its orientation then
        # it counts as moving only because it was not heard: it lay until then, and has not stirred since
        self._lay_still = False
        self._tray = False  # it has lain as still as only a tray or a table allows

    @property
    def orientation(self) -> Quat | None:
        """Present orientation, body to table, also between rests; None before the first rest."""
        return None if self._frame.q is None or self._mount is None else self._estimate(not self.moving)[0]

    def correct(self, turn: int) -> None:
        """A person says how the cube lies. With the same face up, the heading was lost; with another, the mounting is
        wrong.

        Raises ValueError where nothing has come from the cube yet.
        """
        if self._frame.q is None or self._mount is None or self.pose is None:
            raise ValueError("nothing has come from this cube yet")
        estimate, (now, _, _) = self._estimate()
        if turns.up_north(now)[0] != turns.up_north(turn)[0]:
            change = quats.multiply(quats.conjugate(turns.QUATS[turn]), turns.QUATS[now])
            self._mount = quats.multiply(change, self._mount)
            estimate, _ = self._estimate()
        left = quats.heading(quats.multiply(turns.QUATS[turn], quats.conjugate(estimate)))
        self._heading.turn += left
        self.pose, self._heading.doubt_deg = turn, 0.0
        self._doubt.reorient(0, known=True)
        self.scale.forget()

    def reorient(self, quarters: int, known: bool) -> None:
        """Its heading is, and was, so many quarter turns counter-clockwise off the tracked one. Allowed also while it
        moves.

        `known`: this is certain. Else the heading stays as doubtful as it was.
        """
        if self.pose is None:
            return
        self._heading.reorient(quarters)
        self._frame.blind.turn += quarters * math.pi / 2
        self.pose = turns.compose((self.pose, turns.quarters(quarters)))
        self._doubt.reorient(quarters, known)
        self.scale.forget()

    def carried(self, before: Quat, after: Quat, accels: list[Vector], dt: float) -> None:
        """It was felt to rotate from `before` to `after`, in the filter's frame."""
        if self.moving:
            self._carry.step(self._heading.to_table(before), self._heading.to_table(after), accels, dt)
        else:
            self._carry.rests(self._rest.accel)

    # ---- what was missed

    def begin_anew(self) -> None:
        """The filter's frame restarted: its orientation at rest in that frame is void."""
        self._lay = None
        self.scale.forget()

    def set_back(self, now: float) -> None:
        """Times continue from `now`, which is earlier than the last one."""
        self._held = None
        self._anchored_at, self.moving_since = min(now, self._anchored_at), min(now, self.moving_since)

    def unheard(self, since: float | None, now: float, anew: bool) -> None:
        """Nothing was heard from `since` until `now`. `anew`: what comes now is of another time, too."""
        self._held = None
        # `_lay_still`: a second gap, before the cube counted as at rest again
        lay = (not self.moving or self._lay_still) and not anew
        self._doubt.silence(now if since is None else since, now, not lay)
        self._frame.lose(now)
        self.begin_anew()
        self._rest.restart()
        if not self.moving and since is not None:
            self.begin(since)
        self._lay_still = lay

    def bridged(self) -> None:
        """Its node reported what happened during the gap."""
        self._doubt.bridged()

    def unfelt(self, t: float, lost: bool) -> None:
        """The readings say nothing about its pose: it counts as moving. `lost`: no filter can continue from there,
        either."""
        self._held = None
        if not self.moving:
            self.begin(t)
        if lost and self._frame.q is not None:
            self._frame.lose(t)
            self._doubt.silence(t, t, moved=True)
            self.begin_anew()

    def fault(self, t: float, what: str) -> Rest:
        """Not a rest, but a report of a sensor fault."""
        pose = self._start if self.pose is None else self.pose
        return Rest(t, self.moving_since, pose, pose, 0.0, 0.0, (0.0, 0.0, 0.0), fault=what)

    # ---- rests

    def begin(self, t: float) -> None:
        """A movement begins at `t`."""
        self.moving, self.moving_since, self._held = True, t, None
        self._lay_still = False
        self._heading.begin()
        self._carry.begin()

    def consider(self, t: float) -> list[Rest]:
        """The rest that the newest sample, at time `t`, brings, if it ends a movement."""
        rest, q = self._rest, self._frame.q
        if q is None:
            return []
        if not self.moving:
            self._lie(t, q)
            return []
        if rest.stirs:
            self._lay_still = False
        if self._frame.blind.waits(t):
            return []  # the node is about to report what happened meanwhile
        since, quiet = self._holds(t, q)
        if t - since < (0.1 if rest.bias_known and quiet else 0.55):
            return []
        if self.pose is None:
            return self._first(t, since)
        estimate, nearest = self._estimate(still=quiet)
        after, off, _ = nearest
        if t - since < dwell_s(off, quiet, self._tray and self._heading.tray):
            return []
        out = self._arrived(t, since, quiet, estimate, nearest)
        if quiet and self._mount is not None:
            self._learn(self._mount, after, off, out.lost)
        else:
            self.scale.forget()
        drift = self._heading.drift_deg(t - self.moving_since)
        self._heading.throw_away(estimate, after, drift + (_TRAY_PLAY_DEG if quiet else 0.0))
        self._settle(t, after)
        return [out]

    def _holds(self, t: float, q: Quat) -> tuple[float, bool]:
        """Since when it has held still, and whether it is quiet; if not quiet, it strays a little, as in a hand."""
        if self._held is None or quats.angle_deg(self._held[1], q) > _STRAYED_DEG:
            self._lay_still = self._lay_still and self._held is None
            self._held = (t, q)
        quiet_since = self._rest.quiet_since
        if quiet_since is not None and t - quiet_since >= 0.1:
            return quiet_since, True
        return self._held[0], False

    def _arrived(self, t: float, since: float, quiet: bool, estimate: Quat, nearest: _Nearest) -> Rest:
        """The rest that ends the movement; updates the doubt of its heading."""
        assert self.pose is not None
        after, off, second = nearest
        residual = quats.heading(quats.multiply(estimate, quats.conjugate(turns.QUATS[after])))
        same_side = turns.up_north(after)[0] == turns.up_north(self.pose)[0]
        before = self._doubt.odds
        lost = self._doubt.rest(since, math.degrees(residual), self._heading.doubt_deg, same_side)
        return Rest(
            t=self._rest.came_to_rest(since) if quiet else since,
            since=self.moving_since,
            before=self.pose,
            after=after,
            off_deg=off,
            margin_deg=self._margin(off, second),
            path=self._heading.path,
            moved_m=self._moved(t) if quiet else None,
            headings=self._doubt.odds,
            headings_before=before,
            lost=lost,
        )

    def _learn(self, mount: Quat, after: int, off: float, lost: bool) -> None:
        """A quiet rest tells whether there is a tray; if the pose is known at both ends, the movement teaches the gyro
        scale."""
        if not lost:  # a cube that was askew because of a lost heading says nothing about the tray
            self._heading.lay(off)
        lies = None
        if self._tray and self._heading.tray and self._heading.doubt_deg == 0.0:
            lies = quats.levelled(quats.multiply(turns.QUATS[after], mount), self._rest.accel)
        self.scale.arrives(lies, self._frame.summed, self._heading.travel_deg)

    def said(self, t: float) -> list[Rest]:
        """The rest by its node's own pose at `t`, while no samples come through."""
        if self.pose is None or self._mount is None:
            return []
        _, (after, off, second) = self._estimate(still=False)
        margin = self._margin(off, second, _WORD_DEG)
        if second - off <= 2 * (self._heading.doubt_deg + _WORD_DEG):
            return []
        odds = self._doubt.odds
        rest = Rest(
            t=t,
            since=self.moving_since,
            before=self.pose,
            after=after,
            off_deg=off,
            margin_deg=margin,
            path=self._heading.path,
            headings=odds,
            headings_before=odds,
        )
        self._settle(t, after)
        return [rest]

    def _lie(self, t: float, q: Quat) -> None:
        """While it lies: discard drift, and detect the beginning of a movement, quick, or slow but far."""
        rest = self._rest
        if rest.still_since is None:
            self.begin(t)
        elif rest.quiet_since is not None and t - self._anchored_at > 0.1:
            estimate, (turn, _, _) = self._estimate()
            self._heading.keep(estimate, turn, t - self._anchored_at)
            self._anchored_at, self._lay = t, q
            self._tray = self._tray or t - rest.quiet_since > _TRAY_S
            self.scale.lies(self._frame.summed)
        elif self._lay is not None and quats.angle_deg(self._lay, q) > _STRAYED_DEG:
            self.begin(self._anchored_at)
            self._heading.travelled(quats.multiply(q, quats.conjugate(self._lay)))

    def _settle(self, t: float, turn: int) -> None:
        self.moving, self._heading.doubt_deg, self._anchored_at, self.pose = False, 0.0, t, turn
        self._frame.blind.before, self._lay = None, self._frame.q

    def _margin(self, off: float, second: float, more_deg: float = 0.0) -> float:
        """How much further off the second-best turn is; zero where the heading is in doubt."""
        if self._doubt.odds[0] < BELIEVED:
            return 0.0
        return max(0.0, second - off - 2 * (self._heading.doubt_deg + more_deg))

    def _moved(self, t: float) -> tuple[float, float] | None:
        if self._heading.doubt_deg > 5 or self._doubt.odds[0] < BELIEVED:
            return None
        return self._carry.moved(t - self.moving_since)

    def _first(self, t: float, since: float) -> list[Rest]:
        if self._mount is None:
            # where somebody said how it lies, sensor axes are taken as body axes by convention
            up = quats.rotate(quats.conjugate(self._frame.level(self._rest.accel)), (0.0, 0.0, 1.0))
            told = self._start != turns.IDENTITY
            self._mount = turns.QUATS[turns.IDENTITY if told else turns.lying(up)]
        level = quats.multiply(self._frame.level(self._rest.accel), quats.conjugate(self._mount))
        wanted = turns.QUATS[self._start]
        self._heading.turn = -quats.heading(quats.multiply(level, quats.conjugate(wanted)))
        after, off, second = turns.nearest(self._heading.to_table(level))
        self._settle(t, after)
        self._doubt.bridged()  # the first rest defines the heading, so nothing missed before it matters
        return [Rest(since, since, after, after, off, max(0.0, second - off), (0.0, 0.0, 0.0), first=True)]

    def _estimate(self, still: bool = True) -> tuple[Quat, _Nearest]:
        """Body to table, and the nearest turn. In a trembling hand the filter is better than the momentary gravity."""
        assert self._mount is not None
        assert self._frame.q is not None
        q = self._frame.level(self._rest.accel) if still else self._frame.q
        body = quats.multiply(q, quats.conjugate(self._mount))
        estimate = self._heading.to_table(body)
        return estimate, turns.nearest(estimate)
