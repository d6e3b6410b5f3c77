"""The same source through a second front end, kept as long as the first: what two heads of a profile hear together."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import numpy as np

from sensors.ear.frontend import Array, Envelopes, Frames, FrontEnd, join_frames

WAITING_S = 0.6  # is heard at once: nobody asks before a shake ends, and each look has its price


class Beside:
    """Frames of one source of `rate` Hz with `channels` channels, through `front` beside `first`, whose bands are not
    filtered twice; times in seconds since the source's start."""

    def __init__(self, front: FrontEnd, first: FrontEnd, rate: float, channels: int) -> None:
        self.front = front
        alike = not front.hand and front.frame_rate == first.frame_rate
        self._taken = {
            i: first.bands.index(b) for i, b in enumerate(front.bands) if alike and b in first.bands
        }
        own = tuple(band for i, band in enumerate(front.bands) if i not in self._taken)
        self._own = [i for i in range(len(front.bands)) if i not in self._taken]
        self._envelopes = Envelopes(replace(front, bands=own), rate, channels)
        self._waiting: list[tuple[Array, Frames]] = []
        self._most = round(WAITING_S * rate)  # samples of them
        self._kept: deque[Frames] = deque()
        self._first = 0  # number of the first frame that is kept

    def push(self, block: Array, heard: Frames) -> None:
        """Hear float32[samples, channels], which the first front end made `heard` of."""
        self._waiting.append((block, heard))
        if sum(len(waiting) for waiting, _ in self._waiting) >= self._most:
            self._filter()

    def _filter(self) -> None:
        blocks = [block for block, _ in self._waiting]
        if not blocks:
            return
        frames = self._envelopes.push(np.concatenate(blocks))
        if self._taken:
            energy = np.empty((len(frames.energy), len(self.front.bands)), np.float32)
            energy[:, self._own] = frames.energy
            first = np.concatenate([heard.energy for _, heard in self._waiting])
            energy[:, list(self._taken)] = first[:, list(self._taken.values())]
            frames = replace(frames, energy=energy)
        self._waiting.clear()
        self._kept.append(frames)

    def cut(self, first_s: float, end_s: float) -> Frames:
        """What was heard between these times, as far as it is kept."""
        self._filter()
        at = self.front.frame_rate
        first, end = (max(0, round(t * at) - self._first) for t in (first_s, end_s))
        return join_frames(self.front, list(self._kept)).cut(self.front, first, end)

    def forget(self, before_s: float) -> None:
        """What was heard before that time is needed no longer."""
        need = before_s * self.front.frame_rate
        while self._kept and self._first + len(self._kept[0].energy) <= need:
            self._first += len(self._kept.popleft().energy)
