"""Decimates any sensor's samples to some 800–1600 Hz, block by block: the seat's tones are at 30–140 Hz."""

from __future__ import annotations

import numpy as np
import scipy  # its parts are loaded when they are first asked
from numpy.typing import NDArray

from sensors.bridged import Bridged
from sensors.ear.errors import SoundError, check_rate

Floats = NDArray[np.float64]
# Hz: more than twice the highest upright tone, 140 Hz, with room for a filter
LEAST_RATE = 400.0
WORK = 800.0  # Hz, the least working rate; a seat has no tones above it


class Decimator:
    """Decimation without aliasing, with state carried over from block to block. `rate`: of the samples that `push`
    returns."""

    def __init__(self, rate: float) -> None:
        """Raises SoundError for a rate too low to hear the seat."""
        check_rate(rate)
        if rate < LEAST_RATE:
            raise SoundError(
                f"{rate:g} samples a second are too few to hear the seat ring",
                f"record at {LEAST_RATE:g} Hz or more",
            )
        self.step = max(1, int(rate / WORK))
        self.rate = rate / self.step
        self._skip = 0
        self._sections = (
            scipy.signal.cheby2(8, 60, 0.48 * self.rate, fs=rate, output="sos") if self.step > 1 else None
        )
        self._state: Floats | None = None
        self._bridged = Bridged()

    def push(self, block: NDArray[np.floating]) -> Floats:
        """[n, channels] → [about n/step, channels]; values that are not finite repeat the one before."""
        x = np.array(block, np.float64)
        if x.ndim == 1:
            x = x[:, None]
        if len(x) == 0:
            return x
        x = self._bridged.push(x)
        if self._sections is None:
            return x
        # start as if the first value had always been there, so that gravity makes no step
        if self._state is None:
            gain = np.zeros((len(self._sections), 2, x.shape[1]))
            level = x[0]
            for k, (b0, b1, b2, _, a1, a2) in enumerate(self._sections):
                out = level * (b0 + b1 + b2) / (1 + a1 + a2)
                gain[k, 0], gain[k, 1] = out - b0 * level, b2 * level - a2 * out
                level = out
            self._state = gain
        y, self._state = scipy.signal.sosfilt(self._sections, x, axis=0, zi=self._state)
        out = np.asarray(y[self._skip :: self.step])
        self._skip = (self._skip - len(x)) % self.step
        return out
