"""Shells drawn from far wider ranges than we believe, which make the impacts of any engine audible.

It is the sound that does not transfer from one simulator to the next: two engines hit a similar igloo about as often,
but each rings by the laws that its author chose. Here the laws are drawn as well: the distribution of modes, their
damping, how a short impact excites them, how much of an impact is heard without the shell ringing, what a hand shadows,
what a room reflects. Rooms with their microphones (drawn_rooms.py) and accelerometers (drawn_nodes.py) are drawn in the
same way. Nothing is shared with the sensors of `hw_mock`, other_sensors.py or bullet_sensors.py; all ranges are
judgement.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.signal import butter, lfilter, sosfilt

from benchmarks.worlds.drawn_rooms import RATE, Array, across, peak

LEAD_S = 0.12
TAIL_S = 0.25
HIGHEST = 20000.0  # Hz
PULSES = ("low-pass", "bell", "half-sine")


@dataclass(frozen=True)
class Shell:
    """How one maker's shells ring and click."""

    seed: int
    hz: Array  # [modes]
    loss: Array  # [modes]
    turn: Array  # [modes, 3] and `phase`: the shape of each mode over the shell
    phase: Array
    even: float  # share of a mode's excitation that does not depend on the place of the impact
    heard: Array  # [modes]
    touched: Array  # [modes]
    pulse: str  # of PULSES
    order: float
    touch_s: float  # contact time at 1 m/s
    slower: float  # exponent of speed by which a gentle contact is longer
    knock: tuple[float, float]  # impact sound without the shell's ringing: level, corner frequency in Hz
    click: tuple[float, float]  # the same for bead on bead
    through: float  # share of the click that reaches a contact microphone


def draw_shell(seed: int) -> Shell:
    """A maker's shells."""
    r = np.random.default_rng([seed, 61])
    n = int(np.exp(r.uniform(np.log(6), np.log(50))))
    lowest = float(np.exp(r.uniform(np.log(400), np.log(4000))))
    if r.random() < 0.5:
        hz = lowest * (HIGHEST / lowest) ** np.sort(r.beta(1, r.uniform(0.8, 2), n))
    else:
        steps = np.cumsum(np.exp(r.normal(0, 0.4, n)))
        hz = lowest + (min(HIGHEST, lowest * r.uniform(3, 30)) - lowest) * (steps / steps[-1]) ** r.uniform(
            0.8, 2
        )
    turn = r.normal(size=(n, 3))
    turn *= (r.uniform(0.5, 5) * (hz / lowest) ** r.uniform(0, 0.6) / np.linalg.norm(turn, axis=1))[:, None]
    spread, tilt = r.uniform(0.2, 1), r.uniform(-0.7, 1)
    return Shell(
        seed=seed,
        hz=np.minimum(hz, HIGHEST),
        loss=float(np.exp(r.uniform(np.log(0.01), np.log(0.12))))
        * (hz / 4000) ** r.uniform(-0.6, 0.7)
        * np.exp(r.normal(0, r.uniform(0.1, 0.6), n)),
        turn=turn,
        phase=r.uniform(0, 2 * np.pi, n),
        even=float(r.uniform(0, 1)),
        heard=np.exp(r.normal(0, spread, n)) * (hz / 4000) ** tilt,
        touched=r.normal(0, 1, n) * (hz / 4000) ** r.uniform(-1, 0.5),
        pulse=str(r.choice(PULSES)),
        order=float(r.uniform(1, 4)),
        touch_s=float(np.exp(r.uniform(np.log(1.5e-5), np.log(2e-4)))),
        slower=float(r.uniform(0.1, 0.35)),
        knock=(
            float(np.exp(r.uniform(np.log(0.02), np.log(2)))),
            float(np.exp(r.uniform(np.log(800), np.log(9000)))),
        ),
        click=(float(np.exp(r.uniform(np.log(0.01), np.log(1.5)))), float(r.uniform(2000, 9000))),
        through=float(np.exp(r.uniform(np.log(0.02), np.log(0.5)))),
    )


