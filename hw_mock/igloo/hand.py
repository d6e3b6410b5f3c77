"""Hands: who shakes (`Player`), how this take differs from the last (`Take`), and the way the hand goes (`Motion`).

People differ more than igloos do. A seated person shakes a small thing at 2.5–6.5 Hz with 1.3–6.5 g at the turning
points (judgement: who listens shakes until it rattles); wrist, elbow and shoulder turn together. Periods vary by 3–8 %
and strokes by 8–22 % from one to the next (judgement; tapping in time: 3–6 %, Wing and Kristofferson, 1973). Spreads
are set so that hits at equal N differ from shake to shake by about as much as an independent simulation of twelve
people found, 40–47 % (`benchmarks/physics.py`). Physiological tremor: 8–12 Hz (Elble and Koller, 1990). Fingers on
the shell: a spring of 1–6 kN/m with strong damping (judgement, from grip impedances as Kern and Werthschützky measured
them, EuroHaptics 2008).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

Array = NDArray[np.float64]
RATE = 2000.0  # Hz, of a motion
GRAVITY = 9.81
Vector = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Player:
    """A person's habits. `Player.draw(seed)`; `take(seed)` is one shake of that person's on one occasion."""

    seed: int
    stroke_hz: float
    strength_g: float  # acceleration at the turning points
    second: float  # amplitude of the second harmonic: 0 smooth, 0.25 one turn sharper than the other
    third: float  # positive: flat-topped, with stops; negative: like a saw
    period_jitter: float
    stroke_jitter: float
    wander: float  # slow changes of strength
    across: float  # share of movement across the main axis
    across_phase: float
    lever_m: float  # from the centre of turning to the igloo; wrist 0.1, elbow 0.35
    arc_share: float  # share of the movement that is turning about that centre
    axis: Vector  # main axis of shaking, world
    tilt: Vector  # how the igloo is held: rotation vector from upright
    tremor_g: float
    pauses: float  # chance of a hesitation in a second
    temper: float  # take-to-take spread of strength, log
    haste: float  # take-to-take spread of the rate, log
    grip_stiffness: float  # N/m
    grip_damping: float  # share of critical, for 25 g
    grip_loss: float  # loss factor that the fingers add to the shell's modes
    flesh_mass: float  # of the finger pads that move with the shell, kg

    @classmethod
    def draw(cls, seed: int) -> Self:
        """A person from the seed."""
        r = np.random.default_rng([seed, 0xA0])
        up_down = r.random() < 0.6  # judgement: most shake up and down, some to and fro beside the ear
        lean = r.normal(0, 0.25, 3)
        axis = _unit((0.0, 0.0, 1.0) if up_down else _level(r), lean)
        held = r.normal(0, 0.35, 3)
        if r.random() < 0.25:  # on its side between thumb and fingers
            held = held + np.array([math.pi / 2, 0.0, 0.0]) * float(r.choice((-1, 1)))
        stroke_hz = float(np.clip(np.exp(r.normal(math.log(4.3), 0.20)), 2.5, 6.5))
        # quick hands are no weaker: about 1 m/s at the middle of a stroke, whatever its rate
        strength_g = 2.7 * stroke_hz / 4.3 * math.exp(r.normal(0, 0.32))
        return cls(
            seed=seed,
            stroke_hz=stroke_hz,
            strength_g=float(np.clip(strength_g, 1.3, 6.5)),
            second=float(r.uniform(0.0, 0.22)),
            third=float(r.uniform(-0.08, 0.10)),
            period_jitter=float(r.uniform(0.03, 0.08)),
            stroke_jitter=float(r.uniform(0.08, 0.22)),
            wander=float(r.uniform(0.05, 0.2)),
            across=float(np.abs(r.normal(0, 0.25))),
            across_phase=float(r.uniform(-math.pi, math.pi)),
            lever_m=float(np.exp(r.uniform(math.log(0.08), math.log(0.40)))),
            arc_share=float(r.uniform(0.2, 0.9)),
            axis=axis,
            tilt=(float(held[0]), float(held[1]), float(held[2])),
            tremor_g=float(np.exp(r.normal(math.log(0.04), 0.5))),
            pauses=float(np.exp(r.normal(math.log(0.06), 0.8))),
            temper=float(r.uniform(0.08, 0.24)),
            haste=float(r.uniform(0.03, 0.08)),
            grip_stiffness=float(np.exp(r.uniform(math.log(1000), math.log(6000)))),
            grip_damping=float(r.uniform(0.25, 0.8)),
            grip_loss=float(np.exp(r.uniform(math.log(0.015), math.log(0.10)))),
            flesh_mass=float(r.uniform(0.004, 0.015)),
        )

    def on(self, day: int) -> Player:
        """The same person on another occasion: mood, seat and hold differ a little for the whole of it."""
        r = np.random.default_rng([self.seed, day, 0xDA])
        held = r.normal(0, 0.2, 3)
        return replace(
            self,
            stroke_hz=self.stroke_hz * math.exp(r.normal(0, 0.06)),
            strength_g=self.strength_g * math.exp(r.normal(0, 0.15)),
            across=self.across * math.exp(r.normal(0, 0.25)),
            arc_share=float(np.clip(self.arc_share + r.normal(0, 0.1), 0.05, 0.95)),
            tilt=(self.tilt[0] + held[0], self.tilt[1] + held[1], self.tilt[2] + held[2]),
            grip_stiffness=self.grip_stiffness * math.exp(r.normal(0, 0.2)),
            grip_loss=self.grip_loss * math.exp(r.normal(0, 0.25)),
        )

    def take(self, seed: int) -> Player:
        """The same person once more: gripped anew, a little harder or softer, faster or slower."""
        r = np.random.default_rng([self.seed, seed, 0x7A])
        held = r.normal(0, 0.15, 3)
        return replace(
            self,
            stroke_hz=self.stroke_hz * math.exp(r.normal(0, self.haste)),
            # who hears nothing shakes harder: until beads leave the floor, and at 0.6 m/s at least
            strength_g=max(1.8, 0.42 * self.stroke_hz, self.strength_g * math.exp(r.normal(0, self.temper))),
            second=self.second * math.exp(r.normal(0, 0.2)),
            across=self.across * math.exp(r.normal(0, 0.2)),
            across_phase=self.across_phase + r.normal(0, 0.3),
            tilt=(self.tilt[0] + held[0], self.tilt[1] + held[1], self.tilt[2] + held[2]),
            grip_stiffness=self.grip_stiffness * math.exp(r.normal(0, 0.2)),
            grip_loss=self.grip_loss * math.exp(r.normal(0, 0.25)),
        )


@dataclass(frozen=True, slots=True)
class Motion:
    """A hand's way, at `RATE`: what a bead in its frame feels. Arrays [M, 3] in the frame of the igloo, z up its dome.

    force: gravity minus acceleration, m/s²; turn, turn_rate: rad/s, rad/s². stop_path [M], m: way into an elastic stop
    (below zero: away from it), empty where there is none; stop_axis points into it. start_s, end_s: the gesture itself.
    """

    force: Array
    turn: Array
    turn_rate: Array
    stop_path: Array
    stop_axis: Vector
    start_s: float
    end_s: float

    @property
    def seconds(self) -> float:
        return (len(self.force) - 1) / RATE


def shaking(player: Player, seed: int, seconds: float, lead: float = 0.25) -> Motion:
    """Free shaking for `seconds`, with `lead` seconds of holding still (but for tremor) before and after."""
    r = np.random.default_rng([player.seed, seed, 0x5A])
    m = round((seconds + 2 * lead) * RATE) + 1
    t = np.arange(m) / RATE
    phase, loud = _strokes(player, r, t, lead, seconds)
    way = np.sin(phase) + player.second * np.sin(2 * phase + 0.7) + player.third * np.sin(3 * phase)
    rate = 2 * math.pi * player.stroke_hz
    sharp = 1 + 4 * player.second + 9 * abs(player.third)
    reach = min(0.09, player.strength_g * GRAVITY / rate**2 / math.sqrt(sharp))
    main = smooth(reach * loud * way)
    side = smooth(reach * player.across * loud * np.sin(phase + player.across_phase))
    third = smooth(0.4 * reach * player.across * loud * np.sin(2 * phase + player.across_phase * 1.7))
    axis = np.array(player.axis)
    across, last = frame_of(axis)
    arc = player.arc_share * main / player.lever_m  # angle of the turning about the joint
    path = (1 - player.arc_share) * np.outer(main, axis) + np.outer(side, across) + np.outer(third, last)
    path += tremor(player, r, t)
    roll = smooth(drift(r, t, 0.7) * 0.12 + 0.3 * player.across * loud * np.sin(phase + 1.0) * 0.2)
    turning = np.outer(np.gradient(arc, 1 / RATE), across) + np.outer(np.gradient(roll, 1 / RATE), axis)
    return assemble(path, turning, np.cross(axis, across) * player.lever_m, player.tilt, lead, lead + seconds)


def assemble(path: Array, turning: Array, lever: Array, tilt: Vector, start_s: float, end_s: float) -> Motion:
    """A motion from the joint's path [M, 3] m in the world, turning [M, 3] rad/s and lever [3] m in the hand's frame.

    At the start the hand's frame is the world's; `tilt` is how the igloo sits in the hand.
    """
    acceleration = np.gradient(np.gradient(path, 1 / RATE, axis=0), 1 / RATE, axis=0)
    acceleration[:3] = acceleration[3]
    acceleration[-3:] = acceleration[-4]
    acceleration[:, 2] += GRAVITY
    turn_rate = np.gradient(turning, 1 / RATE, axis=0)
    felt = _into_hand(acceleration, turning)
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
    """The rotation matrix of a rotation vector in rad (Rodrigues); columns: the turned frame's axes."""
    angle = float(np.linalg.norm(vector))
    if angle < 1e-9:
        return np.eye(3)
    x, y, z = vector / angle
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    out: Array = np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * (k @ k)
    return out


