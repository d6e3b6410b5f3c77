"""Rest detection: two degrees of stillness, judged sample by sample from rate and acceleration.

*quiet* is a cube that lies in its tray; *still* is one in a hand that tries to hold it. Neither alone means that a move
is over: `lying.py` also looks how near the cube is to one of the 24 turns, and waits longer where it is not near.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from firmware_bridge.packets import Vector
from sensors.cubes.doubt import KNOWN, Odds
from sensors.cubes.quats import Vec

# Bounds on the bias-corrected rate, °/s, and on the change of the acceleration within `_CHANGE_S`, g. In a tray there
# is little but sensor noise; a hand that holds the cube still trembles.
QUIET_DPS = 1.6
QUIET_G = 0.025
STILL_DPS = 9.0
STILL_G = 0.07
STEADY_DPS = 1.2  # change of the rate, at any rate: for a gyroscope whose bias is not known yet
STEADY_S = 0.35  # a rate steady for so long is taken as the bias while none is known
# the same after some seconds of rest; longer, because a slow, even turn about the vertical looks just like a bias
TRUSTED_S = 20.0
MAX_BIAS_DPS = 8.0  # of any chip; a faster rate is not bias
# time constants: of the judged signals, and of the acceleration that shows up
_FAST_S = 0.02
_SLOW_S = 0.05
_CALM_DPS = 4.0  # of the unfiltered rate
_LATE_S = 0.15  # the most by which smoothing delays the detection of a rest
_CHANGE_S = 0.04  # the acceleration is compared over this interval
_STEADY_TAU_S = 0.2  # of the low-pass whose output is checked for being constant
_BIAS_TAU_S = (0.5, 4.0)  # at first, and after as many seconds of rest
# delay before a bias estimate is used: the end of a rest may already be the slow beginning of a movement
_COMMIT_S = 0.4


@dataclass(frozen=True, slots=True)
class Rest:
    """A cube has come to rest: turns `before` and `after` (numbers of turns.QUATS), and how.

    `t`: when it came to rest; `since`: when it began to move; `off_deg`: off the turn `after`; `margin_deg`: how much
    further off the runner-up is, minus twice the possible heading error; `path`: the rotation vector summed up on the
    way (radians, table axes); `moved_m`: displacement east and north (None: cannot be told); `fault`: a sensor fault,
    in which case this is no rest and proves nothing. `headings` are the probabilities that the heading of `after` is
    off by none, one, two or three quarter turns, `headings_before` the same for `before`; `lost`: the heading became
    doubtful in this movement.
    """

    t: float
    since: float
    before: int
    after: int
    off_deg: float
    margin_deg: float
    path: Vec
    first: bool = False
    moved_m: tuple[float, float] | None = None
    fault: str = ""
    headings: Odds = KNOWN
    headings_before: Odds = KNOWN
    lost: bool = False


class RestDetector:
    """Tracks since when the cube has been quiet and still (`None`: it is not), and the gyroscope's bias.

    `accel` is the acceleration in g, smoothed over a twentieth of a second: at rest it points up.
    """

    def __init__(self) -> None:
        self.quiet_since: float | None = None
        self.still_since: float | None = None
        self.bias: Vector = (0.0, 0.0, 0.0)
        self.bias_known = False
        self.accel: Vector = (0.0, 0.0, 1.0)
        self._fast: tuple[float, ...] | None = None  # rate without bias, acceleration
        self._past: deque[Vector] = deque()
        self._slow_rate: Vector = (0.0, 0.0, 0.0)
        self._steady_since: float | None = None
        self._steady_at: Vector = (0.0, 0.0, 0.0)
        self._seen_s = 0.0  # of quiet from which the bias was learned
        self._next_bias: Vector = self.bias  # the current estimate
        self._coming: Vector | None = None  # the estimate at the last commit; None: not at rest
        self._commit_at = 0.0
        self._calm_since: float | None = None
        self._judged = False

    @property
    def stirs(self) -> bool:
        """Whether the readings say that it is being moved. False after a gap, before anything was heard."""
        return self._judged and self.still_since is None

    def restart(self) -> None:
        """After a gap: the last tenth of a second is unknown."""
        self._fast = None
        self._past.clear()
        self._seen_s = 0.0  # it may have slept, and be colder now
        self._judged = False
        self.quiet_since = self.still_since = self._steady_since = None

    def update(self, t: float, dt: float, rate: Vector, accel: Vector) -> None:
        """Take one sample (°/s, g) at time `t`, `dt` seconds after the one before."""
        bx, by, bz = self.bias
        gx, gy, gz = rate[0] - bx, rate[1] - by, rate[2] - bz
        ax, ay, az = accel
        if self._fast is None:
            self._fast = (gx, gy, gz, ax, ay, az)
            self.accel = accel
            self._slow_rate = rate
            return
        k = dt / (_FAST_S + dt)
        fgx, fgy, fgz, fax, fay, faz = self._fast
        fgx += k * (gx - fgx)
        fgy += k * (gy - fgy)
        fgz += k * (gz - fgz)
        fax += k * (ax - fax)
        fay += k * (ay - fay)
        faz += k * (az - faz)
        self._fast = (fgx, fgy, fgz, fax, fay, faz)
        self._past.append((fax, fay, faz))
        while len(self._past) * dt > _CHANGE_S and len(self._past) > 2:
            self._past.popleft()
        ox, oy, oz = self._past[0]
        shake = (fax - ox) ** 2 + (fay - oy) ** 2 + (faz - oz) ** 2
        if self.still_since is None and self.quiet_since is None:
            self.accel = (fax, fay, faz)  # the average of a rest must begin with the rest
        else:
            k = dt / (_SLOW_S + dt)
            sax, say, saz = self.accel
            self.accel = (sax + k * (fax - sax), say + k * (fay - say), saz + k * (faz - saz))
        if gx * gx + gy * gy + gz * gz > _CALM_DPS**2:
            self._calm_since = None
        elif self._calm_since is None:
            self._calm_since = t
        speed = fgx * fgx + fgy * fgy + fgz * fgz
        self._judge(t, speed, shake)
        self._learn_bias(t, dt, rate, shake)

    def came_to_rest(self, since: float) -> float:
        """When a rest that was detected at `since` really began: after a quick stop, smoothing detects it late."""
        return since if self._calm_since is None else max(min(since, self._calm_since), since - _LATE_S)

    def _judge(self, t: float, speed: float, shake: float) -> None:
        self._judged = True
        if speed < QUIET_DPS**2 and shake < QUIET_G**2:
            if self.quiet_since is None:
                self.quiet_since = t
        else:
            self.quiet_since = None
        if speed < STILL_DPS**2 and shake < STILL_G**2:
            if self.still_since is None:
                self.still_since = t
        else:
            self.still_since = None

    def _learn_bias(self, t: float, dt: float, rate: Vector, shake: float) -> None:
        """While quiet, track the bias slowly; where it is far off, take a constant rate as the bias."""
        k = dt / (_STEADY_TAU_S + dt)
        sx, sy, sz = self._slow_rate
        dx, dy, dz = rate[0] - sx, rate[1] - sy, rate[2] - sz
        self._slow_rate = (sx + k * dx, sy + k * dy, sz + k * dz)
        if self.quiet_since is not None and self.bias_known:
            if t - self.quiet_since > 0.2:
                self._follow_bias(t, dt, rate)
            return
        self._coming = None
        bx, by, bz = self._slow_rate
        change = sum(
            (f + b - s) ** 2
            for f, b, s in zip((self._fast or (0.0,) * 3)[:3], self.bias, self._slow_rate, strict=True)
        )
        if change > STEADY_DPS**2 or shake > QUIET_G**2 or bx * bx + by * by + bz * bz > MAX_BIAS_DPS**2:
            self._steady_since = None
        elif self._steady_since is None or self._wandered(self._slow_rate):
            self._steady_since, self._steady_at = t, self._slow_rate
        elif t - self._steady_since > self._enough_s():
            self.learn(self._slow_rate)

    def _follow_bias(self, t: float, dt: float, rate: Vector) -> None:
        if self._coming is None:
            self._coming, self._commit_at, self._next_bias = self.bias, t + _COMMIT_S, self.bias
        self._seen_s += dt
        k = dt / (min(_BIAS_TAU_S[1], max(_BIAS_TAU_S[0], self._seen_s)) + dt)
        bx, by, bz = self._next_bias
        self._next_bias = (bx + k * (rate[0] - bx), by + k * (rate[1] - by), bz + k * (rate[2] - bz))
        if t >= self._commit_at:
            self.bias, self._coming, self._commit_at = self._coming, self._next_bias, t + _COMMIT_S

    def _wandered(self, rate: Vector) -> bool:
        """Whether a rate that should be constant has changed since it was first taken."""
        return sum((a - b) ** 2 for a, b in zip(rate, self._steady_at, strict=True)) > STEADY_DPS**2

    def _enough_s(self) -> float:
        return STEADY_S if not self.bias_known else min(TRUSTED_S, 3 * STEADY_S + 4 * self._seen_s)

    def learn(self, bias: Vector) -> None:
        """Take this bias as known."""
        if self._fast is not None:
            ox, oy, oz = self.bias
            gx, gy, gz, *a = self._fast
            self._fast = (gx + ox - bias[0], gy + oy - bias[1], gz + oz - bias[2], *a)
        self.bias, self.bias_known, self._steady_since, self._seen_s = bias, True, None, 0.0
        self._coming = None


def dwell_s(off_deg: float, quiet: bool, tray: bool) -> float:
    """Seconds of stillness that make a rest: the further off one of the 24 turns, the longer.

    With a `tray`, a cube that is held still is being looked at: that is not a rest yet.
    """
    if quiet:
        return 0.11 if off_deg < 9 else 0.3 if off_deg < 16 else 0.8 if off_deg < 30 else 1.5
    if tray:
        return 3.0 if off_deg < 16 else 5.0
    return 0.6 if off_deg < 9 else 0.9 if off_deg < 16 else 1.4 if off_deg < 30 else 2.5
