"""Stretches of sound as a running ear cuts them out, and what it measures of each: what likenesses learn from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sensors.ear.listener import Listener, Stretch
from sensors.ear.profiles.profile import Profile
from sensors.ear.shakes.shake import Shake

LEAST_S = {True: 0.5, False: 0.25}  # shorter cuts of shakes, and of noises, are not learned from
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Cut:
    """What was measured of one stretch of sound, float64[features]; `of`: which world's shake, or what noise."""

    values: Floats
    names: tuple[str, ...]
    seconds: float
    of: str
    shake: bool


@dataclass(frozen=True)
class Span:
    """From when to when something is to be heard, s since the start of the sound."""

    start_s: float
    end_s: float
    of: str
    shake: bool

    def over(self, start_s: float, end_s: float) -> float:
        """How much of it lies there, s."""
        return min(self.end_s, end_s) - max(self.start_s, start_s)


class Cutter(Listener):
    """A running ear that keeps what it measured of every stretch, shake or not, and when that was."""

    def __init__(self, profile: Profile, rate: float, channels: int) -> None:
        super().__init__(profile, rate, channels, "benchmark")
        self.kept: list[tuple[float, Shake]] = []

    def _measured(self, stretch: Stretch) -> Shake | None:
        shake = super()._measured(stretch)
        if shake is not None:
            self.kept.append((stretch.first / self.head.front.frame_rate, shake))
        return shake


def kept(sound: Floats, rate: float, profile: Profile) -> list[tuple[float, Shake]]:
    """When each stretch begins that is found in float[samples, channels], and what was measured of it."""
    ear = Cutter(profile, rate, sound.shape[1])
    for block in np.array_split(sound.astype(np.float32), max(1, int(len(sound) * 10 / rate))):
        list(ear.push(block))
    list(ear.finish())
    return ear.kept


def cuts(sound: Floats, rate: float, profile: Profile, of: str, shake: bool) -> list[Cut]:
    """All that is found in a sound that is one thing from end to end, float[samples, channels]."""
    return [
        Cut(s.values, s.names, s.seconds, of, shake)
        for _, s in kept(sound, rate, profile)
        if s.seconds >= LEAST_S[shake]
    ]


def cuts_of(sound: Floats, rate: float, profile: Profile, spans: Iterable[Span], other: str) -> list[Cut]:
    """All that is found, each with what most of it is; `other`: what is in no span. What holds less than half a second
    of a shake, and some of it, is neither."""
    out = []
    for begin, shake in kept(sound, rate, profile):
        start, end = begin + shake.start_s, begin + shake.end_s
        over = sorted(((span.over(start, end), span.of, span.shake) for span in spans), reverse=True)
        shaken = max((long for long, _, true in over if true), default=0.0)
        if 0.0 < shaken < LEAST_S[True]:
            continue
        most = max((o for o in over if o[2] == (shaken > 0)), default=(0.0, other, False))
        of = most[1] if most[0] > 0 else other
        if end - start >= LEAST_S[shaken > 0]:
            out.append(Cut(shake.values, shake.names, shake.seconds, of, shaken > 0))
    return out
