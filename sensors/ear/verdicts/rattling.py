"""Whether a sound as steady as a noise is a shake all the same: of many beads in an even hand."""

from __future__ import annotations

from sensors.ear.frames.last_frames import LastFrames
from sensors.ear.profiles.profile import Head
from sensors.ear.shakes.shake import shake_of
from sensors.ear.shakes.steady import shaken_evenly
from sensors.ear.verdicts.likeness import likeness
from sensors.ear.verdicts.no_shake import clearly


class Rattling:
    """To be asked about what a finder is in the midst of (`frames.finder`, `hits`)."""

    def __init__(self, head: Head, last: LastFrames, block_frames: float) -> None:
        self._head, self._last, self._block_frames = head, last, block_frames
        self._until = 0  # the block up to which it was

    def __call__(self, first: int, end: int) -> bool:
        """Whether blocks `first` … `end` are hits of beads. Machines that beat are hits too, but not of beads."""
        if first < self._until <= end:  # asking costs as much as a partial answer does
            return True
        frames = self._last.cut(*(int(block * self._block_frames) for block in (first, end)))
        if not shaken_evenly(self._head.front, frames):
            return False
        if not self._head.front.hand:  # what a hand does, no machine does
            shake = shake_of(self._head.front, frames, quick=True)
            if shake is None or likeness(shake, self._head.on_shell) < clearly(self._head):
                return False
        self._until = end
        return True
