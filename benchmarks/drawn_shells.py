"""Shells, rooms and microphones drawn far wider than we believe, to hear the blows of any engine through.

What does not carry over from one simulator to the next is the sound: two engines strike a like igloo about as often,
but each rings by the laws that its author chose. Here the laws are drawn too: how modes lie, what damps them, how a
short blow drives them, how much of a blow is heard without the shell ringing, what a hand hides, what a room returns.
Nothing is shared with the sensors of `hw_mock`, benchmarks/other_sensors.py or benchmarks/bullet_sensors.py; all
ranges are judgement.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, fftconvolve, lfilter, sosfilt

Array = NDArray[np.float64]
RATE = 48000
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
    even: float  # how much of a mode every blow drives alike
    heard: Array  # [modes]
    touched: Array  # [modes]
    pulse: str  # of PULSES
    order: float
    touch_s: float  # at 1 m/s
    slower: float  # power of speed by which a gentle blow is longer
    knock: tuple[float, float]  # of a blow that is heard without the shell ringing: how loud, corner in Hz
    click: tuple[float, float]  # the same of bead on bead
    through: float  # of the click that reaches a contact microphone


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
    """What a microphone in the room and one on the shell get of `blows`, float64[n, 7] as engines tell them."""
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
        "microphone": _across(air * np.exp(hidden), room, r),
        "contact": on_shell + 10 ** (-r.uniform(40, 80) / 20) * on_shell.std() * r.normal(size=n),
    }


@dataclass(frozen=True)
class Node:
    """An accelerometer on one maker's shells."""

    seed: int
    shell_kg: float
    hz: Array  # [modes] that are slow enough to be felt
    loss: Array
    turn: Array  # [modes, 3] and `phase`, as of a shell
    phase: Array
    felt: Array  # [modes, 3]
    lever: Array  # [3, 3] of a blow to the sensor: the shell turns
    mounts: tuple[tuple[float, float], ...]  # Hz and quality of what holds it
    axes: Array  # [3, 3]
    true: float  # its rate, of nominal
    low: tuple[int, float]  # order and corner, of the rate, of the chip's filter; order 0: none
    noise_g: float
    reach_g: float


def draw_node(seed: int) -> Node:
    """A maker's sensor."""
    r = np.random.default_rng([seed, 65])
    n = int(r.integers(0, 8))
    hz = np.exp(r.uniform(np.log(250), np.log(5000), n))
    axes, _ = np.linalg.qr(r.normal(size=(3, 3)))
    return Node(
        seed=seed,
        shell_kg=float(np.exp(r.uniform(np.log(0.008), np.log(0.05)))),
        hz=hz,
        loss=np.exp(r.uniform(np.log(0.01), np.log(0.3), n)),
        turn=r.normal(size=(n, 3)) * r.uniform(0.5, 2.5),
        phase=r.uniform(0, 2 * np.pi, n),
        felt=r.normal(size=(n, 3)) * np.exp(r.uniform(np.log(0.05), np.log(1.0))),
        lever=np.eye(3) + r.uniform(0.1, 0.6) * r.normal(size=(3, 3)),
        mounts=tuple(
            (
                float(np.exp(r.uniform(np.log(200), np.log(2500)))),
                float(np.exp(r.uniform(np.log(0.7), np.log(10)))),
            )
            for _ in range(int(r.integers(1, 3)))
        ),
        axes=axes,
        true=float(r.uniform(0.98, 1.02)),
        low=(int(r.integers(0, 5)), float(r.uniform(0.2, 0.48))),
        noise_g=float(np.exp(r.uniform(np.log(5e-5), np.log(6e-4)))),
        reach_g=float(r.choice([8.0, 16.0])),
    )


