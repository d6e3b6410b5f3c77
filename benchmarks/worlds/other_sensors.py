"""Sensors of the other world: modes drawn at random, a room response of decaying noise, a node on a spring."""

from __future__ import annotations

import numpy as np
from scipy.signal import butter, fftconvolve, lfilter, sosfilt

from benchmarks.worlds.other_igloo import RATE, STEP, Array, Person, Set


def _half_sine(x: Array) -> Array:
    """Spectrum of a half-sine impact at x, frequency times duration."""
    below = 1 - 4 * x**2
    out: Array = np.abs(np.cos(np.pi * x) / np.where(np.abs(below) < 0.02, 0.02, below))
    return out


def _ring(impulses: Array, hz: float, quality: float) -> Array:
    """The acceleration of one mode excited by impulses."""
    w = 2 * np.pi * hz / RATE
    radius = np.exp(-w / (2 * quality))
    return np.asarray(lfilter([np.sin(w)], [1, -2 * radius * np.cos(w), radius**2], impulses))


def record(
    igloos: Set, person: Person, touches: Array, felt: Array, room: int, take: int
) -> dict[str, Array]:
    """Microphone across the table, contact microphone and accelerometer."""
    r = np.random.default_rng([igloos.seed, room, take, 16])
    n = round(len(felt) * STEP * RATE) + RATE // 4
    lead = RATE // 8
    at = lead + np.round(touches[:, 0] * RATE).astype(int)
    wall = touches[:, 2] >= 0
    plane = touches[:, 2].astype(int)
    longer = igloos.touch_s * np.maximum(touches[:, 3], 0.02) ** -0.2
    sound, contact = np.zeros(n), np.zeros(n)
    force = np.zeros((n, 3))
    for k in range(3):
        np.add.at(force[:, k], at[wall], touches[wall, 1] * -touches[wall, 4 + k] * RATE)
    shaken = np.zeros((n, 3))
    for m, hz in enumerate(igloos.modes):
        spectrum = _half_sine(hz * longer)
        drive = np.zeros(n)
        np.add.at(drive, at[wall], (touches[:, 1] * spectrum * igloos.gains[plane, m])[wall])
        out = _ring(drive, hz, igloos.quality[m])
        sound += igloos.heard[m] * out
        contact += out
        shaken += np.outer(out, igloos.felt[m]) * (2 * np.pi * hz) * 0.02 / igloos.shell_kg
    clicks = np.zeros(n)
    np.add.at(clicks, at[~wall], touches[~wall, 1])
    click = sosfilt(butter(2, 5000, "high", fs=RATE, output="sos"), clicks)
    sound += 4 * igloos.leak * click
    contact += igloos.leak * click
    across = _across(igloos, sound, room, r)
    contact = 60 * contact / igloos.bead**2.2 * 1e-6 + 1e-4 * r.normal(size=n)
    node = _node(igloos, person, force, shaken, felt, r)
    return {"microphone": np.clip(across, -1, 1), "contact": np.clip(contact, -1, 1), "accelerometer": node}


def _across(igloos: Set, sound: Array, room: int, r: np.random.Generator) -> Array:
    """The sound through the room at a microphone on the table, with its noise; the level carries no information."""
    n = len(sound)
    d = np.random.default_rng([room, 17])
    tail = d.normal(size=RATE // 2) * np.exp(-np.arange(RATE // 2) / RATE * 6.9 / d.uniform(0.25, 0.6))
    tail[:48] = 0
    tail *= np.sqrt(10 ** (-d.uniform(-4, 8) / 10) / np.sum(tail**2))
    response = np.concatenate([[1.0], tail])
    across = fftconvolve(lfilter(igloos.tilt, [1], sound), response)[:n]
    hiss = lfilter([1], [1, -0.7], r.normal(size=n))
    across = across / across.std() + 10 ** (-d.uniform(28, 45) / 20) * hiss / hiss.std()
    return np.asarray(across * 0.05 * 10 ** (d.uniform(-10, 6) / 20))


def _node(
    igloos: Set, person: Person, force: Array, shaken: Array, felt: Array, r: np.random.Generator
) -> Array:
    """An accelerometer on the shell, in g: hand, recoil on the fingers, ringing, low-pass, noise, steps."""
    n, lead = len(force), RATE // 8
    w, damping = 2 * np.pi * igloos.grip[0] * person.grip, igloos.grip[1]
    a1, a2 = _second_order(w, damping)
    recoil = lfilter([1, -2, 1], [1, a1, a2], force, axis=0) / (igloos.shell_kg * 1.5)
    wn = 2 * np.pi * igloos.node[0]
    b1, b2 = _second_order(wn, 0.5 / igloos.node[1])
    g = (recoil + shaken) / 9.81
    g = lfilter([1 + b1 + b2], [1, b1, b2], g, axis=0)
    index = np.clip(((np.arange(n) - lead) / RATE / STEP).astype(int), 0, len(felt) - 1)
    hand = felt[index] / 9.81
    g = (
        sosfilt(
            butter(2, min(igloos.band * igloos.rate, 0.45 * RATE), fs=RATE, output="sos"),
            g + hand - hand[0],
            axis=0,
        )
        + hand[0]
    )
    times = np.arange(int(n / RATE * igloos.true_rate)) / igloos.true_rate * RATE
    out = np.column_stack([np.interp(times, np.arange(n), g[:, k]) for k in range(3)])
    out = out @ igloos.axes.T + r.normal(size=out.shape) * igloos.noise_g * np.sqrt(igloos.rate / 2)
    return np.asarray(np.clip(np.round(out / 4.88e-4) * 4.88e-4, -16, 16))


def _second_order(w: float, damping: float) -> tuple[float, float]:
    radius = np.exp(-damping * w / RATE)
    return -2 * radius * np.cos(w * np.sqrt(max(0.0, 1 - damping**2)) / RATE), radius**2
