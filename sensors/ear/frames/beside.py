"""The same source through a second front end, kept as long as the first: for two heads that count together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sensors.ear.frames.frontend import Array, Envelopes, Frames, FrontEnd
from sensors.ear.frames.last_frames import LastFrames

WAITING_S = 0.6  # processed at once: nothing is asked before a shake ends, and each pass has a cost


class Beside:
    """Frames of one source of `rate` Hz with `channels` channels through `front`, beside those through `first`; bands
    that both share are not filtered twice. Times in seconds since the source's start."""

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
        self._most = round(WAITING_S * rate)  # samples
        self._last = LastFrames(front)

    def push(self, block: Array, heard: Frames) -> None:
        """Hear float32[samples, channels], from which the first front end made `heard`."""
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
        self._last.append(frames)

    def cut(self, first_s: float, end_s: float) -> Frames:
        """The frames between these times, as far as they are kept."""
        self._filter()
        at = self.front.frame_rate
        return self._last.cut(round(first_s * at), round(end_s * at))

    def forget(self, before_s: float) -> None:
        """Frames before this time are no longer needed."""
        self._last.forget(before_s * self.front.frame_rate)
