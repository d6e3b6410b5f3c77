"""Mixes several channels of one microphone to one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]

CANCELLED = 0.01  # of the channels' energy; uncorrelated channels leave a half or less, but never so little
BACK = 2 * CANCELLED  # from here on the mean is used again


class Mixer:
    """The mean of a running microphone's channels, or the first one where they cancel.

    A balanced microphone in a stereo socket gives the same sound twice, the second inverted. This is decided sample by
    sample from all that was heard so far, so it does not depend on how the stream is split. Each sample counts by the
    fourth power of its step from the one before: hours of a quiet room's noise, or of hum on both channels, do not
    outweigh a shake, and after the first loud one the decision hardly changes any more.
    """

    def __init__(self) -> None:
        self._last: Array | None = None
        self._left = self._whole = 0.0  # energy of the mean and of the channels, summed up
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
        # both sums only grow, so their values at the ends of a block mostly decide for all of it: live, each look has a
        # cost
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
        """Whether the first channel is taken, for each sample."""
        lefts = np.cumsum(np.concatenate([[self._left], left]))[1:]
        wholes = np.cumsum(np.concatenate([[self._whole], loud * loud]))[1:]
        undone, sound = lefts < CANCELLED * wholes, lefts > BACK * wholes
        # between the two bounds, the last decision stands
        decided = np.maximum.accumulate(np.where(undone | sound, np.arange(1, len(left) + 1), 0))
        first: npt.NDArray[np.bool_] = np.concatenate([[self._first], undone])[decided]
        self._first = bool(first[-1])
        return first


def _mean(block: Array) -> Array:
    out: Array = np.einsum("ij->i", block) / np.float32(block.shape[1])
    return out
