"""The motion of a hand: free shaking by a `Player`, and any motion in the frame of the igloo (`Motion`)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from hw_mock.igloo.compiled import compiled, run_whole
from hw_mock.igloo.constants import GRAVITY
from hw_mock.igloo.player import Player as Player
from hw_mock.igloo.player import Vector

Array = NDArray[np.float64]
RATE = 2000.0  # Hz, sample rate of a motion
RISE_S = 0.12  # time in which a hand starts, or comes to rest


@dataclass(frozen=True, slots=True)
class Motion:
    """A hand's motion at `RATE`, as a bead in its frame feels it. Arrays [M, 3] in the igloo's frame, z up its dome.

    force: gravity minus acceleration, m/s²; turn, turn_rate: angular velocity, acceleration, rad/s, rad/s². stop_path
    [M], m: depth in an elastic stop (below zero: distance from it), empty if there is none; stop_axis points into it.
    start_s, end_s: the gesture itself. on_table: the stop is the table below the igloo's rim, and its impacts make the
    shell ring.
    """

    force: Array
    turn: Array
    turn_rate: Array
    stop_path: Array
    stop_axis: Vector
    start_s: float
    end_s: float
    on_table: bool = False

    @property
    def seconds(self) -> float:
        return (len(self.force) - 1) / RATE


def shaking(player: Player, seed: int, seconds: float, lead: float = 0.25) -> Motion:
    """Free shaking for `seconds`, with `lead` seconds of holding still (but for tremor) before and after."""
    t = np.arange(round((seconds + 2 * lead) * RATE) + 1) / RATE
    r = np.random.default_rng([player.seed, seed, 0x5A])
    path, turning, lever = _shaken(player, r, t, lead, seconds, trembling=True)
    return assemble(path, turning, lever, player.tilt, lead, lead + seconds)


def shaken(player: Player, seed: int, t: Array, start_s: float, seconds: float) -> tuple[Array, Array, Array]:
    """A hand that shakes freely for `seconds` from `start_s` on and is still before and after; `t` [M] s at `RATE`.

    Returns the joint's path [M, 3] m in the world, the angular velocity [M, 3] rad/s and the lever [3] m, both in the
    hand's frame.
    """
    r = np.random.default_rng([player.seed, seed, 0x5A])
    return _shaken(player, r, t, start_s, seconds, trembling=False)


def _shaken(
    player: Player, r: np.random.Generator, t: Array, start_s: float, seconds: float, trembling: bool
) -> tuple[Array, Array, Array]:
    phase, loud = _strokes(player, r, t, start_s, seconds)
    way = np.sin(phase) + player.second * np.sin(2 * phase + 0.7) + player.third * np.sin(3 * phase)
    rate = 2 * math.pi * player.stroke_hz
    sharp = 1 + 4 * player.second + 9 * abs(player.third)
    reach = min(0.09, player.strength_g * GRAVITY / rate**2 / math.sqrt(sharp))
    main = smooth(reach * loud * way)
    side = smooth(reach * player.across * loud * np.sin(phase + player.across_phase))
    third = smooth(0.4 * reach * player.across * loud * np.sin(2 * phase + player.across_phase * 1.7))
    axis = np.array(player.axis)
    across, last = frame_of(axis)
    arc = player.arc_share * main / player.lever_m  # angle of rotation about the joint
    path = (1 - player.arc_share) * np.outer(main, axis) + np.outer(side, across) + np.outer(third, last)
    if trembling:
        path += tremor(player, r, t)
    roll = smooth(drift(r, t, 0.7) * 0.12 + 0.3 * player.across * loud * np.sin(phase + 1.0) * 0.2)
    turning = np.outer(np.gradient(arc, 1 / RATE), across) + np.outer(np.gradient(roll, 1 / RATE), axis)
    return path, turning, np.cross(axis, across) * player.lever_m


def assemble(path: Array, turning: Array, lever: Array, tilt: Vector, start_s: float, end_s: float) -> Motion:
    """A motion from the joint's path [M, 3] m in the world, angular velocity [M, 3] rad/s and lever [3] m in the hand's
    frame.

    At the start the hand's frame is the world's; `tilt` is the igloo's orientation in the hand.
    """
    acceleration = np.gradient(np.gradient(path, 1 / RATE, axis=0), 1 / RATE, axis=0)
    acceleration[:3] = acceleration[3]
    acceleration[-3:] = acceleration[-4]
    acceleration[:, 2] += GRAVITY
    turn_rate = np.gradient(turning, 1 / RATE, axis=0)
    felt = run_whole(_into_hand, acceleration, turning)
    felt += np.cross(turn_rate, lever) + np.cross(turning, np.cross(turning, lever))
    hold = rotation(np.array(tilt))
    return Motion(
        np.ascontiguousarray(-felt @ hold),
        np.ascontiguousarray(turning @ hold),
        np.ascontiguousarray(turn_rate @ hold),
        np.zeros(0),
        (0.0, 0.0, 1.0),
        start_s,
        end_s,
    )


def rotation(vector: Array) -> Array:
    """The rotation matrix of a rotation vector in rad (Rodrigues); columns: the rotated frame's axes."""
    angle = float(np.linalg.norm(vector))
    if angle < 1e-9:
        return np.eye(3)
    x, y, z = vector / angle
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    out: Array = np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * (k @ k)
    return out


