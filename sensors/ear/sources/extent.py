"""How far the samples of a sound file reach: silence, one value throughout, numbers that are no sensor's, clipping."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from sensors.ear.errors import SoundError
from sensors.ear.frames.clipping import ClipCounter
from sensors.ear.frames.frontend import LIMIT, Array, Floats

MOST_BEYOND = 1e-3  # of all samples may lie beyond any sensor's range: a few are a fault on the wire
MOST_CLIPPED = 0.01  # of all samples may be clipped, in a file in which nothing was heard
# relative to full scale: within reach of a microphone with a sensible gain, no shake's peak is softer
SOFT_DB = -50.0
SILENCE = 1e-5  # relative to full scale (or g), −100 dB: no sensor is so quiet


class Extent:
    """The range of one file's samples, block by block."""

    def __init__(self) -> None:
        self._first: Floats | None = None
        self.loudest = 0.0  # from zero; for three axes, which contain gravity, from the first sample
        self.moved = 0.0  # from the first sample
        self.axes = False  # three channels: an accelerometer, which has no gain
        self.seen = self.beyond = 0  # samples, and those beyond any sensor's range
        self.samples = 0  # for each channel of a microphone
        self.clipped = np.zeros(1, np.int64)  # clipped samples among these
        self._ends = ClipCounter("microphone")

    def push(self, block: Array) -> None:
        """Add a `block`, float32[samples, channels], as `SoundFile.blocks` yields them."""
        wide = block.astype(np.float64)  # the difference of two huge values may overflow float32
        if not len(block):
            return
        if self._first is None:
            self._first = wide[:1].copy()
        self.moved = max(self.moved, float(np.abs(wide - self._first).max(initial=0.0)))
        self.axes = block.shape[1] == 3
        self.seen += block.size
        self.beyond += int((np.abs(wide) > LIMIT).sum())
        far = 0.0 if self.axes else float(np.abs(wide).max(initial=0.0))
        self.loudest = max(self.loudest, self.moved, far)
        if not self.axes:
            self.samples += len(block)
            self.clipped = self.clipped + self._ends.push(block)

    @property
    def overdriven(self) -> bool:
        """Is so much clipped that it explains why nothing was heard?"""
        return int(self.clipped.max()) > MOST_CLIPPED * self.samples

    @property
    def too_far(self) -> bool:
        """Are there samples beyond any sensor's range, so that nothing heard in it counts?"""
        return self.loudest > LIMIT or self.overdriven


def check_extent(where: Path | str, extent: Extent, heard: bool) -> None:
    """Raises SoundError where a file is silent or constant, where its values are not a sensor's, and where nothing was
    `heard` in one with a few such values or clipping: nothing is left of a sound that is all clipped."""
    if not extent.loudest >= SILENCE and not extent.axes:
        raise SoundError(f"{where} is silent", "check the plug and the gain, and record it again")
    if not extent.moved >= SILENCE:
        raise SoundError(
            f"{where} holds one value throughout, and no shake", "check the plug, and record it again"
        )
    if extent.loudest > LIMIT and (not heard or extent.beyond > MOST_BEYOND * extent.seen):
        raise SoundError(
            f"{where} has values of up to {extent.loudest:.3g}, far beyond full scale"
            + ("" if heard else ", and nothing was heard in it"),
            "write it again, with 1 for full scale (an accelerometer's in g)",
        )
    if not heard and not extent.axes and extent.loudest < 10 ** (SOFT_DB / 20):
        raise SoundError(
            f"{where} is very soft ({20 * math.log10(extent.loudest):.0f} dB of full scale at its loudest), and "
            "nothing was heard in it",
            "turn the gain up, and record it again",
        )
    if not heard and extent.overdriven:
        raise SoundError(
            f"{where} is overdriven: {int(extent.clipped.max()) / extent.samples:.0%} of its samples are cut off, "
            "and nothing was heard in it",
            "turn the gain down, or the sensor away, and record it again",
        )
