"""Means over frames whose edges fall between samples: the true sample rate need not be a multiple of the frame rate."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]


class FrameMeans:
    """Running frame means of several rows of one stream, given in arrays made by `rows_for`."""

    def __init__(self, samples_per_frame: float, rows: int) -> None:
        """samples_per_frame: at least 1, need not be whole."""
        self._hop = samples_per_frame
        self._carry = np.zeros(rows)
        self._seen = 0
        self._frames = 0

    @property
    def made(self) -> int:
        """The number of frames so far."""
        return self._frames

    def rows_for(self, samples: int) -> Floats:
        """Float64[rows, 1 + samples + 1] of zeros; the samples go between the first and last columns, which stay
        zero."""
        return np.zeros((len(self._carry), samples + 2))

    def push(self, rows: Floats) -> Array:
        """Float32[frames, rows] that these samples complete."""
        n = rows.shape[1] - 2
        last = int((self._seen + n) / self._hop + 1e-9)
        edges = np.arange(self._frames + 1, last + 1) * self._hop - self._seen
        whole = edges.astype(np.intp)
        # the sums before the first edge, between edges, and after the last one: first at whole samples
        sums = np.add.reduceat(rows, np.concatenate([[0], whole + 1]), axis=1)
        sums[:, 0] += self._carry
        # the part before the edge of the sample that an edge divides
        part = rows[:, whole + 1] * (edges - whole)
        sums[:, :-1] += part
        sums[:, 1:] -= part
        self._seen += n
        self._frames = max(self._frames, last)
        self._carry = sums[:, -1].copy()
        return (sums[:, :-1].T / self._hop).astype(np.float32)