def min_jerk(share: Array) -> Array:
    """The minimum-jerk profile from 0 to 1 while `share` goes from 0 to 1 (Flash and Hogan, J. Neurosci. 5, 1688,
    1985)."""
    s = np.clip(share, 0.0, 1.0)
    return s * s * s * (10 - 15 * s + 6 * s * s)


def turned(turning: Array) -> Array:
    """The final orientation, float64[3, 3] with the axes as columns, of a frame that starts as the world's and rotates
    with `turning` ([M, 3] rad/s about its own axes)."""
    ends = [
        run_whole(_into_hand, np.repeat(axis[None], len(turning), axis=0), turning)[-1] for axis in np.eye(3)
    ]
    return np.asarray(np.stack(ends))


def smooth(values: Array, width_s: float = 0.012) -> Array:
    """`values` [M] at `RATE`, smoothed twice by a Hann window: muscles do not follow above some 20 Hz."""
    n = max(3, round(width_s * RATE))
    window = np.hanning(n + 2)[1:-1]
    window /= window.sum()
    padded = np.pad(values, n, mode="edge")
    out: Array = np.convolve(np.convolve(padded, window, "same"), window, "same")[n:-n]
    return out


def drift(r: np.random.Generator, t: Array, knots_hz: float) -> Array:
    """Slow change [M] about 0 at the times `t` [M] s: a spline through about `knots_hz` independent values per second,
    of variance 1. Its own variance is 0.85–0.95 on average, and up to 1.5 at some moments."""
    count = max(4, math.ceil(t[-1] * knots_hz) + 3)
    knots = r.normal(size=count)
    where = np.linspace(-0.5 / knots_hz, t[-1] + 0.5 / knots_hz, count)
    return np.asarray(CubicSpline(where, knots)(t), np.float64)


def tremor(player: Player, r: np.random.Generator, t: Array) -> Array:
    """The path of physiological tremor, 8–12 Hz, m [M, 3]."""
    out = np.zeros((len(t), 3))
    for k in range(3):
        hz = r.uniform(8, 12)
        size = player.tremor_g * GRAVITY / (2 * math.pi * hz) ** 2
        wobble = 2 * math.pi * hz * t + 0.8 * drift(r, t, 3.0)
        out[:, k] = smooth(size * (1 + 0.4 * drift(r, t, 2.0)) * np.sin(wobble + r.uniform(0, 6.3)))
    return out


def frame_of(axis: Array) -> tuple[Array, Array]:
    """Two unit vectors [3] orthogonal to the unit vector `axis` [3] and to each other."""
    other = np.array([1.0, 0.0, 0.0]) if abs(axis[0]) < 0.8 else np.array([0.0, 1.0, 0.0])
    across = np.cross(axis, other)
    across = across / float(np.linalg.norm(across))
    return np.asarray(across, np.float64), np.asarray(np.cross(axis, across), np.float64)


def ramp(t: Array, start: float, end: float) -> Array:
    """0 → 1 at `start` and back at `end`, over RISE_S."""
    up = np.clip((t - start) / RISE_S, 0, 1)
    down = np.clip((end - t) / RISE_S, 0, 1)
    out: Array = np.sin(0.5 * math.pi * np.minimum(up, down)) ** 2
    return out


def _strokes(
    player: Player, r: np.random.Generator, t: Array, lead: float, seconds: float
) -> tuple[Array, Array]:
    """Phase in rad and relative amplitude at each time; jitter from half stroke to half stroke, occasional pauses."""
    halves = math.ceil(2 * player.stroke_hz * t[-1] * 1.6) + 6
    length = 0.5 / player.stroke_hz * np.clip(1 + player.period_jitter * r.normal(size=halves), 0.5, 1.7)
    size = np.clip(1 + player.stroke_jitter * r.normal(size=halves), 0.2, 2.0)
    for _ in range(r.poisson(player.pauses * seconds)):
        at = int(r.integers(halves))
        size[at : at + int(r.integers(1, 3))] *= r.uniform(0.1, 0.5)
    edges = lead + np.concatenate([[0.0], np.cumsum(length)])
    phase = np.interp(t, edges, math.pi * np.arange(halves + 1)) + r.uniform(0, 2 * math.pi)
    loud = np.interp(t, edges[:-1] + length / 2, size) * np.exp(player.wander * drift(r, t, 0.8))
    return smooth(phase, 0.04), smooth(loud * ramp(t, lead, lead + seconds), 0.05)


@compiled()
def _into_hand(world: Array, turning: Array) -> Array:
    """World vectors [M, 3] in a frame that starts as the world's and rotates with `turning` (own axes, rad/s)."""
    out = np.empty_like(world)
    r = np.eye(3)
    dt = 1.0 / 2000.0
    for i in range(world.shape[0]):
        for k in range(3):
            out[i, k] = r[0, k] * world[i, 0] + r[1, k] * world[i, 1] + r[2, k] * world[i, 2]
        wx, wy, wz = turning[i, 0] * dt, turning[i, 1] * dt, turning[i, 2] * dt
        angle = math.sqrt(wx * wx + wy * wy + wz * wz)
        if angle > 1e-12:
            x, y, z = wx / angle, wy / angle, wz / angle
            c, s = math.cos(angle), math.sin(angle)
            v = 1 - c
            step = np.array(
                [
                    [c + x * x * v, x * y * v - z * s, x * z * v + y * s],
                    [y * x * v + z * s, c + y * y * v, y * z * v - x * s],
                    [z * x * v - y * s, z * y * v + x * s, c + z * z * v],
                ]
            )
            r = r @ step
    return out