def feel(
    node: Node, blows: Array, felt: Array, motion_rate: float, rate: float, day: int, take: int
) -> Array:
    """What an accelerometer claims at `rate` Hz, float64[samples, 3] in g.

    felt: the hand's acceleration less gravity in the igloo's frame, float64[n, 3] in m/s² at `motion_rate`.
    """
    d, r = np.random.default_rng([node.seed, day, 66]), np.random.default_rng([node.seed, day, take, 67])
    fast = 4 * rate
    n = round((len(felt) / motion_rate + LEAD_S + TAIL_S) * fast)
    wall = blows[:, 2] >= 0
    at = np.minimum(((blows[:, 0] + LEAD_S) * fast).astype(int), n - 1)[wall]
    force = np.zeros((n, 3))
    for k in range(3):
        np.add.at(force[:, k], at, -blows[wall, 1] * blows[wall, 4 + k])
    held = node.shell_kg * float(np.exp(d.uniform(0, 0.9)))
    grip, damping = float(np.exp(d.uniform(np.log(12), np.log(100)))), float(d.uniform(0.2, 0.9))
    w = 2 * np.pi * grip / fast
    pole, turn = np.exp(-damping * w), np.cos(w * np.sqrt(1 - damping**2))
    g = lfilter([1, -2, 1], [1, -2 * pole * turn, pole**2], force, axis=0) * fast / held @ node.lever.T
    for m, hz in enumerate(node.hz):
        if hz > 0.45 * fast:
            continue
        drive = np.zeros(n)
        np.add.at(drive, at, blows[wall, 1] * np.cos(blows[wall, 4:7] @ node.turn[m] + node.phase[m]))
        w = 2 * np.pi * hz / fast
        pole = np.exp(-0.5 * node.loss[m] * w)
        g += np.outer(
            lfilter([1, -1], [1, -2 * pole * np.cos(w), pole**2], drive) * fast / held, node.felt[m]
        )
    for hz, quality in node.mounts:
        w = 2 * np.pi * min(hz, 0.45 * fast) / fast
        pole = np.exp(-w / (2 * quality))
        turn = np.cos(w * np.sqrt(max(0.0, 1 - 0.25 / quality**2)))
        a = np.array([1, -2 * pole * turn, pole**2])
        g = lfilter([a.sum()], a, g, axis=0)
    pull = np.linalg.norm(felt - felt.mean(axis=0), axis=1) / 9.81
    index = (np.arange(n) / fast - LEAD_S) * motion_rate
    rub = lfilter([1], [1, -r.uniform(0.3, 0.95)], r.normal(size=(n, 3)), axis=0)
    rub *= np.interp(index, np.arange(len(pull)), pull)[:, None] / (rub.std() + 1e-12)
    g = g / 9.81 + float(np.exp(d.uniform(np.log(1e-4), np.log(0.03)))) * rub
    order, corner = node.low
    if order:
        g = sosfilt(butter(order, corner * rate, fs=fast, output="sos"), g, axis=0)
    times = np.arange(int(n / fast * rate * node.true)) / (rate * node.true)
    index = (times - LEAD_S) * motion_rate
    out = np.stack([np.interp(index, np.arange(len(felt)), felt[:, k]) / 9.81 for k in range(3)], axis=1)
    out += np.stack([np.interp(times * fast, np.arange(n), g[:, k]) for k in range(3)], axis=1)
    out = out @ node.axes.T + r.normal(size=out.shape) * node.noise_g * np.sqrt(rate / 2)
    return np.asarray(np.clip(np.round(out / 4.88e-4) * 4.88e-4, -node.reach_g, node.reach_g))


def _driven(shell: Shell, x: Array) -> Array:
    """How much a blow drives a mode; x: frequency times duration."""
    if shell.pulse == "low-pass":
        return 1 / (1 + (2 * x) ** shell.order)
    if shell.pulse == "bell":
        return np.asarray(np.exp(-shell.order * x**2))
    below = 1 - 4 * x**2
    return np.asarray(np.abs(np.cos(np.pi * x) / np.where(np.abs(below) < 0.02, 0.02, below)))


def _peak(sound: Array, hz: float, quality: float, gain: float) -> Array:
    w = 2 * np.pi * hz / RATE
    pole = np.exp(-w / (2 * quality))
    return np.asarray(
        sound + gain * lfilter([1 - pole, 0, pole - 1], [1, -2 * pole * np.cos(w), pole**2], sound)
    )


