"""The listener of the counting gesture: blocks of samples in, evidence out, and a prompt for whoever taps."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sensors.ear.errors import ProfileError
from sensors.evidence import Heard, Hearing
from sensors.gesture.coach import Advice, advise
from sensors.gesture.collect import WANTED, Collector, Gesture
from sensors.gesture.judge import judge, probabilities
from sensors.gesture.model import Weighing
from sensors.gesture.profile import GestureProfile

PATIENCE_S = 8.0  # after the last tap: what was tapped has to do
CONFIDENT = 0.98


class Counter:
    """Counts igloos on a seat: `push` blocks [n] or [n, channels], get `Hearing` after each tap and `Heard` at the end.

    Memory is constant; an hour of silence costs a filter. How much heavier everything weighs today is learned from the
    igloos that were told for certain, so that later ones are told better.
    """

    def __init__(
        self,
        profile: GestureProfile,
        rate: float,
        channels: int,
        source: str = "seat",
        device: str | None = None,
    ) -> None:
        """device: which of the profile's sets; None: its only one. Raises ProfileError, SoundError (rate too low)."""
        if device is not None and profile.set_for(device) is None:
            raise ProfileError(
                f"the profile knows no set called {device}",
                f"name one of {', '.join(profile.sets) or 'none'}",
            )
        if channels != 1 and profile.sensor == "microphone":
            raise ProfileError(
                f"the profile is of one microphone, and this has {channels} channels", "give one channel"
            )
        self.profile, self.source, self.device = profile, source, device
        self._known = profile.set_for(device)
        empty = self._known.empty if self._known is not None else None
        self._collector = Collector(profile.sensor, rate, channels, empty)
        self._told = 0  # taps of the running gesture that were answered
        self._certain = False  # … and the answer was a sure one
        self._gain = 0.0
        self._gain_sd = self._known.model.noise.gain if self._known is not None else 0.0

    @property
    def advice(self) -> Advice:
        """What to do next, and what was wrong with the last tap."""
        return advise(self._collector, self._certain)

    @property
    def level_db(self) -> float:
        """How loud the last tap was, for a meter; -120 before any."""
        last = self._collector.last
        return -120.0 if last is None else 20 * math.log10(max(last.strike, 1e-6))

    def push(self, block: NDArray[np.floating]) -> list[Heard | Hearing]:
        """Samples in g (accelerometer) or ±1 (microphone); what is not finite counts as silence."""
        out: list[Heard | Hearing] = []
        before = self._collector.news
        for ended in self._collector.push(block):
            out += self._tell(ended, last=True)
        now = self._collector.gesture
        if now is not None and self._collector.news != before:
            out += self._tell(now, last=False)
        if now is not None and self._collector.seconds - now.end_s > PATIENCE_S and taps_of(now) > self._told:
            out += self._tell(now, last=True)
            self._told = taps_of(now)  # the igloo may stand there on: more taps still add up
        return out

    def finish(self) -> list[Heard | Hearing]:
        """The source has ended."""
        return [said for ended in self._collector.finish() for said in self._tell(ended, last=True)]

    def _tell(self, gesture: Gesture, last: bool) -> list[Heard | Hearing]:
        taps = taps_of(gesture)
        fresh = taps > self._told
        if last:
            self._told = 0
            return [self._answer(gesture)] if fresh else []
        if fresh and max(gesture.placings, taps // WANTED) >= WANTED:
            self._told = taps
            return [self._answer(gesture)]
        self._certain = False
        if not fresh or not gesture.weights:
            return []
        p = probabilities(gesture, self.profile, self._known, self._gain, self._gain_sd)
        return [Hearing(self.source, gesture.start_s, gesture.end_s, p, self.level_db, self.advice.level)]

    def _answer(self, gesture: Gesture) -> Heard:
        said = judge(gesture, self.profile, self.source, self.device, self._gain, self._gain_sd)
        best = said.best
        self._certain = said.verdict == "sure"
        if self._certain and best is not None and said.probabilities[best] > CONFIDENT:
            self._learn(gesture, best)
        return said

    def _learn(self, gesture: Gesture, count: int) -> None:
        """How much heavier all igloos weigh today: one more sighting (Kalman's rule for one number)."""
        if self._known is None:
            return
        model, weighing = self._known.model, Weighing.of(gesture.weights)
        i = model.counts.index(count)
        seen = weighing.upright / float(model.means[i, 0]) - 1
        doubt = math.hypot(
            model.noise.upright(weighing.taps, weighing.placings, weighing.upright),
            math.sqrt(float(model.known[i, 0])),
        )
        variance = (doubt / weighing.upright) ** 2
        share = self._gain_sd**2 / (self._gain_sd**2 + variance)
        self._gain += share * (seen - self._gain)
        # it wanders on: never quite certain
        self._gain_sd = max(math.sqrt(1 - share) * self._gain_sd, 0.15 * model.noise.gain)


def taps_of(gesture: Gesture) -> int:
    """Taps that want an answer: those that were weighed, or, where none could be, those that rang at all.

    The first dull one is the setting down; knocks on the table ring no seat.
    """
    if gesture.weights:
        return len(gesture.weights)
    rang = sum(pair.upright is not None for pair in gesture.pairs)
    return max(0, gesture.dull - 1) if rang else 0
