"""An igloo that is handled and not shaken: picked up, moved, looked at from below, toyed with, pushed, bumped.

A sensor on the shell feels this all through a game, and none of it is a shake. Reaching follows the minimum-jerk
profile (Flash and Hogan, J. Neurosci. 5, 1688, 1985); lengths, speeds and frequencies are judgement. An igloo is
lifted in 0.35 to 0.8 s, lands at some 5 to 25 cm/s, and is turned by a quarter to a half turn when somebody looks
under it. A bumped table moves on its legs (10 to 30 Hz), and its top bends (40 to 150 Hz).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, sosfiltfilt
from scipy.spatial.transform import Rotation

from hw_mock.igloo.hand import (
    RATE,
    Motion,
    Player,
    assemble,
    min_jerk,
    ramp,
    rotation,
    shaken,
    tremor,
    turned,
)

Array = NDArray[np.float64]
ACTS = ("moved", "looked-under", "passed", "toyed-with", "pushed", "bumped")
DOWN = (0.0, 0.0, -1.0)
LONGEST_S = 6.5  # longest duration of an act
LIES_M = 0.0003  # depth by which an igloo at rest is pressed into the stop (the table)


@dataclass(frozen=True, slots=True)
class Act:
    """What was done, and from when to when, in s since the start of the motion."""

    start_s: float
    end_s: float
    kind: str


@dataclass(slots=True)
class _Way:
    """The igloo's motion while it is built: path in m in the world, rotation about own axes, shocks of the table."""

    player: Player
    r: np.random.Generator
    seconds: float
    t: Array = field(init=False)
    level: Array = field(init=False)  # [M, 2]
    height: Array = field(init=False)  # [M], above its resting place
    turning: Array = field(init=False)  # [M, 3], rad/s
    shaken: Array = field(init=False)  # [M, 3], path of a shake
    held: Array = field(init=False)  # [M], 1 while it is in a hand
    pushed: Array = field(init=False)  # [M, 3], m/s², acceleration by the table, or by rubbing on it

    def __post_init__(self) -> None:
        n = round(self.seconds * RATE) + 1
        self.t = np.arange(n) / RATE
        self.level, self.height, self.held = np.zeros((n, 2)), np.full(n, -LIES_M), np.zeros(n)
        self.turning, self.shaken, self.pushed = np.zeros((n, 3)), np.zeros((n, 3)), np.zeros((n, 3))

    def lift(self, at: float, high: float) -> float:
        lasts = float(self.r.uniform(0.35, 0.8))
        self.height += (high + LIES_M) * min_jerk((self.t - at) / lasts)
        self.held += min_jerk((self.t - at + 0.15) / 0.2)
        return at + lasts

    def set_down(self, at: float, high: float) -> float:
        lasts = float(self.r.uniform(0.35, 0.8))
        # the hand continues below the table's surface: the deeper, the harder the igloo lands
        deep = float(self.r.uniform(0.0006, 0.006))
        self.height -= (high + deep) * min_jerk((self.t - at) / lasts)
        self.height += (deep - LIES_M) * min_jerk((self.t - at - lasts) / 0.2)
        self.held -= min_jerk((self.t - at - lasts) / 0.2)
        return at + lasts + 0.2

    def carry(self, at: float, far: float, lasts: float) -> float:
        way = far * min_jerk((self.t - at) / lasts)
        angle = float(self.r.uniform(-math.pi, math.pi))
        self.level += np.outer(way, [math.cos(angle), math.sin(angle)])
        return at + lasts

    def turn(self, at: float, about: Array, angle: float, lasts: float) -> float:
        """Rotate by `angle` rad about an axis of the igloo."""
        self.turning += np.outer(np.gradient(angle * min_jerk((self.t - at) / lasts), 1 / RATE), about)
        return at + lasts

    def motion(self, start_s: float, end_s: float, lever: Array | None = None) -> Motion:
        path = np.concatenate([self.level, self.height[:, None]], axis=1) + self.shaken
        shiver = tremor(self.player, self.r, self.t) * np.clip(self.held, 0, 1)[:, None]
        nowhere = np.zeros(3) if lever is None else lever
        motion = assemble(path + shiver, self.turning, nowhere, (0.0, 0.0, 0.0), start_s, end_s)
        return replace(
            motion,
            force=motion.force - self.pushed,
            stop_path=-self.height - shiver[:, 2],
            stop_axis=DOWN,
            on_table=True,
        )


def handled(player: Player, seed: int, seconds: float) -> tuple[Motion, list[Act]]:
    """An igloo that lies on a table and is handled now and then, but not shaken."""
    r = np.random.default_rng([player.seed, seed, 0x4A])
    way, acts = _Way(player, r, seconds), []
    at = float(r.uniform(0.3, 1.2))
    while at < seconds - LONGEST_S:
        kind = ACTS[int(r.integers(len(ACTS)))]
        until = _DO[kind](way, at)
        acts.append(Act(at, until, kind))
        at = until + float(r.uniform(0.2, 2.0))
    return way.motion(acts[0].start_s if acts else 0.0, acts[-1].end_s if acts else seconds), acts


