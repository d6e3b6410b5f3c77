"""Invalid samples of a live source (NaN, infinite).

A take bridges them, so nobody would find the gaps in its file, and a take with many of them would pass for whole.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sensors.ear.sources.capture import BLOCK_S
from sensors.ear.sources.sound_file import MOST_LOST

LOOK_AT = "look at the sensor's cable and at what drives it, or choose another input (polartable devices)"


class NoNumbers:
    """`push` the samples; `told` says what is wrong with a stretch of them.

    A sample is invalid if any of its channels is. A file may lack `MOST_LOST` of its samples, and so may a take. But a
    run of them may hide hits like a lost block does, and for that, too, a take is rejected.
    """

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._came = 0  # number of samples so far
        # blocks with invalid samples: first sample, which ones
        self._holes: list[tuple[int, npt.NDArray[np.bool_]]] = []

    def push(self, block: npt.NDArray[Any]) -> None:
        """Take in float[samples] or float[samples, channels]."""
        good = np.isfinite(block)
        if not good.all():
            self._holes.append((self._came, ~good.reshape(len(block), -1).all(axis=1)))
        self._came += len(block)

    def told(self, first: int = 0, end: int | None = None) -> str | None:
        """What is wrong, where, and the remedy, if too many samples in `first` … `end` (None: all so far) are
        invalid."""
        end = self._came if end is None else end
        lacking = np.zeros(max(0, end - first), np.bool_)
        for begun, which in self._holes:
            skipped, at = max(0, first - begun), max(0, begun - first)
            part = which[skipped:][: max(0, len(lacking) - at)]
            lacking[at : at + len(part)] = part
        if not lacking.any():
            return None
        share, run_s = float(lacking.mean()), _longest(lacking) / self._rate
        if share <= MOST_LOST and run_s < BLOCK_S:
            return None
        much = (
            f"{share:.0%} of its samples" if share > MOST_LOST else f"{run_s:.2f} s of its samples in a row"
        )
        since_s = int(lacking.argmax()) / self._rate
        return f"{much} are no numbers (NaN or infinite), the first at {since_s:.1f} s: {LOOK_AT}"


def _longest(lacking: npt.NDArray[np.bool_]) -> int:
    """The length of the longest run of True."""
    edges = np.flatnonzero(np.diff(lacking, prepend=False, append=False))
    return int((edges[1::2] - edges[::2]).max())
