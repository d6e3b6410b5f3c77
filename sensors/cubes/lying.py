"""How one cube lay, how it lies now, and how sure that is: from a movement to the rest that ends it.

Gravity measures the up side anew at every rest. The heading comes from the filter and has to be right only from one
rest to the next. What is left over at a rest is discarded as drift, but no more than drift can explain: the remainder
is kept, for then somebody really moved the cube.
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
_STRAYED_DEG = 7.0  # a hand that holds still strays no further; a cube that did so slowly has been moved
_WORD_DEG = 5.0  # that a node's own pose may be off
_TRAY_S = 1.0  # no hand is quiet for so long: the cube lay in its tray, or on the table

_Nearest = tuple[int, float, float]  # a turn, how far off it is, and how far off the second-best is, degrees


class Lying:
    """`pose` is the turn in which it rested last, `moving` whether it moves now, and `moving_since` when it began to.

    `mount` turns sensor axes into body axes (None: taken from the first rest, where it lies as `start`). The tracker
    feeds `rest`, `frame` and `heading` with samples.
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
        self._lay: Quat | None = None  # how it lay, in the filter's frame
        self._anchored_at = 0.0
        self._held: tuple[float, Quat] | None = None  # since when it has strayed little, and from where
        # it moves only as far as it was not heard: until then it lay, and has not stirred since
        self._lay_still = False
        self._tray = False  # it has been seen to lie as only in a tray or on a table

    @property
    def orientation(self) -> Quat | None:
        """Body to table as it is felt now, also on the way from rest to rest; None before the first rest."""
        return None if self._frame.q is None or self._mount is None else self._estimate(not self.moving)[0]

    def correct(self, turn: int) -> None:
        """A person says how the cube lies. The same face up: the heading was lost. Another: its sensor sits otherwise.

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
        """It lies, and lay, so many quarter turns counter-clockwise from what was believed; also while it moves.

        `known`: that is sure. Else its heading stays as doubtful as it was.
        """
        if self.pose is None:
            return
        self._heading.reorient(quarters)
        self._frame.blind.turn += quarters * math.pi / 2
        self.pose = turns.compose((self.pose, turns.quarters(quarters)))
        self._doubt.reorient(quarters, known)
        self.scale.forget()

    def carried(self, before: Quat, after: Quat, accels: list[Vector], dt: float) -> None:
        """It was felt to turn from `before` to `after`, in the filter's frame."""
        if self.moving:
            self._carry.step(self._heading.to_table(before), self._heading.to_table(after), accels, dt)
        else:
            self._carry.rests(self._rest.accel)

    # ---- what was missed

    def begin_anew(self) -> None:
        """How it lay in the filter's frame counts no more: that frame began anew."""
        self._lay = None
        self.scale.forget()

    def set_back(self, now: float) -> None:
        """Times go on from `now`, which is earlier than what came last."""
        self._held = None
        self._anchored_at, self.moving_since = min(now, self._anchored_at), min(now, self.moving_since)

    def unheard(self, since: float | None, now: float, anew: bool) -> None:
        """Nothing was heard of it from `since` until `now`. `anew`: and what comes now is of another time."""
        self._held = None
        # `_lay_still`: another gap, before it counted as a rest again
        lay = (not self.moving or self._lay_still) and not anew
        self._doubt.silence(now if since is None else since, now, not lay)
        self._frame.lose(now)
        self.begin_anew()
        self._rest.restart()
        if not self.moving and since is not None:
            self.begin(since)
        self._lay_still = lay

    def bridged(self) -> None:
        """Its node said what happened while it was not heard."""
        self._doubt.bridged()

    def unfelt(self, t: float, lost: bool) -> None:
        """What is felt tells nothing of how it lies: it counts as moved. `lost`: and no filter can go on from there."""
        self._held = None
        if not self.moving:
            self.begin(t)
        if lost and self._frame.q is not None:
            self._frame.lose(t)
            self._doubt.silence(t, t, moved=True)
            self.begin_anew()

    def fault(self, t: float, what: str) -> Rest:
        """No rest, but what ails its sensor."""
        pose = self._start if self.pose is None else self.pose
        return Rest(t, self.moving_since, pose, pose, 0.0, 0.0, (0.0, 0.0, 0.0), fault=what)

    # ---- rests

    def begin(self, t: float) -> None:
        """It moves, since `t`."""
        self.moving, self.moving_since, self._held = True, t, None
        self._lay_still = False
        self._heading.begin()
        self._carry.begin()

    def consider(self, t: float) -> list[Rest]:
        """Whether the newest sample, of time `t`, ends a movement."""
        rest, q = self._rest, self._frame.q
        if q is None:
            return []
        if not self.moving:
            self._lie(t, q)
            return []
        if rest.stirs:
            self._lay_still = False
        if self._frame.blind.waits(t):
            return []  # the node is about to say what happened meanwhile
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
        """Since when it holds still, and whether it is quiet; else it strays a little, as in a hand."""
        if self._held is None or quats.angle_deg(self._held[1], q) > _STRAYED_DEG:
            self._lay_still = self._lay_still and self._held is None
            self._held = (t, q)
        quiet_since = self._rest.quiet_since
        if quiet_since is not None and t - quiet_since >= 0.1:
            return quiet_since, True
        return self._held[0], False

    def _arrived(self, t: float, since: float, quiet: bool, estimate: Quat, nearest: _Nearest) -> Rest:
        """The rest that ends the movement; the doubt of its heading takes note."""
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
        """A quiet rest tells of the tray; known at both ends of a movement, it teaches the gyroscope's scale."""
        if not lost:  # that it lay askew is then no word on the tray
            self._heading.lay(off)
        lies = None
        if self._tray and self._heading.tray and self._heading.doubt_deg == 0.0:
            lies = quats.levelled(quats.multiply(turns.QUATS[after], mount), self._rest.accel)
        self.scale.arrives(lies, self._frame.summed, self._heading.travel_deg)

    def said(self, t: float) -> list[Rest]:
        """By its node's own word it rests at `t`, while nothing else comes through."""
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
        """It lies: throw away what drifts, and see whether it begins to move – quickly, or slowly but far."""
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
        """How much further off the second-best turn is; none of it counts where the heading may be any of four."""
        if self._doubt.odds[0] < BELIEVED:
            return 0.0
        return max(0.0, second - off - 2 * (self._heading.doubt_deg + more_deg))

    def _moved(self, t: float) -> tuple[float, float] | None:
        if self._heading.doubt_deg > 5 or self._doubt.odds[0] < BELIEVED:
            return None
        return self._carry.moved(t - self.moving_since)

    def _first(self, t: float, since: float) -> list[Rest]:
        if self._mount is None:
            # where somebody told how it lies, its sensor's axes are the body's by agreement
            up = quats.rotate(quats.conjugate(self._frame.level(self._rest.accel)), (0.0, 0.0, 1.0))
            told = self._start != turns.IDENTITY
            self._mount = turns.QUATS[turns.IDENTITY if told else turns.lying(up)]
        level = quats.multiply(self._frame.level(self._rest.accel), quats.conjugate(self._mount))
        wanted = turns.QUATS[self._start]
        self._heading.turn = -quats.heading(quats.multiply(level, quats.conjugate(wanted)))
        after, off, second = turns.nearest(self._heading.to_table(level))
        self._settle(t, after)
        self._doubt.bridged()  # it lies as it lies: what was missed before is nothing that could be known
        return [Rest(since, since, after, after, off, max(0.0, second - off), (0.0, 0.0, 0.0), first=True)]

    def _estimate(self, still: bool = True) -> tuple[Quat, _Nearest]:
        """Body to table, and the nearest turns. In a trembling hand the filter is better than gravity of the moment."""
        assert self._mount is not None
        assert self._frame.q is not None
        q = self._frame.level(self._rest.accel) if still else self._frame.q
        body = quats.multiply(q, quats.conjugate(self._mount))
        estimate = self._heading.to_table(body)
        return estimate, turns.nearest(estimate)
