"""Ways to move an igloo, by name: free shaking, and gestures that might make the count easier to hear.

Reaching movements follow the minimum-jerk profile (Flash and Hogan, J. Neurosci. 5, 1688, 1985). A person who shakes
hard also strokes and knocks hard: strength and pace grow with `Player.strength_g` and `stroke_hz`, but less than
proportionally, because gestures are demonstrated and coached (judgement).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hw_mock.igloo.hand import (
    RATE,
    Motion,
    Player,
    assemble,
    drift,
    min_jerk,
    rotation,
    shaking,
    smooth,
    tremor,
)
from hw_mock.igloo.player import Vector

Array = NDArray[np.float64]
LEAD = 0.25
DOWN = (0.0, 0.0, -1.0)


def strokes(player: Player, seed: int, seconds: float) -> Motion:
    """Stroke and stop: some 6–14 cm along the player's axis in 0.15–0.25 s, stop, wait, and back."""
    r, t = _start(player, seed, seconds, 0x57)
    way = np.zeros(len(t))
    side, at = 1.0, LEAD
    hard = (player.strength_g / 2.4) ** 0.6
    while at < LEAD + seconds - 0.3:
        length = float(np.clip(0.09 * hard * math.exp(r.normal(0, 0.15)), 0.03, 0.16))
        lasts = float(np.clip(0.19 * math.exp(r.normal(0, 0.10)), 0.12, 0.3))
        way += side * length * min_jerk((t - at) / lasts)
        side = -side
        at += lasts + 0.42 * math.exp(r.normal(0, 0.12))
    path = np.outer(way, np.array(player.axis)) + tremor(player, r, t)
    return assemble(path, np.zeros_like(path), np.zeros(3), player.tilt, LEAD, LEAD + seconds)


def toss(player: Player, seed: int, seconds: float) -> Motion:
    """Held upright, jerked upwards by one to three centimetres and stopped: the beads hop once and land."""
    r, t = _start(player, seed, seconds, 0x70)
    way = np.zeros(len(t))
    at = LEAD
    hard = (player.strength_g / 2.4) ** 0.5
    while at < LEAD + seconds - 0.35:
        lasts = 0.075 * math.exp(r.normal(0, 0.10))
        height = float(np.clip(0.016 * hard * math.exp(r.normal(0, 0.15)), 0.006, 0.035))
        way += height * (min_jerk((t - at) / lasts) - min_jerk((t - at - lasts - 0.30) / 0.25))
        at += lasts + 0.62 * math.exp(r.normal(0, 0.08))
    path = np.outer(way, [0.0, 0.0, 1.0]) + tremor(player, r, t)
    return assemble(path, np.zeros_like(path), np.zeros(3), _upright(player), LEAD, LEAD + seconds)


def roll(player: Player, seed: int, seconds: float) -> Motion:
    """Slowly turned to and fro about a horizontal axis, so that beads roll and fall one after another."""
    r, t = _start(player, seed, seconds, 0x70)
    pace = 2 * math.pi * 0.45 * (player.stroke_hz / 4.3) ** 0.5 * math.exp(r.normal(0, 0.15))
    swing = float(np.clip(r.normal(1.5, 0.25), 0.7, 2.4))
    angle = swing * np.sin(pace * (t - LEAD) + 0.3 * drift(r, t, 1.0)) * _gate(t, seconds)
    about = float(r.uniform(-math.pi, math.pi))
    turning = np.outer(np.gradient(smooth(angle, 0.06), 1 / RATE), [math.cos(about), math.sin(about), 0.0])
    return assemble(tremor(player, r, t), turning, np.zeros(3), _upright(player), LEAD, LEAD + seconds)


def flip(player: Player, seed: int, seconds: float) -> Motion:
    """Turned upside down in a third of a second, held, and turned back: the beads fall the height of the dome."""
    r, t = _start(player, seed, seconds, 0xF1)
    angle = np.zeros(len(t))
    side, at = 1.0, LEAD
    while at < LEAD + seconds - 0.4:
        lasts = 0.32 * math.exp(r.normal(0, 0.15)) / (player.stroke_hz / 4.3) ** 0.3
        angle += side * math.pi * math.exp(r.normal(0, 0.03)) * min_jerk((t - at) / lasts)
        side = -side
        at += lasts + 0.5 * math.exp(r.normal(0, 0.12))
    about = float(r.uniform(-math.pi, math.pi))
    turning = np.outer(np.gradient(angle, 1 / RATE), [math.cos(about), math.sin(about), 0.0])
    lever = np.array([0.0, 0.0, 0.02])
    return assemble(tremor(player, r, t), turning, lever, _upright(player), LEAD, LEAD + seconds)