def played(player: Player, seed: int, seconds: float) -> tuple[Motion, list[Act]]:
    """As in a game: lifted from the table, shaken for `seconds`, and put down."""
    r = np.random.default_rng([player.seed, seed, 0x4B])
    before, between, after = (
        float(r.uniform(0.6, 1.0)),
        float(r.uniform(0.0, 0.4)),
        float(r.uniform(0.0, 0.6)),
    )
    way = _Way(player, r, before + seconds + between + after + 3.0)
    high = float(r.uniform(0.08, 0.3))
    up = way.lift(before, high)
    # rotate it into the hand, as this player holds an igloo to shake it
    angle = float(np.linalg.norm(player.tilt))
    about = np.array(player.tilt) / max(angle, 1e-9)
    way.turn(before + 0.05, about, angle, up - before - 0.05)
    hold, start = rotation(np.array(player.tilt)), up + between
    path, turning, lever = shaken(player, seed, way.t, start, seconds)
    way.shaken += path
    way.turning += turning * ramp(way.t, start, start + seconds)[:, None] @ hold
    down = start + seconds + after
    # rotate it so that it lies flat again, whatever its rotation in the hand
    back = -Rotation.from_matrix(turned(way.turning)).as_rotvec()
    length = float(np.linalg.norm(back))
    way.turn(down, back / max(length, 1e-9), length, 0.3)
    until = way.set_down(down + 0.02, high)
    acts = [Act(before, up, "lifted"), Act(start, start + seconds, "shake"), Act(down, until, "put-down")]
    return way.motion(start, start + seconds, lever @ hold), acts


def _moved(way: _Way, at: float) -> float:
    """Lifted a little and put elsewhere."""
    r, high = way.r, float(way.r.uniform(0.03, 0.12))
    up = way.lift(at, high)
    there = way.carry(at + 0.15, float(r.uniform(0.1, 0.6)), float(r.uniform(0.5, 1.1)))
    return way.set_down(max(up, there - 0.3), high)


def _looked_under(way: _Way, at: float) -> float:
    """Lifted, turned over by a quarter to a half turn, looked at, and turned back."""
    r, high = way.r, float(way.r.uniform(0.1, 0.3))
    up = way.lift(at, high)
    about, angle = _level_axis(r), float(r.uniform(1.2, math.pi))
    turned = way.turn(up - 0.25, about, angle, float(r.uniform(0.3, 0.8)))
    back = way.turn(turned + float(r.uniform(0.2, 1.0)), about, -angle, float(r.uniform(0.3, 0.8)))
    return way.set_down(back - 0.1, high)


def _passed(way: _Way, at: float) -> float:
    """Handed on: carried level, taken by another hand with a small jerk, put down."""
    r, high = way.r, float(way.r.uniform(0.08, 0.25))
    up = way.lift(at, high)
    there = way.carry(up - 0.2, float(r.uniform(0.3, 0.9)), float(r.uniform(0.6, 1.2)))
    jerk = float(r.uniform(0.005, 0.02))
    way.carry(there, jerk, 0.12)
    about, angle = _level_axis(r), float(r.uniform(0.1, 0.7))
    tilted = way.turn(there, about, angle, 0.3)
    back = way.turn(tilted + float(r.uniform(0.1, 0.6)), about, -angle, 0.4)
    return way.set_down(back - 0.2, high)


def _toyed_with(way: _Way, at: float) -> float:
    """Held, and turned slowly to and fro in the fingers while its owner thinks: the beads roll."""
    r, high = way.r, float(way.r.uniform(0.05, 0.2))
    now = way.lift(at, high)
    about, angle = _level_axis(r), 0.0
    for _ in range(int(r.integers(2, 5))):
        to = float(r.uniform(-1.3, 1.3))
        now = way.turn(now, about, to - angle, float(r.uniform(0.3, 0.9)))
        angle = to
    now = way.turn(now, about, -angle, float(r.uniform(0.3, 0.6)))
    return way.set_down(now, high)


def _pushed(way: _Way, at: float) -> float:
    """Pushed across the table: it rubs and judders."""
    r, lasts = way.r, float(way.r.uniform(0.3, 1.0))
    far = float(r.uniform(0.05, 0.4))
    there = way.carry(at, far, lasts)
    speed = np.gradient(far * min_jerk((way.t - at) / lasts), 1 / RATE)
    band = butter(2, [40.0, 700.0], "band", fs=RATE, output="sos")
    rough = np.asarray(sosfiltfilt(band, r.normal(size=(len(way.t), 3)), axis=0))
    loud = float(np.exp(r.normal(math.log(1.5), 0.7)))  # m/s² RMS at 0.3 m/s
    way.pushed += loud * (speed / 0.3)[:, None] * rough / rough.std()
    return there


def _bumped(way: _Way, at: float) -> float:
    """Somebody leans on the table, or knocks it, one to four times, while the igloo lies there."""
    r, now = way.r, at
    for _ in range(int(r.integers(1, 5))):
        after = np.maximum(way.t - now, 0.0)
        for low, high, size in ((10.0, 30.0, 0.25), (40.0, 150.0, 0.6)):
            hz, fade = float(r.uniform(low, high)), float(r.uniform(0.03, 0.12))
            peak = size * float(np.exp(r.normal(0, 0.7)))  # m/s²
            swing = peak * np.exp(-after / fade) * np.sin(2 * math.pi * hz * after)
            way.pushed += np.outer(swing, _mostly_up(r))
        now += float(r.uniform(0.15, 0.5))
    return now


_DO: dict[str, Callable[[_Way, float], float]] = {
    "moved": _moved,
    "looked-under": _looked_under,
    "passed": _passed,
    "toyed-with": _toyed_with,
    "pushed": _pushed,
    "bumped": _bumped,
}


def _level_axis(r: np.random.Generator) -> Array:
    angle = float(r.uniform(-math.pi, math.pi))
    return np.array([math.cos(angle), math.sin(angle), 0.0])


def _mostly_up(r: np.random.Generator) -> Array:
    return np.array([*r.normal(0, 0.3, 2), 1.0])
