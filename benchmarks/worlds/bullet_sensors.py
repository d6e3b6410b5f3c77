"""Sensors of the third world: microphones in the room and on the shell, and an accelerometer.

They use modal synthesis with damping that grows with frequency, a room of a few echoes and a reverberant tail, and a
shell that recoils and rotates in the fingers. All ranges are judgement.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.signal import butter, fftconvolve, lfilter, sosfilt

from benchmarks.worlds.bullet_igloo import MOTION, Array, Igloos, Shaker

RATE = 48000
LEAD_S = 0.12
TAIL_S = 0.25
RATES = (833.0, 1600.0, 1666.0, 3200.0)
LSB_G = 4.88e-4


@dataclass(frozen=True)
class Sensors:
    """How one maker's shells ring, and the sensors on them."""

    hz: Array
    loss: Array
    turn: Array  # [modes, 3] and `phase`: the shape of each mode over the shell
    phase: Array
    heard: Array
    touched: Array
    felt: Array  # [modes, 3]
    seed: list[int]
    touch_s: float
    pieces_heard: float
    lever: Array  # [3, 3] from an impact to the sensor, by rotation of the shell
    mount: tuple[float, float]
    axes: Array
    rate: float
    true_rate: float
    band: float
    noise_g: float


def draw_sensors(igloos: Igloos, which: int = 0, rate_hz: float | None = None) -> Sensors:
    """The sensors of one set; `which`: which shell around the same inside; `rate_hz`: of its accelerometer (None: as
    drawn)."""
    r = np.random.default_rng([igloos.seed, 41, which])
    n = int(r.integers(14, 34))
    lowest = float(np.exp(r.uniform(np.log(600), np.log(2500))))
    hz = lowest * (18000 / lowest) ** np.sort(r.beta(1.2, 1.0, n))
    base = float(np.exp(r.uniform(np.log(0.012), np.log(0.06))))
    turn = r.normal(size=(n, 3))
    turn *= (np.pi * np.sqrt(hz / lowest) / np.linalg.norm(turn, axis=1))[:, None]
    axes, _ = np.linalg.qr(r.normal(size=(3, 3)))
    rate = rate_hz or float(r.choice(RATES, p=[0.15, 0.3, 0.25, 0.3]))
    return Sensors(
        hz=hz,
        loss=base * (hz / 3000) ** r.uniform(-0.2, 0.5) * np.exp(r.normal(0, 0.25, n)),
        turn=turn,
        phase=r.uniform(0, 2 * np.pi, n),
        heard=np.exp(r.normal(0, 0.6, n)) * np.minimum(1, (hz / 3000) ** r.uniform(0, 1)),
        touched=r.normal(0, 1, n) * (hz / 3000) ** r.uniform(-0.6, 0.3),
        felt=r.normal(0, 1, (n, 3)),
        seed=[igloos.seed, which],
        touch_s=float(np.exp(r.uniform(np.log(2e-5), np.log(1.2e-4)))),
        pieces_heard=float(np.exp(r.uniform(np.log(0.02), np.log(0.5)))),
        lever=np.eye(3) + 0.35 * r.normal(size=(3, 3)),
        mount=(
            float(np.exp(r.uniform(np.log(250), np.log(2000)))),
            float(np.exp(r.uniform(np.log(1), np.log(8)))),
        ),
        axes=axes,
        rate=rate,
        true_rate=rate * float(r.uniform(0.98, 1.02)),
        band=float(r.uniform(0.22, 0.48)),
        noise_g=float(np.exp(r.uniform(np.log(7e-5), np.log(3e-4)))),
    )


