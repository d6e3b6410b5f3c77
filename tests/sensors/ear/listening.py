"""The running ear in a line: what it says of a whole sound, and what is quiet."""

from __future__ import annotations

import numpy as np

from sensors.ear.listener import Listener
from sensors.evidence import Heard, Hearing
from tests.rattle import RATE, Sound
from tests.rattle_profile import rattle_profile

STILL = np.tile(np.array([0.1, 0.2, 0.97], np.float32), (1600, 1))


def listen(
    sound: Sound, block: int = 4410, partial: bool = False, rate: float = RATE
) -> list[Heard | Hearing]:
    samples = sound if sound.ndim == 2 else sound[:, None]
    sensor = "microphone" if samples.shape[1] != 3 else "accelerometer"
    ear = Listener(rattle_profile(sensor), rate, samples.shape[1], "test", partial=partial)
    out: list[Heard | Hearing] = []
    for start in range(0, len(samples), block):
        out += ear.push(samples[start : start + block])
    return out + list(ear.finish())


def quiet(seconds: float, seed: int = 0) -> Sound:
    return (3e-5 * np.random.default_rng(seed).standard_normal(round(seconds * RATE))).astype(np.float32)
