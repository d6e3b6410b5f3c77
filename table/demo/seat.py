"""A seat of the demo's Igloo Pop table: its microphone, the sound of whatever is shaken there, and the ear on it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from firmware_bridge.clock import Clock
from hw_mock.sound import BLOCK_S, MockCapture
from sensors.ear.listener import Listener
from sensors.ear.profiles.profile import Profile
from sensors.ear.sources.taken_at import ByArrival
from sensors.ear.verdicts.lost_sound import LostSound
from sensors.evidence import Heard, Hearing
from table.trainer.rattles import RATE, Samples

_BLOCK = round(BLOCK_S * RATE)
_HISS = 2e-4  # of full scale


class Seat:
    """A seat's microphone and its ear. The microphone gives the quiet hiss of the room, and any shake over it."""

    def __init__(self, name: str, clock: Clock, seed: int, profile: Profile) -> None:
        self.ear = Listener(profile, RATE, 1, f"the seat of {name}", partial=True)
        self._opened, self._drawn = clock.now(), 0  # number of samples that its stream has received
        self.capture = MockCapture(self._sound(), clock, rate=RATE, name=f"microphone of {name}")
        self.heard = asyncio.Event()
        self._clock, self._arrivals, self._came = clock, ByArrival(), 0
        # blocks lost on a machine that did not keep up
        self._lost, self._splices = 0, LostSound()
        self.ear.ask_whole(self._splices.whole)
        # blocks, each with the stream's sample at which it sounds. An igloo may be put down in the middle of a shake;
        # and on a busy machine the stream lags, so that a new shake must not land in older sound
        self._waiting: deque[tuple[int, Samples]] = deque()
        self._random = np.random.default_rng(seed)

    def hear(self, block: Samples) -> Iterator[Heard | Hearing]:
        """The next block of its microphone, float32[samples, 1]."""
        if self.capture.overflows > self._lost:
            self._lost = self.capture.overflows
            self._splices.lost(self._came / RATE)
            self._arrivals.lost(self._came / RATE)
        self._came += len(block)
        self._arrivals.came(self._came / RATE, self._clock.now() - self.capture.age_s)
        for said in self.ear.push(block):
            if isinstance(said, Heard):
                yield replace(self._splices.judge(said), ended_at=self._arrivals.at(said.end_s))
            else:
                yield said

    def play(self, sound: Samples) -> None:
        """Somebody shakes an igloo here."""
        self.heard.clear()
        last = self._waiting[-1][0] + _BLOCK if self._waiting else 0
        begins = max(self._now(), last)
        self._waiting.extend((begins + at, sound[at : at + _BLOCK]) for at in range(0, len(sound), _BLOCK))

    def hush(self) -> None:
        """The igloo was put down: drop the rest of its shake."""
        while self._waiting and self._waiting[-1][0] + _BLOCK > self._now():
            self._waiting.pop()

    def _now(self) -> int:
        return int((self._clock.now() - self._opened) * RATE)

    def _sound(self) -> Iterator[Samples]:
        while True:
            sound = np.zeros(_BLOCK, np.float32)
            if self._waiting and self._waiting[0][0] < self._drawn + _BLOCK:
                sound = self._waiting.popleft()[1]
            self._drawn += len(sound)
            yield sound + self._random.normal(0.0, _HISS, len(sound)).astype(np.float32)
