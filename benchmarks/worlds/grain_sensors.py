"""Sensors of the fourth world: signals from the forces on a shell. Ranges are judgement unless a source is given."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, fftconvolve, lfilter, resample_poly, sosfilt

from benchmarks.worlds.grain_contacts import SHAPES
from benchmarks.worlds.grain_engine import CLICK, FORCE, PUSH, RATE, TORQUE
from benchmarks.worlds.grain_hand import MOTION, G, Person
from benchmarks.worlds.grain_igloo import Inside

Array = NDArray[np.float64]
SOUND = 48000
PARTS = ((1600.0, 16.0, 4.88e-4), (1666.0, 16.0, 4.88e-4), (3200.0, 16.0, 3.9e-3), (833.0, 16.0, 4.88e-4))
# rate in Hz, range and step in g: chips like LIS3DH and LSM6DS, an ADXL345 at full resolution, an MPU-6050 read slowly


@dataclass(frozen=True)
class Shell:
    """How one maker's shells move and ring, and the sensors on them."""

    kg: float
    inertia: float  # kg·m²
    middle: Array  # centre of mass, relative to the floor's centre, m
    hz: Array  # modes
    loss: Array
    shapes: Array  # [SHAPES, modes]
    rubbed: Array  # [3, modes] excitation by forces along the wall
    radiates: Array  # [modes]
    at_disc: Array  # [modes]
    at_node: Array  # [modes, 3]
    place: Array  # of the node, m
    disc: tuple[float, float, float, float]  # high-pass Hz, resonance Hz, its Q factor and gain
    disc_gain: float
    clicks: tuple[float, float]  # level of bead-bead clicks, in the air and at the disc
    mount: tuple[float, float]
    axes: Array
    part: int
    rate: float
    true_rate: float
    band: float
    order: int
    noise_g: float


def draw_shell(seed: int, inside: Inside, rate_hz: float | None = None) -> Shell:
    """A maker's shell around that inside; `rate_hz` of its accelerometer (None: drawn)."""
    r = np.random.default_rng([seed, 81])
    kg = float(np.exp(r.uniform(*np.log([0.010, 0.045]))))
    n = int(r.integers(12, 40))
    # a thin dome has about the same modal density at all frequencies (Fletcher and Rossing 1998, 3.12)
    first = float(np.exp(r.uniform(*np.log([700, 3000]))))
    spacing = float(np.exp(r.uniform(*np.log([250, 800]))))
    hz = first + spacing * np.cumsum(r.gamma(3, 1 / 3, n))
    hz = hz[hz < 21000]
    n = len(hz)
    # PLA, ABS, PETG: loss factor .01 to .05
    loss = (
        float(np.exp(r.uniform(*np.log([0.01, 0.05]))))
        * (hz / 3000) ** r.uniform(-0.1, 0.3)
        * np.exp(0.25 * r.normal(size=n))
    )
    degree = np.array([0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3])
    wanted = np.clip(0.8 + 2.2 * np.log2(hz / hz[0]) / 3, 0.8, 3.0)  # higher modes have more nodal lines
    shapes = r.normal(size=(SHAPES, n)) * np.exp(-0.5 * ((degree[:, None] - wanted) / 0.8) ** 2)
    shapes = shapes / np.linalg.norm(shapes, axis=0)
    axes, _ = np.linalg.qr(r.normal(size=(3, 3)))
    place = np.array([*r.normal(size=2), abs(r.normal())])
    place = place / np.linalg.norm(place) * np.array([inside.radius, inside.radius, inside.height])
    part = int(r.choice(4, p=[0.3, 0.3, 0.25, 0.15]))
    rate = rate_hz or PARTS[part][0]
    return Shell(
        kg=kg,
        inertia=0.5 * kg * inside.radius**2,
        middle=np.array([0, 0, 0.4 * inside.height]),
        hz=hz,
        loss=loss,
        shapes=shapes,
        rubbed=0.3 * r.normal(size=(3, n)),
        radiates=np.abs(r.normal(size=n)) * np.minimum(1, (hz / 4000) ** 2),
        at_disc=r.normal(size=n),
        at_node=r.normal(size=(n, 3)) * np.array([0.4, 0.4, 1.0]) @ axes,
        place=place,
        disc=(
            float(np.exp(r.uniform(*np.log([40, 900])))),
            float(r.uniform(2500, 9000)),
            float(r.uniform(1, 5)),
            float(r.uniform(0, 1.5)),
        ),
        disc_gain=float(np.exp(0.5 * r.normal())),
        clicks=(
            float(np.exp(r.uniform(*np.log([0.1, 1.0])))),
            float(np.exp(r.uniform(*np.log([0.01, 0.1])))),
        ),
        mount=(float(np.exp(r.uniform(*np.log([250, 2500])))), float(np.exp(r.uniform(*np.log([0.8, 8]))))),
        axes=axes,
        part=part,
        rate=rate,
        true_rate=rate * float(r.uniform(0.98, 1.02)),
        band=float(r.uniform(0.25, 0.45)),
        order=int(r.integers(1, 4)),
        noise_g=float(np.exp(r.uniform(*np.log([7e-5, 3e-4])))),
    )


