"""Room acoustics between the igloo and the microphone. `Room.draw(seed)` is a room with a microphone in it.

There are early reflections (the table a hand's breadth below, walls, ceiling) and a tail of exponentially decaying
noise, which decays faster at high frequencies, where air and cloth absorb. RT60 is 0.2–0.8 s, from furnished living
rooms to bare kitchens; volumes and background levels are judgement. The ratio of direct to reverberant sound follows
from the critical distance, 0.057·sqrt(V/RT60).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.signal import lfilter, oaconvolve

from hw_mock.igloo.constants import SOUND_RATE, SOUND_SPEED

Sound = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Room:
    """A room, and where its microphone stands."""

    seed: int
    volume: float  # m³
    rt60: float  # s at 1 kHz
    damping: float  # how much faster high frequencies decay: RT60 at 10 kHz as a share of `rt60`
    distance: float  # m, igloo to microphone
    table: float  # amplitude of the table's reflection
    background_db: float  # SPL of the background, dB(A)-like
    background: str  # "quiet", "fan", "hum", "babble", "music"

    @classmethod
    def draw(cls, seed: int) -> Self:
        """A room from its seed, with the microphone 0.15–1.2 m away."""
        r = np.random.default_rng([seed, 0x4A])
        return cls(
            seed=seed,
            volume=float(np.exp(r.uniform(math.log(25), math.log(150)))),
            rt60=float(r.uniform(0.2, 0.8)),
            damping=float(r.uniform(0.35, 0.8)),
            distance=float(np.exp(r.uniform(math.log(0.15), math.log(1.2)))),
            table=float(r.uniform(0.2, 0.8)),
            background_db=float(r.uniform(28, 55)),  # a quiet room to a lively one
            background=str(
                r.choice(("quiet", "fan", "hum", "babble", "music"), p=(0.35, 0.2, 0.1, 0.25, 0.1))
            ),
        )

    def response(
        self, seed: int, distance: float | None = None, place: int | None = None
    ) -> tuple[Sound, Sound]:
        """Impulse responses (early [k], late [m]) at 48 kHz of one take, for pressure at 1 m.

        They differ from take to take, because a hand is never in the same place twice. `place` distinguishes several
        microphones in one room: each gets its own reflections.
        """
        r = np.random.default_rng([self.seed, seed, 0x4B, *(() if place is None else (place,))])
        away = (self.distance if distance is None else distance) * math.exp(r.normal(0, 0.12))
        early = np.zeros(round(0.045 * SOUND_RATE))
        _tap(early, 0.0, 1.0 / away, 0.0)
        height = r.uniform(0.08, 0.35)  # hand and microphone above the table
        longer = math.sqrt(away**2 + 4 * height**2) - away
        _tap(early, longer / SOUND_SPEED, self.table / (away + longer), 0.25)
        size = self.volume ** (1 / 3)
        for _ in range(9):
            way = away + size * r.uniform(0.3, 2.2)
            _tap(
                early,
                (way - away) / SOUND_SPEED,
                r.uniform(0.3, 0.9) * r.choice((-1, 1)) / way,
                r.uniform(0.2, 0.6),
            )
        critical = 0.057 * math.sqrt(self.volume / self.rt60)
        count = round(min(0.7, 0.75 * self.rt60) * SOUND_RATE)
        t = np.arange(count) / SOUND_RATE
        noise = r.normal(size=(2, count))
        # two bands with different decay: below and above about 4 kHz
        low = lfilter([0.35], [1, -0.65], noise[0])
        high = noise[1] - lfilter([0.35], [1, -0.65], noise[1])
        tail = low * 1.6 * 10 ** (-3 * t / self.rt60) + high * 0.9 * 10 ** (
            -3 * t / (self.rt60 * self.damping)
        )
        tail *= np.minimum(1.0, t / 0.012)
        tail *= math.sqrt(1.0 / critical**2 / max(float((tail**2).sum()), 1e-12))
        return early, tail


def through(response: tuple[Sound, Sound], direct: Sound, diffuse: Sound) -> Sound:
    """Sound at the microphone, Pa [n] at 48 kHz: `direct` [n] is radiated towards it, `diffuse` [n] into the room, both
    as pressure at 1 m."""
    early, tail = response
    n = len(direct)
    out: Sound = oaconvolve(direct, early)[:n] + oaconvolve(diffuse, tail)[:n]
    return out


def _tap(response: Sound, delay: float, gain: float, softness: float) -> None:
    at = delay * SOUND_RATE
    i = int(at)
    if i + 2 < len(response):
        share = at - i
        response[i] += gain * (1 - share) * (1 - softness)
        response[i + 1] += gain * (share * (1 - softness) + (1 - share) * softness)
        response[i + 2] += gain * share * softness
