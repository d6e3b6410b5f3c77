"""Partial answers during a shake: several looks a second, each of which must cost little.

Each look takes the latest stretch alone, and the looks at one shake are added up. Where the network has the weight that
it has in the profiles that ship, and nothing feels the hand, its reading of each stretch suffices: added up, readings
tell nearly as much as all features of the stretches (`python -m benchmarks.glances`), in less than half the time. A
sensor that feels the hand gains from an owner's sweep, which the network does not know: there all features are
measured.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sensors.ear.frames.frontend import Floats, Frames
from sensors.ear.models.model import posterior
from sensors.ear.models.reading import UNCALIBRATED
from sensors.ear.profiles.heads import Head
from sensors.ear.shakes.features import learned, strength
from sensors.ear.shakes.moves import move_of
from sensors.ear.shakes.shake import shake_of
from sensors.ear.shakes.takes import Take, cut
from sensors.ear.verdicts.probabilities import probabilities_of
from sensors.ear.verdicts.verdict import relative_strength

# The mean of ln p over n glances is multiplied by READ or MEASURED · n^SURER. Tuned on simulated microphones and
# accelerometers of two engines. Stretches overlap, so each repeats much of what the one before it told.
READ = 0.75
MEASURED = 1.0
SURER = 0.4
MOST_KEPT = 9  # some three seconds: after a longer noise the shake is not kept waiting for looks at the noise
MOST_GLANCES = 6  # some two seconds: more glances tell little more


@dataclass(frozen=True, slots=True)
class Glance:
    """Probabilities over the profile's counts; how hard the igloo is shaken, 1.0 = the middle of the range that counts
    well."""

    probabilities: Mapping[int, float]
    strength: float


class Glances:
    """Adds up the glances at one shake after another, through the front end of the first of `heads`. `guided`: they are
    gestures, and each glance stands alone."""

    def __init__(self, heads: Sequence[Head], guided: bool = False) -> None:
        self._heads = heads
        self._head = heads[0]
        self._guided = guided
        self._read = not guided and read_alone(self._head)
        self._kept: deque[Frames] = deque(maxlen=MOST_KEPT)
        self.begin()

    def begin(self) -> None:
        """Begin with another shake."""
        self._sum = np.zeros(len(self._head.model.counts))
        self._number = 0
        self._kept.clear()

    def keep(self, frames: Frames) -> bool:
        """Keep a stretch of something that may be no shake: a look at it costs much, and may be in vain. False where
        it holds nothing but silence or a click, and is not kept."""
        told = cut(self._head.front, frames) is not None
        if told:
            self._kept.append(frames)
        return told

    def look_at_kept(self) -> Glance | None:
        """It is a shake: what is known of it after all that was kept."""
        told = None
        while self._kept:
            told = self.look(self._kept.popleft())
        return told

    def look(self, frames: Frames) -> Glance | None:
        """What is known of the shake after its latest stretch; None where that holds nothing but silence or a click."""
        told = self._reading(frames) if self._read else self._measure(frames)
        if told is None:
            return None
        likely, strong = told
        if self._guided:
            self.begin()
        self._sum += likely
        self._number += 1
        believed = (READ if self._read else MEASURED) * min(self._number, MOST_GLANCES) ** SURER
        p = posterior(believed * self._sum[None] / self._number)[0]
        counts = dict(zip(self._head.model.counts, p.tolist(), strict=True))
        return Glance(counts, relative_strength(self._head, strong))

    def _reading(self, frames: Frames) -> tuple[Floats, float] | None:
        take = cut(self._head.front, frames)
        return None if take is None else (_read(self._head, take), strength(take))

    def _measure(self, frames: Frames) -> tuple[Floats, float] | None:
        front = self._head.front
        if self._guided:
            shake = move_of(front, frames)
        else:
            shake = shake_of(front, frames, quick=True, known=self._head.floor)
        if shake is None:
            return None
        return np.log(np.array(list(probabilities_of(self._heads, shake).values())) + 1e-9), shake.strength


def read_alone(head: Head) -> bool:
    """Does the network's reading suffice for a glance at this head?"""
    reading = head.model.reading
    return reading is not None and reading.weight >= UNCALIBRATED and not head.front.hand


def _read(head: Head, take: Take) -> Floats:
    """ln p of each count, float64[counts], as the network reads it from a take."""
    model, reading = head.model, head.model.reading
    assert reading is not None
    embedding = learned(take)
    values = np.array([[embedding[model.names[column]] for column in reading.columns]])
    told: Floats = np.log(posterior(reading.of_embedding(values, model.counts))[0] + 1e-9)
    return told
