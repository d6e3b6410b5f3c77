"""Clipping: samples at the end of the sensor's range."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from sensors.ear.frames.axis_ends import AxisEnds
from sensors.ear.frames.frontend import LIMIT, Array, Sensor

FULL_SCALE = 0.999  # of a microphone
BEYOND = 1.001  # a file of floats that goes further was not clipped at full scale
VISITS = 4
LEAST_END = 0.1  # of full scale: the range of a sensibly set microphone does not end below
SAME_END = 0.997  # of the largest value: room for the hiss behind an overdriven preamplifier
# Of the largest value, within one sample. A smooth peak falls by nine times as much over three times the distance.
SHARP_PEAK = 0.03
FLAT = 3  # samples; a smooth peak reached in such a step has at most two
# Of the largest value: tolerance between approaches to it. Those of a tone locked to the sampling rate differ by 0.02.
SAME_WAY = 0.1
LEAST_CLIPPED = 3
# Clipped peaks of a few single hits do no harm; where more of a shake is clipped, strong hits look alike.
SHARE: dict[Sensor, float] = {"microphone": 2e-4, "accelerometer": 2e-3}

Counts = npt.NDArray[np.int64]  # clipped samples, [channels]; for an accelerometer of all axes together, [1]


class ClipCounter:
    """Counts the clipped samples of one stream: those at a microphone's full scale, and those in flat peaks.

    Nothing says where an accelerometer's range ends (`sensors.ear.frames.axis_ends`), or that of the preamplifier
    before a microphone's converter. It is taken to be the largest value of the stream, if the stream came there
    `VISITS` times and stayed for more than one sample; for an accelerometer also where peaks of one sample pile up.
    """

    def __init__(self, sensor: Sensor) -> None:
        self._sensor = sensor
        self._axes = AxisEnds()
        self._sides: list[_SideAtTheEnd] = []  # of a microphone: two for each channel

    def push(self, block: Array) -> Counts:
        """The number of newly found clipped samples of float32[samples, channels], [channels]. The total does not
        depend on how the stream is split into blocks."""
        if self._sensor == "accelerometer":
            return np.array([self._axes.push(block) if len(block) else 0])
        clipped = np.zeros(block.shape[1], np.int64)
        if not len(block):
            return clipped
        self._sides = self._sides or [_SideAtTheEnd() for _ in range(2 * block.shape[1])]
        for channel in range(block.shape[1]):
            up, down = self._sides[2 * channel : 2 * channel + 2]
            clipped[channel] = up.push(block[:, channel]) + down.push(-block[:, channel])
        return clipped

    def begin(self) -> None:
        """Forget where microphones clipped: a gain behind the converter may have changed. A chip's range stays."""
        self._sides = []


class _SideAtTheEnd:
    """One side (positive or negative) of one channel of sound. The two sides may clip at different values, as there may
    be an offset.

    A whistle reaches the same height in every period, and a low hum stays near its peak for many samples; but both get
    there smoothly, while a clipped signal stops abruptly. A tone locked to the sampling rate may seem to stop abruptly:
    in each peak, two of its samples have the same height. But no peak has a third one, and the tone approaches every
    peak alike, so such peaks do not count as visits. Nor do those of such a tone that is really clipped, as long as
    each peak has only two clipped samples: the two cases cannot be distinguished. Peaks of a single sample are not seen
    at all, so much of what rings high and is overdriven by only a few decibels passes.
    """

    def __init__(self) -> None:
        self._furthest = LEAST_END
        self._visits = self._held = 0
        self._came = self._last = np.inf  # the step up to the end: the latest one, and that of the last peak
        self._alike = False  # are these two equal, as for a tone?
        self._before = np.float32(np.nan)  # the last sample
        # samples at the end of the range, up to the last one; 0 where it came there smoothly
        self._stayed = 0

    def push(self, samples: Array) -> int:
        """The number of newly found clipped samples of float32[samples], in the direction away from zero."""
        before, self._before = self._before, samples[-1]
        loudest = float(samples.max())
        if not loudest >= SAME_END * self._furthest:
            self._stayed = 0
            return 0
        clipped = self._at_full_scale(samples) if loudest >= FULL_SCALE else 0
        if FULL_SCALE <= self._furthest <= BEYOND and loudest <= BEYOND:
            self._stayed = 0
            return clipped
        samples = np.clip(samples, -LIMIT, LIMIT)  # a file may hold anything, including infinity
        far = np.flatnonzero(samples >= SAME_END * self._furthest)
        steps = np.diff(samples, prepend=np.clip(before, -LIMIT, LIMIT))[far]
        gone = -1
        for row, size, step in zip(far.tolist(), samples[far].tolist(), steps.tolist(), strict=True):
            if row != gone + 1:
                self._stayed = 0
            gone = row
            clipped += self._look(size, step)
        if gone != len(samples) - 1:
            self._stayed = 0
        return clipped

    def _at_full_scale(self, samples: Array) -> int:
        """The number of samples at full scale, up to the first one that goes beyond it."""
        furthest = np.maximum.accumulate(samples)
        return int(((samples >= FULL_SCALE) & (np.maximum(furthest, self._furthest) <= BEYOND)).sum())

    def _look(self, size: float, step: float) -> int:
        """Judge one sample of height `size`, which is `step` above the one before. Returns the number of newly found
        clipped samples."""
        if size * SAME_END > self._furthest:
            self._visits = self._held = self._stayed = 0
            self._last = np.inf
        self._furthest = max(self._furthest, size)
        if size < SAME_END * self._furthest or FULL_SCALE <= self._furthest <= BEYOND:
            self._stayed = 0
            return 0
        if not self._stayed:
            self._stayed = int(step > SHARP_PEAK * self._furthest)
            self._came = step
            return 0
        self._held += 2 if self._stayed == 1 else 1  # including the one that came there
        self._stayed += 1
        if self._stayed == 2:
            self._alike = abs(self._came - self._last) <= SAME_WAY * self._furthest
            self._last = self._came
        self._visits += self._stayed == (FLAT if self._alike else 2)
        if self._visits < VISITS:
            return 0
        held, self._held = self._held, 0
        return held


def overdriven(clipped: Iterable[Counts], samples: int, sensor: Sensor) -> bool:
    """Whether enough samples are clipped in these blocks, of `samples` samples a channel in all, to call the sound
    clipped.

    A microphone's channels are judged one by one: a sound that was written to two channels is no more clipped than in
    one.
    """
    return int(np.max(sum(clipped, np.zeros(1, np.int64)))) >= max(LEAST_CLIPPED, SHARE[sensor] * samples)