def smooth(values: Array, width_s: float = 0.012) -> Array:
    """Rounded by a Hann window twice: muscles do not follow above some 20 Hz."""
    n = max(3, round(width_s * RATE))
    window = np.hanning(n + 2)[1:-1]
    window /= window.sum()
    padded = np.pad(values, n, mode="edge")
    out: Array = np.convolve(np.convolve(padded, window, "same"), window, "same")[n:-n]
    return out


def drift(r: np.random.Generator, t: Array, knots_hz: float) -> Array:
    """Slow change of unit variance, with about `knots_hz` independent values a second."""
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
    """Two unit vectors across `axis` and each other."""
    other = np.array([1.0, 0.0, 0.0]) if abs(axis[0]) < 0.8 else np.array([0.0, 1.0, 0.0])
    across = np.cross(axis, other)
    across = across / float(np.linalg.norm(across))
    return np.asarray(across, np.float64), np.asarray(np.cross(axis, across), np.float64)


def ramp(t: Array, start: float, end: float, rise: float = 0.12) -> Array:
    """0 → 1 at `start` and back at `end`, over `rise` seconds."""
    up = np.clip((t - start) / rise, 0, 1)
    down = np.clip((end - t) / rise, 0, 1)
    out: Array = np.sin(0.5 * math.pi * np.minimum(up, down)) ** 2
    return out


def _strokes(
    player: Player, r: np.random.Generator, t: Array, lead: float, seconds: float
) -> tuple[Array, Array]:
    """Phase in rad and relative size of each moment; jitter by half strokes, pauses now and then."""
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


def _unit(base: Vector, lean: Array) -> Vector:
    v = np.array(base) + lean
    v = v / np.linalg.norm(v)
    return (float(v[0]), float(v[1]), float(v[2]))


def _level(r: np.random.Generator) -> Vector:
    angle = float(r.uniform(-math.pi, math.pi))
    return (math.cos(angle), math.sin(angle), 0.0)


@njit(cache=True)  # type: ignore[untyped-decorator]
def _into_hand(world: Array, turning: Array) -> Array:
    """Vectors of the world [M, 3] in a frame that turns with `turning` (own axes, rad/s) from the world's."""
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