def record(
    igloos: Igloos, sensors: Sensors, shaker: Shaker, blows: Array, felt: Array, room: int, take: int
) -> dict[str, Array]:
    """Microphone in the room, contact microphone on the shell and accelerometer [samples, 3] in g."""
    r = np.random.default_rng([*sensors.seed, room, take, 42])
    n = round((len(felt) / MOTION + LEAD_S + TAIL_S) * RATE)
    at = np.minimum(((blows[:, 0] + LEAD_S) * RATE).astype(int), n - 1)
    wall = blows[:, 2] >= 0
    touch_s = sensors.touch_s * np.maximum(blows[:, 3], 0.02) ** -0.2
    force = np.zeros((n, 3))
    for k in range(3):
        np.add.at(force[:, k], at[wall], -blows[wall, 1] * blows[wall, 4 + k])
    held = 1 + 0.5 * float(r.uniform(0, 1))
    sound, contact = np.zeros(n), np.zeros(n)
    shaken = np.zeros((n, 3))
    for m, hz in enumerate(sensors.hz):
        shape = np.cos(blows[:, 4:7] @ sensors.turn[m] + sensors.phase[m])
        short = 1 / (1 + (2.2 * hz * touch_s) ** 3)
        drive = np.zeros(n)
        np.add.at(drive, at[wall], (blows[:, 1] * shape * short)[wall])
        w, loss = 2 * np.pi * hz / RATE, min(0.4, sensors.loss[m] * held)
        pole = np.exp(-0.5 * loss * w)
        ring = lfilter([1, -1], [1, -2 * pole * np.cos(w), pole**2], drive)  # proportional to acceleration
        sound += sensors.heard[m] * ring
        contact += sensors.touched[m] * ring
        if hz < 5000:
            shaken += np.outer(ring, sensors.felt[m]) * (0.5 * RATE / igloos.shell_kg)
    clicks = np.zeros(n)
    np.add.at(clicks, at[~wall], blows[~wall, 1])
    high = float(r.uniform(3500, 7000))
    clicks = sosfilt(butter(1, high, "high", fs=RATE, output="sos"), clicks) * sensors.pieces_heard
    rub = _rub(felt, n, r)
    on_shell = contact + 0.3 * clicks
    on_shell = _coloured(on_shell, sensors.seed) / igloos.shell_kg
    on_shell = on_shell + 10 ** (-r.uniform(25, 50) / 20) * on_shell.std() * rub
    on_shell = 4.0 * on_shell + 10 ** (-r.uniform(70, 90) / 20) * r.normal(size=n)
    node = _node(igloos, sensors, shaker, force, shaken, felt, r)
    across = _across(sound + 3 * clicks, room, r)
    return {"microphone": across, "contact": np.clip(on_shell, -1, 1), "accelerometer": node}


def _rub(felt: Array, n: int, r: np.random.Generator) -> Array:
    """Fingers on the shell: low-frequency noise that follows the hand's force, of size 1."""
    pull = np.linalg.norm(felt - felt.mean(axis=0), axis=1)
    times = (np.arange(n) / RATE - LEAD_S) * MOTION
    noise = lfilter([1], [1, -0.95], r.normal(size=n))
    rub = noise * np.interp(times, np.arange(len(pull)), pull)
    return np.asarray(rub / (rub.std() + 1e-12))


def _coloured(sound: Array, seed: list[int]) -> Array:
    """A piezo disc at its input: a high-pass by the load, and its own resonance."""
    r = np.random.default_rng([*seed, 43])
    sound = sosfilt(
        butter(1, float(np.exp(r.uniform(np.log(50), np.log(800)))), "high", fs=RATE, output="sos"), sound
    )
    w = 2 * np.pi * r.uniform(2500, 9000) / RATE
    pole = np.exp(-w / (2 * r.uniform(1, 4)))
    return np.asarray(
        sound + r.uniform(0, 0.6) * lfilter([1 - pole], [1, -2 * pole * np.cos(w), pole**2], sound)
    )


