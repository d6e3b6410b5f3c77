"""Overdriven sound: samples at the end of the sensor's range."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from sensors.ear.frames.axis_ends import AxisEnds
from sensors.ear.frames.frontend import LIMIT, Array, Sensor

FULL_SCALE = 0.999  # of a microphone
BEYOND = 1.001  # a file of floats that goes further was not cut off at full scale
VISITS = 4
LEAST_END = 0.1  # of full scale: no microphone that is set at all sensibly ends below
SAME_END = 0.997  # of the furthest: the hiss behind a preamplifier that is overdriven
# of the furthest, in one sample: three times as wide, a smooth top has fallen by nine times as much
SHARP_TOP = 0.03
FLAT = 3  # samples; a smooth top that is come to in such a step has two at most
# of the furthest: ways to come there. Those of a tone that is locked to the samples differ by 0.02
SAME_WAY = 0.1
LEAST_CUT_OFF = 3
# A few clipped peaks of single hits cost nothing; where more of a shake is cut off, the strong hits look alike.
SHARE: dict[Sensor, float] = {"microphone": 2e-4, "accelerometer": 2e-3}

Counts = npt.NDArray[
    np.int64
]  # samples that are cut off, [channels]; of an accelerometer's axes together, [1]


class CutOff:
    """Counts the samples of one stream that are cut off: those at a microphone's full scale, and flat tops.

    Nobody says where an accelerometer's range ends (`sensors.ear.frames.axis_ends`), or the preamplifier before a
    microphone's converter. It is where the stream came furthest, if it came there `VISITS` times and stayed from one
    sample to the next; of an accelerometer also where tops of one sample pile up.
    """

    def __init__(self, sensor: Sensor) -> None:
        self._sensor = sensor
        self._axes = AxisEnds()
        self._sides: list[_SideAtTheEnd] = []  # of a microphone: each channel's two

    def push(self, block: Array) -> Counts:
        """How many samples of float32[samples, channels] are; however the stream is cut into blocks, as many in all."""
        if self._sensor == "accelerometer":
            return np.array([self._axes.push(block) if len(block) else 0])
        cut_off = np.zeros(block.shape[1], np.int64)
        if not len(block):
            return cut_off
        self._sides = self._sides or [_SideAtTheEnd() for _ in range(2 * block.shape[1])]
        for channel in range(block.shape[1]):
            up, down = self._sides[2 * channel : 2 * channel + 2]
            cut_off[channel] = up.push(block[:, channel]) + down.push(-block[:, channel])
        return cut_off

    def begin(self) -> None:
        """Forget where sound ended: a gain behind the converter may have been changed. A chip's range stays."""
        self._sides = []


class _SideAtTheEnd:
    """One side of one channel of sound. Its two sides may end apart: there may be an offset.

    A whistle comes as far each time, and a low hum stays there for many samples, but smoothly. What is cut off stops
    short. A tone that is locked to the samples may seem to: two of them stand as far at each top. But no top has a
    third, and the tone comes to each from the same place, so such tops are no visits. Nor are those of a locked tone
    that is cut off, as long as two samples of each are: nobody can tell it from a whole one. Tops of one sample are not
    seen at all: of what rings high and is overdriven by a few decibels, much passes.
    """

    def __init__(self) -> None:
        self._furthest = LEAST_END
        self._visits = self._held = 0
        self._came = self._last = np.inf  # the step to the end: the last one, and that of the last top
        self._alike = False  # are these two, as a tone's?
        self._before = np.float32(np.nan)  # the last sample
        self._stayed = 0  # so many samples at the end, up to the last one; 0 where it came there smoothly

    def push(self, samples: Array) -> int:
        """How many of float32[samples], away from zero, are cut off."""
        before, self._before = self._before, samples[-1]
        loudest = float(samples.max())
        if not loudest >= SAME_END * self._furthest:
            self._stayed = 0
            return 0
        cut_off = self._at_full_scale(samples) if loudest >= FULL_SCALE else 0
        if FULL_SCALE <= self._furthest <= BEYOND and loudest <= BEYOND:
            self._stayed = 0
            return cut_off
        samples = np.clip(samples, -LIMIT, LIMIT)  # a file may hold anything, infinity as well
        far = np.flatnonzero(samples >= SAME_END * self._furthest)
        steps = np.diff(samples, prepend=np.clip(before, -LIMIT, LIMIT))[far]
        gone = -1
        for row, size, step in zip(far.tolist(), samples[far].tolist(), steps.tolist(), strict=True):
            if row != gone + 1:
                self._stayed = 0
            gone = row
            cut_off += self._look(size, step)
        if gone != len(samples) - 1:
            self._stayed = 0
        return cut_off

    def _at_full_scale(self, samples: Array) -> int:
        """How many are there, as long as none has gone further."""
        furthest = np.maximum.accumulate(samples)
        return int(((samples >= FULL_SCALE) & (np.maximum(furthest, self._furthest) <= BEYOND)).sum())

    def _look(self, size: float, step: float) -> int:
        """At one sample, and how much further it is than the one before."""
        if size * SAME_END > self._furthest:
            self._visits = self._held = self._stayed = 0
            self._last = np.inf
        self._furthest = max(self._furthest, size)
        if size < SAME_END * self._furthest or FULL_SCALE <= self._furthest <= BEYOND:
            self._stayed = 0
            return 0
        if not self._stayed:
            self._stayed = int(step > SHARP_TOP * self._furthest)
            self._came = step
            return 0
        self._held += 2 if self._stayed == 1 else 1  # with the one that came there
        self._stayed += 1
        if self._stayed == 2:
            self._alike = abs(self._came - self._last) <= SAME_WAY * self._furthest
            self._last = self._came
        self._visits += self._stayed == (FLAT if self._alike else 2)
        if self._visits < VISITS:
            return 0
        held, self._held = self._held, 0
        return held


def overdriven(cut_off: Iterable[Counts], samples: int, sensor: Sensor) -> bool:
    """Is what was cut off in these blocks, of so many samples a channel in all, enough to be called clipped?

    A microphone's channels are asked one by one: one sound that was written twice is as much cut off as once.
    """
    return int(np.max(sum(cut_off, np.zeros(1, np.int64)))) >= max(LEAST_CUT_OFF, SHARE[sensor] * samples)