def record(
    shell: Shell,
    person: Person,
    forces: Array,
    felt: Array,
    turning: Array,
    room: int,
    r: np.random.Generator,
) -> dict[str, Array]:
    """Microphones across the table and on the shell: float64[samples at SOUND]; accelerometer: float64[samples, 3] in
    g."""
    drive = forces[:, PUSH] @ shell.shapes + forces[:, FORCE] @ shell.rubbed
    loss = np.minimum(0.5, shell.loss + person.fingers * (1 + 2000 / shell.hz) * np.exp(0.2 * r.normal()))
    rung = np.zeros((len(forces), 2))
    node = np.zeros((len(forces), 3))
    modal = shell.kg / 2
    for m, hz in enumerate(shell.hz):
        w = 2 * np.pi * hz / RATE
        pole = np.exp(-0.5 * loss[m] * w)
        # acceleration of a mode of mass `modal`: force less the spring's
        ring = lfilter([1, -2, 1], [1, -2 * pole * np.cos(w), pole**2], drive[:, m]) / modal
        rung[:, 0] += shell.radiates[m] * ring
        rung[:, 1] += shell.at_disc[m] * ring
        if hz < 7000:
            node += np.outer(ring, 0.5 * shell.at_node[m])
    click = np.diff(forces[:, CLICK], prepend=0.0) * RATE
    rigid = _held(forces[:, FORCE] / shell.kg, person, r)
    # torque about the centre of mass, not about the floor's centre
    torque = forces[:, TORQUE] - np.cross(shell.middle, forces[:, FORCE])
    node = node + rigid + np.cross(_held(torque / shell.inertia, person, r), shell.place - shell.middle)
    rub = _rubbed(felt, len(forces), r)
    air = rung[:, 0] + 0.05 * np.linalg.norm(rigid, axis=1) + shell.clicks[0] * click * 4e-5 / shell.kg
    air = air + 10 ** (-r.uniform(30, 60) / 20) * air.std() * rub
    disc = rung[:, 1] + rigid[:, 2] + shell.clicks[1] * click * 1e-3
    disc = _disc(disc, shell) * shell.disc_gain / 16000
    disc = (
        disc
        + 10 ** (-r.uniform(25, 55) / 20) * disc.std() * rub
        + 10 ** (-r.uniform(70, 95) / 20) * r.normal(size=len(disc))
    )
    return {
        "microphone": _across(resample_poly(air, 1, 2), room, r),
        "contact": np.clip(resample_poly(disc, 1, 2), -1, 1),
        "accelerometer": _felt(shell, node, felt, turning, r),
    }


def _held(x: Array, person: Person, r: np.random.Generator) -> Array:
    """Acceleration of a mass held by elastic fingers; x is the force on it over its mass."""
    hz = person.grip[0] * float(np.exp(0.1 * r.normal()))
    w = 2 * np.pi * hz / RATE
    z = person.grip[1]
    pole = np.exp(-z * w)
    turn = np.cos(w * np.sqrt(1 - z * z))
    return np.asarray(lfilter([1, -2, 1], [1, -2 * pole * turn, pole**2], x, axis=0))


def _rubbed(felt: Array, n: int, r: np.random.Generator) -> Array:
    """Noise of skin on plastic, of size 1: louder when the hand accelerates."""
    pull = np.linalg.norm(np.diff(felt, axis=0, prepend=felt[:1]), axis=1)
    pull = np.interp(np.arange(n) / RATE * MOTION, np.arange(len(pull)), pull)
    noise = lfilter([1], [1, -r.uniform(0.7, 0.97)], r.normal(size=n)) * (pull + 0.1 * pull.mean() + 1e-9)
    return np.asarray(noise / noise.std())