def _across(sound: Array, room: int, r: np.random.Generator) -> Array:
    """The sound through a room, at a microphone whose level carries no information."""
    d = np.random.default_rng([room, 44])
    n = len(sound)
    response = np.zeros(RATE * 2 // 5)
    response[0] = 1
    for _ in range(int(d.integers(2, 7))):  # table and walls
        response[int(np.exp(d.uniform(np.log(0.0006), np.log(0.02))) * RATE)] += d.uniform(
            0.1, 0.6
        ) * d.choice([-1, 1])
    t = np.arange(len(response)) / RATE
    tail = d.normal(size=len(t)) * np.exp(-6.9 * t / d.uniform(0.15, 0.6))
    dull = d.normal(size=len(t)) * np.exp(-6.9 * t / d.uniform(0.3, 0.9))
    tail = tail + 0.5 * lfilter([0.5], [1, -0.5], dull)
    tail[: int(0.004 * RATE)] = 0
    response += tail * np.sqrt(10 ** (-d.uniform(-5, 14) / 10) / np.sum(tail**2))
    across = fftconvolve(sound, response)[:n]
    for _ in range(2):  # the microphone's own frequency response
        w = 2 * np.pi * np.exp(d.uniform(np.log(400), np.log(12000))) / RATE
        pole = np.exp(-w / (2 * d.uniform(0.7, 2)))
        across = across + d.uniform(-0.3, 0.8) * lfilter(
            [1 - pole], [1, -2 * pole * np.cos(w), pole**2], across
        )
    if d.random() < 0.4:  # a phone's codec
        across = sosfilt(butter(6, d.uniform(11000, 16500), fs=RATE, output="sos"), across)
    across = across / (across.std() + 1e-12)
    pink = lfilter([0.05, -0.04], [1, -1.8, 0.81], r.normal(size=n))
    across = across + 10 ** (-d.uniform(28, 60) / 20) * (pink / pink.std() + 0.3 * r.normal(size=n))
    if d.random() < 0.4:  # and its automatic gain
        loud = lfilter([0.0005], [1, -0.9995], np.abs(across)) + 0.05
        across = across * loud ** -d.uniform(0.1, 0.6)
    return np.asarray(np.clip(across / np.abs(across).max() * 10 ** (-r.uniform(1, 22) / 20), -1, 1))


def _node(
    igloos: Igloos,
    sensors: Sensors,
    shaker: Shaker,
    force: Array,
    shaken: Array,
    felt: Array,
    r: np.random.Generator,
) -> Array:
    n = len(force)
    w, damping = 2 * np.pi * shaker.grip[0] / RATE, shaker.grip[1]
    pole = np.exp(-damping * w)
    turn = np.cos(w * np.sqrt(1 - damping**2))
    recoil = (
        lfilter([1, -2, 1], [1, -2 * pole * turn, pole**2], force, axis=0) * RATE / (1.2 * igloos.shell_kg)
    )
    blow = (recoil @ sensors.lever.T + shaken) / 9.81
    wm = 2 * np.pi * sensors.mount[0] / RATE
    pm = np.exp(-wm / (2 * sensors.mount[1]))
    a = np.array([1, -2 * pm * np.cos(wm * np.sqrt(max(0.0, 1 - 0.25 / sensors.mount[1] ** 2))), pm**2])
    blow = lfilter([a.sum()], a, blow, axis=0)
    low = butter(2, sensors.band * sensors.rate, fs=RATE, output="sos")
    blow = sosfilt(low, blow, axis=0)
    times = np.arange(int(n / RATE * sensors.true_rate)) / sensors.true_rate
    index = (times - LEAD_S) * MOTION
    hand = np.stack([np.interp(index, np.arange(len(felt)), felt[:, k]) for k in range(3)], axis=1) / 9.81
    out = hand + np.stack([np.interp(times * RATE, np.arange(n), blow[:, k]) for k in range(3)], axis=1)
    out = out @ sensors.axes.T + r.normal(size=out.shape) * sensors.noise_g * np.sqrt(sensors.rate / 2)
    return np.asarray(np.clip(np.round(out / LSB_G) * LSB_G, -16, 16))
