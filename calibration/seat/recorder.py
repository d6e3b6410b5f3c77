"""One counting gesture from a running source: guides through it and keeps its samples (docs/gesture.md)."""

from __future__ import annotations

from collections import deque

import numpy as np

from sensors.bridged import Bridged
from sensors.ear.frames.frontend import LIMIT, Array, Sensor
from sensors.ear.frames.mixing import Mixer
from sensors.gesture.coach import Advice, advise
from sensors.gesture.collect import Collector, collect
from sensors.gesture.gathered import WANTED, fullest
from sensors.gesture.judge import DIFFER

KEPT_S = 50.0  # s; a gesture takes at most 30 from the empty tap on
BEFORE_S = 2.5  # s kept before the last tap on the empty seat, for the one or two before it
AFTER_S = 0.6  # s kept after the last tap, for its ring


class SeatTakeRecorder:
    """Push blocks until `samples` are there: the empty seat, and three placings that could be weighed.

    No profile is needed: loads are weighed against the empty seat.
    """

    def __init__(self, sensor: Sensor, rate: float, channels: int) -> None:
        """`channels`: three for an accelerometer; a microphone's are mixed to one. Raises SoundError for too low a
        rate."""
        self._sensor, self._rate = sensor, rate
        self._mix = sensor == "microphone"
        self._mixer = Mixer()
        self._collector = Collector(sensor, rate, 1 if self._mix else channels)
        self._bridged = Bridged()
        self._kept: deque[Array] = deque()
        self._samples = 0
        self._done_s: float | None = None
        self._began_s = 0.0
        self.samples: Array | None = None
        self.problem: str | None = None

    @property
    def advice(self) -> Advice:
        """What to do next, and what was wrong with the last tap."""
        return advise(self._collector, self._done_s is not None)

    @property
    def taps(self) -> int:
        """The number of taps of any kind so far."""
        return self._collector.news

    def push(self, block: Array) -> None:
        """Hear float32[samples, channels]."""
        block = np.clip(self._bridged.push(block), -LIMIT, LIMIT)
        if self._mix and block.ndim == 2:
            block = self._mixer.push(block)
        self._keep(block)
        self._collector.push(block)
        now = self._collector.gesture
        if self._done_s is None and now is not None and now.placings >= WANTED:
            self._done_s, self._began_s = self._collector.seconds, now.empty_s - BEFORE_S
        if self._done_s is not None and self._collector.seconds - self._done_s >= AFTER_S:
            self._finish()

    def _keep(self, block: Array) -> None:
        self._kept.append(block)
        self._samples += len(block)
        while self._samples - len(self._kept[0]) > KEPT_S * self._rate:
            self._samples -= len(self._kept.popleft())

    def _finish(self) -> None:
        """Keep only the finished gesture, not one begun with another igloo. It is read as `fit` will read it: a file
        that holds less than was felt is not a take."""
        samples = np.concatenate(self._kept)
        since_s = self._collector.seconds - len(samples) / self._rate
        samples = samples[max(0, round((self._began_s - since_s) * self._rate)) :]
        read = fullest(collect(self._sensor, self._rate, samples))
        told = 0 if read is None else read.placings
        if told < WANTED:
            self.problem = f"only {told} of {WANTED} settings down could be read: begin with the empty seat"
        elif read is not None and read.doubtful:
            self.problem = DIFFER
        self.samples = samples