def swirl(player: Player, seed: int, seconds: float) -> Motion:
    """Moved in a horizontal circle of one to three centimetres, so that the beads run round the wall."""
    r, t = _start(player, seed, seconds, 0x5B)
    pace = (
        2
        * math.pi
        * float(np.clip(2.4 * (player.stroke_hz / 4.3) ** 0.6 * math.exp(r.normal(0, 0.08)), 1.3, 4.0))
    )
    width = float(
        np.clip(0.018 * (player.strength_g / 2.4) ** 0.4 * math.exp(r.normal(0, 0.15)), 0.008, 0.035)
    )
    gate = smooth(_gate(t, seconds), 0.05)
    phase = pace * t + 0.25 * drift(r, t, 1.5)
    oval = 1 + r.normal(0, 0.12)
    path = np.stack(
        [width * gate * np.cos(phase), oval * width * gate * np.sin(phase), np.zeros(len(t))], axis=1
    )
    path += tremor(player, r, t)
    return assemble(path, np.zeros_like(path), np.zeros(3), _upright(player), LEAD, LEAD + seconds)


def knock(player: Player, seed: int, seconds: float) -> Motion:
    """Held upright and knocked on an elastic stop from three centimetres above, lifted, and knocked again.

    The stop carries a sensor: `Shake.stop_force`. The shell strikes first, the beads a moment later.
    """
    r, t = _start(player, seed, seconds, 0x6B)
    height = np.full(len(t), 0.03)
    at = LEAD
    hard = (player.strength_g / 2.4) ** 0.4
    while at < LEAD + seconds - 0.35:
        lasts = 0.13 / hard * math.exp(r.normal(0, 0.10))
        # fingers yield by some millimetres
        depth = float(np.clip(0.034 + r.normal(0, 0.001), 0.032, 0.037))
        rest = 0.18 * math.exp(r.normal(0, 0.1))
        height -= depth * (min_jerk((t - at) / lasts) - min_jerk((t - at - lasts - rest) / 0.25))
        at += lasts + rest + 0.45 * math.exp(r.normal(0, 0.08))
    shiver = tremor(player, r, t)
    path = np.outer(height, [0.0, 0.0, 1.0]) + shiver
    tilt = _upright(player)
    motion = assemble(path, np.zeros_like(path), np.zeros(3), tilt, LEAD, LEAD + seconds)
    axis = rotation(np.array(tilt)).T @ np.array(DOWN)
    return replace(
        motion, stop_path=-(height + shiver[:, 2]), stop_axis=(float(axis[0]), float(axis[1]), float(axis[2]))
    )


def still(player: Player, seed: int, seconds: float) -> Motion:
    """Held still but for tremor, as by a waiting player."""
    r, t = _start(player, seed, seconds, 0x51)
    path = tremor(player, r, t)
    return assemble(path, np.zeros_like(path), np.zeros(3), _upright(player), LEAD, LEAD + seconds)


GESTURES: dict[str, Callable[[Player, int, float], Motion]] = {
    "shake": shaking,
    "strokes": strokes,
    "toss": toss,
    "roll": roll,
    "flip": flip,
    "swirl": swirl,
    "knock": knock,
    "still": still,
}


def gesture(name: str, player: Player, seed: int, seconds: float) -> Motion:
    """The motion called `name`. Raises ValueError for a name that is not in `GESTURES`."""
    if name not in GESTURES:
        raise ValueError(f"no gesture called {name!r}; there are {', '.join(GESTURES)}")
    return GESTURES[name](player, seed, seconds)


def _start(player: Player, seed: int, seconds: float, salt: int) -> tuple[np.random.Generator, Array]:
    r = np.random.default_rng([player.seed, seed, salt])
    return r, np.arange(round((seconds + 2 * LEAD) * RATE) + 1) / RATE


def _gate(t: Array, seconds: float) -> Array:
    return min_jerk((t - LEAD) / 0.2) * min_jerk((LEAD + seconds - t) / 0.2)


def _upright(player: Player) -> Vector:
    """The tilt of an igloo held upright, as asked: a share of the player's usual tilt."""
    small = np.clip(np.array(player.tilt) * 0.15, -0.2, 0.2)
    return (float(small[0]), float(small[1]), float(small[2]))
