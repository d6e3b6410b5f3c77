"""Several channels of one microphone as one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]

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
        channels = block.shape[1]
        if channels < 2 or not len(block):
            return _mean(block)
        before = np.zeros_like(block[:1]) if self._last is None else self._last
        steps = np.concatenate([before, block]).astype(np.float64)
        steps = steps[1:] - steps[:-1]
        self._last = block[-1:].copy()
        loud = np.einsum("ij,ij->i", steps, steps) / channels
        left = np.square(np.einsum("ij->i", steps) / channels) * loud
        lefts, wholes = self._left + float(left.sum()), self._whole + float(loud @ loud)
        # both only grow, so where they begin and end mostly decides for the whole block: live, each look has its price
        if self._left > BACK * wholes:
            self._first = False
        elif lefts < CANCELLED * self._whole:
            self._first = True
        else:
            first = self._decided(left, loud)
            self._left, self._whole = lefts, wholes
            mixed: Array = np.where(first, block[:, 0], _mean(block))
            return mixed
        self._left, self._whole = lefts, wholes
        return block[:, 0].copy() if self._first else _mean(block)

    def _decided(self, left: Floats, loud: Floats) -> npt.NDArray[np.bool_]:
        """Whether the first channel is taken, sample by sample."""
        lefts = np.cumsum(np.concatenate([[self._left], left]))[1:]
        wholes = np.cumsum(np.concatenate([[self._whole], loud * loud]))[1:]
        undone, sound = lefts < CANCELLED * wholes, lefts > BACK * wholes
        # between the two bounds it stays as it was decided last
        decided = np.maximum.accumulate(np.where(undone | sound, np.arange(1, len(left) + 1), 0))
        first: npt.NDArray[np.bool_] = np.concatenate([[self._first], undone])[decided]
        self._first = bool(first[-1])
        return first


def _mean(block: Array) -> Array:
    out: Array = np.einsum("ij->i", block) / np.float32(block.shape[1])
    return out