def hear(
    shell: Shell, blows: Array, stroke_hz: float, seconds: float, room: int, take: int
) -> dict[str, Array]:
    """Signals of a microphone in the room and one on the shell from `blows`, float64[n, 7] as engines return them."""
    r = np.random.default_rng([shell.seed, room, take, 62])
    n = round((seconds + LEAD_S + TAIL_S) * RATE)
    at = np.minimum(((blows[:, 0] + LEAD_S) * RATE).astype(int), n - 1)
    wall = blows[:, 2] >= 0
    speed = np.maximum(blows[:, 3], 0.02)
    touch_s = shell.touch_s * speed**-shell.slower
    sound, contact = np.zeros(n), np.zeros(n)
    held = float(np.exp(r.normal(0, 0.3)))
    size = float(np.sqrt(np.mean(shell.heard**2))), float(np.sqrt(np.mean(shell.touched**2)))
    for m, hz in enumerate(shell.hz):
        shape = shell.even + (1 - shell.even) * 1.4 * np.cos(blows[:, 4:7] @ shell.turn[m] + shell.phase[m])
        drive = np.zeros(n)
        np.add.at(drive, at[wall], (blows[:, 1] * shape * _driven(shell, hz * touch_s))[wall])
        w, loss = 2 * np.pi * hz / RATE, min(0.5, shell.loss[m] * held)
        pole = np.exp(-0.5 * loss * w)
        ring = lfilter([np.sin(w)], [1, -2 * pole * np.cos(w), pole**2], drive) * (w / 0.5)
        sound += shell.heard[m] / size[0] * ring
        contact += shell.touched[m] / size[1] * ring
    knocks, clicks = np.zeros(n), np.zeros(n)
    np.add.at(knocks, at[wall], (blows[:, 1] * _driven(shell, shell.knock[1] * touch_s))[wall])
    np.add.at(clicks, at[~wall], blows[~wall, 1])
    knocks = shell.knock[0] * sosfilt(butter(1, shell.knock[1], "high", fs=RATE, output="sos"), knocks)
    clicks = shell.click[0] * sosfilt(butter(2, shell.click[1], "high", fs=RATE, output="sos"), clicks)
    on_shell = _disc(contact + 0.3 * knocks + shell.through * clicks, shell.seed)
    air = sound + knocks + 3 * clicks
    hidden = r.uniform(0, 0.5) * np.sin(2 * np.pi * stroke_hz * np.arange(n) / RATE + r.uniform(0, 6.3))
    rub = _rubbed(n, stroke_hz, r)
    on_shell = on_shell + 10 ** (-r.uniform(25, 60) / 20) * on_shell.std() * rub
    return {
        "microphone": across(air * np.exp(hidden), room, r),
        "contact": on_shell + 10 ** (-r.uniform(40, 80) / 20) * on_shell.std() * r.normal(size=n),
    }


def _driven(shell: Shell, x: Array) -> Array:
    """How much an impact excites a mode; x: frequency times contact time."""
    if shell.pulse == "low-pass":
        return 1 / (1 + (2 * x) ** shell.order)
    if shell.pulse == "bell":
        return np.asarray(np.exp(-shell.order * x**2))
    below = 1 - 4 * x**2
    return np.asarray(np.abs(np.cos(np.pi * x) / np.where(np.abs(below) < 0.02, 0.02, below)))


def _rubbed(n: int, stroke_hz: float, r: np.random.Generator) -> Array:
    """Noise of skin on the shell, modulated by the strokes, of size 1."""
    noise = lfilter([1], [1, -r.uniform(0.8, 0.98)], r.normal(size=n))
    rub = noise * (1.2 + np.sin(2 * np.pi * 2 * stroke_hz * np.arange(n) / RATE + r.uniform(0, 6.3)))
    return np.asarray(rub / rub.std())


def _disc(sound: Array, seed: int) -> Array:
    """A piezo disc at its input."""
    r = np.random.default_rng([seed, 63])
    high = float(np.exp(r.uniform(np.log(40), np.log(1500))))
    sound = np.asarray(sosfilt(butter(1, high, "high", fs=RATE, output="sos"), sound))
    sound = peak(sound, float(r.uniform(2000, 10000)), float(r.uniform(0.7, 5)), float(r.uniform(0, 3)))
    if r.random() < 0.5:
        sound = np.asarray(sosfilt(butter(1, r.uniform(5000, 18000), fs=RATE, output="sos"), sound))
    return sound
