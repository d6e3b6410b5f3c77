"""Training data of likenesses: stretches of sound as a running ear cuts them out, with the features of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sensors.ear.listener import Listener, Stretch
from sensors.ear.profiles.profile import Profile
from sensors.ear.shakes.shake import Shake

LEAST_S = {True: 0.5, False: 0.25}  # shorter cuts of shakes (True) and of noises (False) are not used
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Cut:
    """The features of one stretch of sound, float64[features]; `of`: which world's shake, or which noise."""

    values: Floats
    names: tuple[str, ...]
    seconds: float
    of: str
    shake: bool


@dataclass(frozen=True)
class Span:
    """When something is audible, from start to end, in s since the start of the sound."""

    start_s: float
    end_s: float
    of: str
    shake: bool

    def over(self, start_s: float, end_s: float) -> float:
        """The length of its overlap with that interval, s."""
        return min(self.end_s, end_s) - max(self.start_s, start_s)


class Cutter(Listener):
    """A running ear that keeps the features of every stretch, shake or not, and its time."""

    def __init__(self, profile: Profile, rate: float, channels: int) -> None:
        super().__init__(profile, rate, channels, "benchmark")
        self.kept: list[tuple[float, Shake]] = []

    def _measured(self, stretch: Stretch) -> Shake | None:
        shake = super()._measured(stretch)
        if shake is not None:
            self.kept.append((stretch.first / self.head.front.frame_rate, shake))
        return shake


def kept(sound: Floats, rate: float, profile: Profile) -> list[tuple[float, Shake]]:
    """Start and features of each stretch that is found in `sound`, float[samples, channels]."""
    ear = Cutter(profile, rate, sound.shape[1])
    for block in np.array_split(sound.astype(np.float32), max(1, int(len(sound) * 10 / rate))):
        list(ear.push(block))
    list(ear.finish())
    return ear.kept


def cuts(sound: Floats, rate: float, profile: Profile, of: str, shake: bool) -> list[Cut]:
    """All stretches found in a sound with a single content, float[samples, channels]."""
    return [
        Cut(s.values, s.names, s.seconds, of, shake)
        for _, s in kept(sound, rate, profile)
        if s.seconds >= LEAST_S[shake]
    ]


def cuts_of(sound: Floats, rate: float, profile: Profile, spans: Iterable[Span], other: str) -> list[Cut]:
    """All stretches found, each labelled with the content of most of it; `other`: the label outside all spans. A
    stretch with some of a shake, but less than half a second, is left out."""
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