def _rubbed(n: int, stroke_hz: float, r: np.random.Generator) -> Array:
    """Skin on the shell, louder with the strokes, of size 1."""
    noise = lfilter([1], [1, -r.uniform(0.8, 0.98)], r.normal(size=n))
    rub = noise * (1.2 + np.sin(2 * np.pi * 2 * stroke_hz * np.arange(n) / RATE + r.uniform(0, 6.3)))
    return np.asarray(rub / rub.std())


def _disc(sound: Array, seed: int) -> Array:
    """A disc on its input."""
    r = np.random.default_rng([seed, 63])
    high = float(np.exp(r.uniform(np.log(40), np.log(1500))))
    sound = np.asarray(sosfilt(butter(1, high, "high", fs=RATE, output="sos"), sound))
    sound = _peak(sound, float(r.uniform(2000, 10000)), float(r.uniform(0.7, 5)), float(r.uniform(0, 3)))
    if r.random() < 0.5:
        sound = np.asarray(sosfilt(butter(1, r.uniform(5000, 18000), fs=RATE, output="sos"), sound))
    return sound


def _across(sound: Array, room: int, r: np.random.Generator) -> Array:
    """Through a room to a microphone whose level says nothing."""
    d = np.random.default_rng([room, 64])
    across = fftconvolve(sound, _response(d))[: len(sound)]
    for _ in range(int(d.integers(0, 4))):
        across = _peak(
            across,
            float(np.exp(d.uniform(np.log(300), np.log(14000)))),
            float(d.uniform(0.5, 3)),
            float(d.uniform(-0.6, 2)),
        )
    across = np.asarray(sosfilt(butter(1, d.uniform(40, 400), "high", fs=RATE, output="sos"), across))
    if d.random() < 0.4:
        across = np.asarray(
            sosfilt(butter(int(d.integers(1, 7)), d.uniform(8000, 18000), fs=RATE, output="sos"), across)
        )
    across = across / (across.std() + 1e-12)
    noise = lfilter([1], [1, -d.uniform(0, 0.99)], r.normal(size=len(across)))
    across = across + 10 ** (-d.uniform(24, 65) / 20) * noise / noise.std()
    across = across + 10 ** (-d.uniform(35, 70) / 20) * r.normal(size=len(across))
    if d.random() < 0.35:  # automatic gain
        slow = np.exp(-1 / (RATE * np.exp(d.uniform(np.log(0.02), np.log(0.8)))))
        loud = lfilter([1 - slow], [1, -slow], np.abs(across)) + 0.05
        across = across * loud ** -d.uniform(0.1, 0.6)
    across = across / np.abs(across).max()
    if d.random() < 0.15:  # a limiter
        knee = d.uniform(0.15, 0.6)
        across = np.tanh(across / knee) * knee
    return np.asarray(np.clip(across * 10 ** (-r.uniform(1, 22) / 20), -1, 1))


def _response(d: np.random.Generator) -> Array:
    """A room: direct, early echoes, a tail whose highs die sooner."""
    n = RATE // 2
    t = np.arange(n) / RATE
    response = np.zeros(n)
    response[0] = 1
    for _ in range(int(d.integers(0, 13))):
        late = float(np.exp(d.uniform(np.log(0.0004), np.log(0.03))))
        response[int(late * RATE)] += (
            d.uniform(0.05, 0.8) * (0.001 / (0.001 + late)) ** 0.5 * d.choice([-1, 1])
        )
    long = float(np.exp(d.uniform(np.log(0.12), np.log(1.0))))
    tail = np.zeros(n)
    for corner, share in ((800.0, 1.0), (3000.0, d.uniform(0.5, 1)), (9000.0, d.uniform(0.25, 0.9))):
        part = sosfilt(
            butter(1, [0.5 * corner, min(2 * corner, 22000)], "bandpass", fs=RATE, output="sos"),
            d.normal(size=n),
        )
        tail += part * np.exp(-6.9 * t / (long * share))
    tail[: int(d.uniform(0.001, 0.012) * RATE)] = 0
    return np.asarray(response + tail * np.sqrt(10 ** (-d.uniform(-6, 20) / 10) / np.sum(tail**2)))
