"""Bridges samples that are not numbers: a faulty driver must not poison the state of the filters."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Number = TypeVar("Number", np.float32, np.float64)


class Bridged:
    """Replaces samples that are not numbers (NaN, infinite) by the last number before them in their channel.

    Zero would do for sound. On an accelerometer zero means free fall, and the return of gravity would look like a blow.
    `lost` counts the bridged samples of all channels, out of `seen`.
    """

    def __init__(self) -> None:
        self.lost = 0
        self.seen = 0
        self._last: npt.NDArray[Any] | None = None

    def push(self, block: npt.NDArray[Number]) -> npt.NDArray[Number]:
        """float[samples, channels] → the same shape; the block itself where there is nothing to bridge.

        Before a channel's first number, that first number is used; 0 where the block has none.
        """
        if not len(block):
            return block
        good = np.isfinite(block)
        self.seen += block.size
        if not good.all():
            self.lost += block.size - int(good.sum())
            block = self._mended(block, good)
        self._last = block[-1].copy()
        return block

    def _mended(self, block: npt.NDArray[Number], good: npt.NDArray[np.bool_]) -> npt.NDArray[Number]:
        first = np.take_along_axis(block, good.argmax(axis=0)[None], axis=0)
        before = np.where(good.any(axis=0), first[0], 0.0) if self._last is None else self._last
        whole = np.vstack([before[None], block]).astype(block.dtype)
        rows = np.where(good, np.arange(1, len(block) + 1)[:, None], 0)
        latest = np.maximum.accumulate(rows, axis=0)
        return np.take_along_axis(whole, latest, axis=0)