def _disc(x: Array, shell: Shell) -> Array:
    corner, hz, quality, gain = shell.disc
    x = np.asarray(sosfilt(butter(1, corner, "high", fs=RATE, output="sos"), x))
    w = 2 * np.pi * hz / RATE
    pole = np.exp(-w / (2 * quality))
    return np.asarray(x + gain * (1 - pole) * lfilter([1, 0, -1], [1, -2 * pole * np.cos(w), pole**2], x))


def _across(x: Array, room: int, r: np.random.Generator) -> Array:
    d = np.random.default_rng([room, 82])
    n = int(0.6 * SOUND)
    t = np.arange(n) / SOUND
    response = np.zeros(n)
    response[0] = 1.0
    far = d.uniform(0.3, 1.5)
    for k in range(int(d.integers(1, 8))):  # the table first, then objects and walls
        late = 0.0008 * np.exp(d.uniform(0, 3.2)) if k else d.uniform(0.0003, 0.0015)
        response[int(late * SOUND)] += d.choice([-1, 1]) * d.uniform(0.1, 0.7) * 0.002 / (0.002 + late)
    long = float(np.exp(d.uniform(*np.log([0.15, 0.8]))))
    tail = d.normal(size=n) * np.exp(-6.9 * t / long)
    bright = sosfilt(butter(1, 3500, "high", fs=SOUND, output="sos"), tail)
    tail = tail - (1 - np.exp(-t / (0.3 * long))) * 0.6 * bright
    tail[: int(0.004 * SOUND)] = 0
    critical = d.uniform(0.5, 1.2)  # critical distance, m
    tail *= far / critical / np.sqrt(np.sum(tail**2) + 1e-12)
    y = fftconvolve(x, response + tail)[: len(x)]
    y = sosfilt(butter(2, d.uniform(60, 300), "high", fs=SOUND, output="sos"), y)
    if d.random() < 0.4:
        y = sosfilt(butter(4, d.uniform(9000, 17000), fs=SOUND, output="sos"), y)
    y = y / (y.std() + 1e-15)
    hum = lfilter([1], [1, -d.uniform(0.5, 0.99)], r.normal(size=len(y)))
    y = y + 10 ** (-d.uniform(28, 60) / 20) * hum / hum.std()
    if d.random() < 0.35:
        slow = np.exp(-1 / (SOUND * d.uniform(0.05, 0.6)))
        loud = lfilter([1 - slow], [1, -slow], np.abs(y)) + 0.05
        y = y * loud ** -d.uniform(0.1, 0.5)
    return np.asarray(np.clip(y / np.abs(y).max() * 10 ** (-r.uniform(1, 22) / 20), -1, 1))


def _felt(shell: Shell, node: Array, felt: Array, turning: Array, r: np.random.Generator) -> Array:
    hz, quality = min(shell.mount[0], 0.4 * RATE), shell.mount[1]
    w = 2 * np.pi * hz / RATE
    pole = np.exp(-w / (2 * quality))
    a = np.array([1, -2 * pole * np.cos(w * np.sqrt(max(0.0, 1 - 0.25 / quality**2))), pole**2])
    node = lfilter([a.sum()], a, node, axis=0)
    node = sosfilt(butter(shell.order, shell.band * shell.rate, fs=RATE, output="sos"), node, axis=0)
    spun = np.gradient(turning, 1 / MOTION, axis=0)
    place = np.tile(shell.place, (len(felt), 1))
    hand = felt + np.cross(spun, place) + np.cross(turning, np.cross(turning, place))
    times = np.arange(int(len(node) / RATE * shell.true_rate)) / shell.true_rate
    out = np.stack(
        [
            np.interp(times * MOTION, np.arange(len(hand)), hand[:, k])
            + np.interp(times * RATE, np.arange(len(node)), node[:, k])
            for k in range(3)
        ],
        axis=1,
    )
    out = out / G @ shell.axes.T
    out = out + shell.noise_g * np.sqrt(shell.rate / 2) * r.normal(size=out.shape)
    _, reach, step = PARTS[shell.part]
    return np.asarray(np.clip(np.round(out / step) * step, -reach, reach))
