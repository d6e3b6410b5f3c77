"""Rooms with a microphone, drawn from far wider ranges than we believe; all ranges are judgement."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, fftconvolve, lfilter, sosfilt

Array = NDArray[np.float64]
RATE = 48000


def peak(sound: Array, hz: float, quality: float, gain: float) -> Array:
    """`sound` boosted around one frequency, as by a microphone or its mount."""
    w = 2 * np.pi * hz / RATE
    pole = np.exp(-w / (2 * quality))
    return np.asarray(
        sound + gain * lfilter([1 - pole, 0, pole - 1], [1, -2 * pole * np.cos(w), pole**2], sound)
    )


def across(sound: Array, room: int, r: np.random.Generator) -> Array:
    """The sound through a room, at a microphone whose level carries no information."""
    d = np.random.default_rng([room, 64])
    across = fftconvolve(sound, _response(d))[: len(sound)]
    for _ in range(int(d.integers(0, 4))):
        across = peak(
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
    """A room's impulse response: direct sound, early echoes, a tail whose high frequencies decay faster."""
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
