"""The last frames of one seat, counted in the table's frames (`seats` explains how)."""

from __future__ import annotations

from collections import deque

import numpy as np
import scipy  # its parts are loaded when they are first asked

from sensors.ear.frames.frontend import Array
from sensors.ear.seats.neighbours import FLOOR_QUANTILE, Floats

FLOORS = 8  # times of learning over which the background is the least one: in a long shake gaps seem to be the room
ZEROS = 1e-12  # energy below which a device gave zeros: muted, or lost on the way
FLOOR_LEFT = 0.02  # of the energy that was heard, the least that is left of it


class SeatFrames:
    """The last frames of one source, [frames, bands and the shape of the wide band as it arrives at other seats]."""

    def __init__(self, late: int, kept: int, bands: int, reach: int, near: int) -> None:
        self.late = late  # table frame at which this source began
        self.end = late  # table frame after the newest one
        self.served = late
        self.left = False
        self._floors: deque[float] = deque(maxlen=FLOORS)  # energies of its background in the wide band
        self._kept, self._reach, self._near = kept, reach, near
        self._rows = np.zeros((2 * kept, bands + 1), np.float32)
        self._filled = 0

    @property
    def first(self) -> int:
        """Table frame of the oldest one that is kept."""
        return self.end - min(self._filled, self._kept)

    def append(self, energy: Array) -> None:
        """Add frames; of a stretch of any length only the last are kept."""
        self.end += len(energy)
        energy = energy[-self._kept :]
        n = len(energy)
        if self._filled + n > len(self._rows):
            self._rows[: self._kept] = self._rows[self._filled - self._kept : self._filled]
            self._filled = self._kept
        at = self._filled
        self._rows[at : at + n, :-1] = energy
        # the loudest of the last milliseconds, and the room's response over the last hundredths of a second
        low = max(0, at - self._reach)
        wide = self._rows[low : at + n, -2]
        shape = scipy.ndimage.maximum_filter1d(wide, 2 * self._near + 1) + scipy.ndimage.uniform_filter1d(
            wide, self._reach
        )
        self._rows[at : at + n, -1] = shape[at - low :]
        self._filled += n

    def learn_floor(self, first: int, end: int) -> None:
        """Learn its background from these table frames."""
        heard = self.window(max(first, self.first), min(end, self.end), slice(-2, -1))
        heard = heard[heard > ZEROS]
        if len(heard):
            self._floors.append(float(np.quantile(heard, FLOOR_QUANTILE)))

    def without(self, energy: Floats, leak: Floats) -> Floats:
        """The wide band's `energy` without the neighbours' leak, but never below its own background.

        Otherwise what others' microphones hiss, taken off, would leave a level that rises and falls like strokes, and
        all of it would come back when they end.
        """
        least = np.maximum(np.minimum(energy, min(self._floors, default=0.0)), FLOOR_LEFT * energy)
        return np.asarray(np.maximum(energy - leak, least))

    def shift(self, frames: int) -> None:
        """The source began earlier than assumed, by so many frames."""
        self.late, self.end, self.served = self.late - frames, self.end - frames, self.served - frames

    def told(self, first: int, end: int) -> Floats:
        """float64[end − first]: 1 for table frames that the source has delivered, else 0."""
        frames = np.arange(first, end)
        return np.asarray((self.late <= frames) & (frames < self.end), np.float64)

    def window(self, first: int, end: int, columns: slice) -> Floats:
        """float64[end − first, columns]; zeros where nothing is known."""
        start = self._filled - (self.end - first)
        low, high = max(start, 0, self._filled - self._kept), min(self._filled, start + end - first)
        wanted = self._rows[low:high, columns]
        out = np.zeros((max(0, end - first), wanted.shape[1]))
        if low < high:
            out[low - start : high - start] = wanted
        return out
