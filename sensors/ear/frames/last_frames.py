"""The last frames that one front end made: a finished shake is cut from them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from sensors.ear.frames.clipping import Counts, overdriven
from sensors.ear.frames.frontend import Frames, FrontEnd, join_frames
from sensors.ear.frames.levels import decibels


@dataclass(frozen=True, slots=True)
class Stretch:
    """Frames that are judged together, the number of the first one, and whether the sensor clipped."""

    first: int
    frames: Frames
    clipped: bool

    def above_db(self, floor_db: float) -> float:
        """How much louder its wide band is than that, 0 to 99 dB."""
        wide = self.frames.energy[:, -1]
        level = decibels(float(wide.mean()) if len(wide) else 0.0)
        return min(max(level - floor_db, 0.0), 99.0)


@dataclass(frozen=True, slots=True)
class _Part:
    frames: Frames
    samples: int
    clipped: Counts | None


class LastFrames:
    """Frames are numbered from the source's start: `first` is the oldest kept, `seen` one past the newest."""

    def __init__(self, front: FrontEnd) -> None:
        self._front = front
        self._parts: deque[_Part] = deque()
        self.first = 0
        self.seen = 0

    def append(self, frames: Frames, samples: int = 0, clipped: Counts | None = None) -> None:
        """Add frames made of so many samples a channel, of which so many were clipped
        (`sensors.ear.frames.clipping`)."""
        self._parts.append(_Part(frames, samples, clipped))
        self.seen += len(frames.energy)

    def cut(self, first: int, end: int) -> Frames:
        """Frames `first` … `end`, as far as they are kept."""
        joined = join_frames(self._front, [part.frames for part in self._parts])
        return joined.cut(self._front, max(0, first - self.first), max(0, end - self.first))

    def stretch(self, first: int, end: int, onset: int) -> Stretch:
        """Frames `first` … `end`, as far as they are kept, of a shake that begins with frame `onset`."""
        first = max(first, self.first)
        return Stretch(first, self.cut(first, end), self.clipped(max(first, onset), end))

    def clipped(self, onset: int, end: int) -> bool:
        """Was so much of the shake, frames `onset` … `end`, clipped that strong hits look alike? Later frames, of a
        knock or the next shake, do not count. What is kept from before the onset makes no shake longer: how much that
        is depends on when the source began."""
        clipped, samples, first = list[Counts](), 0.0, self.first
        for part in self._parts:
            long = len(part.frames.energy)
            if first < end and part.clipped is not None:
                clipped.append(part.clipped)
                within = min(end, first + long) - max(onset, first)
                samples += part.samples * max(0, within) / max(1, long)
            first += long
        return overdriven(clipped, round(samples), self._front.sensor)

    def forget(self, before: float) -> None:
        """Frames before that number are no longer needed."""
        while self._parts and self.first + len(self._parts[0].frames.energy) <= before:
            self.first += len(self._parts.popleft().frames.energy)
