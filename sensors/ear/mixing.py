"""Several channels of one microphone as one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]

CANCELLED = 0.01  # of the channels' energy; channels that have nothing in common leave a half or less, never so little
BACK = 2 * CANCELLED  # so much is left again where the mean is taken after all


class Mixer:
    """The mean of a running microphone's channels, or the first where the others undo it.

    A balanced microphone on a stereo socket gives one sound twice, the second upside down. That is decided sample by
    sample, on all that was heard so far, so it does not depend on how the stream is cut. Loud samples speak most, and
    of each its step from the one before: hours of a quiet room's noise, or of hum that both channels have, outweigh no
    shake, and after the first loud one the decision hardly changes any more.
    """

    def __init__(self) -> None:
        self._last: Array | None = None
        self._left = self._whole = 0.0  # of the mean and of the channels, summed over what was heard
        self._first = False

    def push(self, block: Array) -> Array:
        """Float32[samples, channels] to [samples]."""
        mean: Array = block.mean(axis=1, dtype=np.float32)
        if block.shape[1] < 2 or not len(block):
            return mean
        steps = np.diff(block, axis=0, prepend=np.zeros_like(block[:1]) if self._last is None else self._last)
        self._last = block[-1:].copy()
        loud = np.square(steps, dtype=np.float64).mean(axis=1)
        left = np.square(steps.mean(axis=1, dtype=np.float64))
        lefts = np.cumsum(np.concatenate([[self._left], left * loud]))[1:]
        wholes = np.cumsum(np.concatenate([[self._whole], loud * loud]))[1:]
        self._left, self._whole = float(lefts[-1]), float(wholes[-1])
        undone, sound = lefts < CANCELLED * wholes, lefts > BACK * wholes
        # between the two bounds it stays as it was decided last
        decided = np.maximum.accumulate(np.where(undone | sound, np.arange(1, len(block) + 1), 0))
        first = np.concatenate([[self._first], undone])[decided]
        self._first = bool(first[-1])
        out: Array = np.where(first, block[:, 0], mean).astype(np.float32)
        return out
