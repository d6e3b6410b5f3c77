"""The same source through a second front end, kept as long as the first: what two heads of a profile hear together."""

from __future__ import annotations

from collections import deque

from sensors.ear.frontend import Array, Envelopes, Frames, FrontEnd, join_frames


class Beside:
    """Frames of one source of `rate` Hz with `channels` channels; times in seconds since its start."""

    def __init__(self, front: FrontEnd, rate: float, channels: int) -> None:
        self.front = front
        self._envelopes = Envelopes(front, rate, channels)
        self._kept: deque[Frames] = deque()
        self._first = 0  # number of the first frame that is kept

    def push(self, block: Array) -> None:
        """Hear float32[samples, channels]."""
        self._kept.append(self._envelopes.push(block))

    def cut(self, first_s: float, end_s: float) -> Frames:
        """What was heard between these times, as far as it is kept."""
        at = self.front.frame_rate
        first, end = (max(0, round(t * at) - self._first) for t in (first_s, end_s))
        return join_frames(self.front, list(self._kept)).cut(self.front, first, end)

    def forget(self, before_s: float) -> None:
        """What was heard before that time is needed no longer."""
        need = before_s * self.front.frame_rate
        while self._kept and self._first + len(self._kept[0].energy) <= need:
            self._first += len(self._kept.popleft().energy)
