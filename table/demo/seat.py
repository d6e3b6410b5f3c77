"""A seat of the demo's Igloo Pop table: its microphone, whatever is shaken before it, and the ear on it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from firmware_bridge.clock import Clock
from hw_mock.sound import BLOCK_S, MockCapture
from sensors.ear.listener import Listener
from sensors.ear.profile import Profile
from sensors.ear.taken_at import ByArrival
from sensors.evidence import Heard, Hearing
from table.demo.rattles import RATE, Samples

_BLOCK = round(BLOCK_S * RATE)
_HISS = 2e-4  # of full scale


class Seat:
    """A seat's microphone: the quiet hiss of the room, and over it whatever is shaken there; and the ear on it."""

    def __init__(self, name: str, clock: Clock, seed: int, profile: Profile) -> None:
        self.ear = Listener(profile, RATE, 1, f"the seat of {name}", partial=True)
        self.capture = MockCapture(self._sound(), clock, rate=RATE, name=f"microphone of {name}")
        self.heard = asyncio.Event()
        self._clock, self._arrivals, self._came = clock, ByArrival(), 0
        # in blocks: an igloo may be put down in the middle of a shake
        self._waiting: deque[Samples] = deque()
        self._random = np.random.default_rng(seed)

    def hear(self, block: Samples) -> Iterator[Heard | Hearing]:
        """The next block of its microphone, float32[samples, 1]."""
        self._came += len(block)
        self._arrivals.came(self._came / RATE, self._clock.now() - self.capture.age_s)
        for said in self.ear.push(block):
            if isinstance(said, Heard):
                yield replace(said, ended_at=self._arrivals.at(said.end_s))
            else:
                yield said

    def play(self, sound: Samples) -> None:
        """Somebody shakes an igloo here."""
        self.heard.clear()
        self._waiting.extend(sound[at : at + _BLOCK] for at in range(0, len(sound), _BLOCK))

    def hush(self) -> None:
        """The igloo was put down: what is left of its shake is heard by nobody."""
        self._waiting.clear()

    def _sound(self) -> Iterator[Samples]:
        while True:
            sound = self._waiting.popleft() if self._waiting else np.zeros(_BLOCK, np.float32)
            yield sound + self._random.normal(0.0, _HISS, len(sound)).astype(np.float32)
