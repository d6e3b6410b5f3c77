"""Several channels of one microphone as one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]

CANCELLED = 0.01  # of the channels' energy; channels that have nothing in common leave a half or less, never so little


def mixed(block: Array) -> Array:
    """Float32[samples, channels] to [samples]: their mean, or the first where the others undo it.

    A balanced microphone on a stereo socket gives one sound twice, the second upside down.
    """
    mean: Array = block.mean(axis=1, dtype=np.float32)
    if block.shape[1] > 1 and np.vdot(mean, mean) * block.shape[1] < CANCELLED * np.vdot(block, block):
        return block[:, 0].astype(np.float32)
    return mean
