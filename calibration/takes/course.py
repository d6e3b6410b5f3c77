"""The envelope of a take around its loudest moments, to recognise copies.

It is nearly the same in all copies, even where no sample is: in 16 bits at another level, at another rate, or after OGG
or MP3.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt
import scipy  # its parts are loaded when they are first asked

from sensors.ear.frames.frame_means import FrameMeans
from sensors.ear.frames.frontend import ASLEEP, Array, Floats, Sensor
from sensors.ear.frames.mixing import Mixer

# Hz: present at every rate, and after every codec
BANDS: dict[Sensor, tuple[float, float]] = {"microphone": (800.0, 5000.0), "accelerometer": (70.0, 360.0)}
ORDER, STOPPED_DB = 6, 50.0  # steep enough that what only one of two rates contains does not matter
FRAME_RATE = 500.0
STEP = 3  # frames that are averaged to one step
AROUND = 84  # steps before and after a moment, half a second
LENGTH = 2 * AROUND + 1
MOMENTS = 4  # a copy may be cut, and of two nearly equal peaks another one may be the louder
APART = 100  # least distance of two moments, in frames
A_DB = 4  # steps of level in one dB
DEPTH = -30 * A_DB  # below the moment; softer sound may be rounding, or a codec's noise
HEIGHT = 127  # above the moment: a later moment may have louder ones near it
OUTSIDE = -128  # the sound has ended, or was cut off
LEAST_HEARD = 0.15  # of the steps above the depth: isolated hits all decay alike


@lru_cache(maxsize=16)  # the files of a folder have one rate
def _band_pass(sensor: Sensor, rate: float) -> Floats:
    sections: Floats = scipy.signal.cheby2(
        ORDER, STOPPED_DB, BANDS[sensor], "bandpass", fs=rate, output="sos"
    )
    return sections


class Course:
    """Push a recording's blocks, float32[samples, channels]; `told` is the envelope around its loudest moments."""

    def __init__(self, sensor: Sensor, rate: float, channels: int) -> None:
        """rate: Hz, sufficient for some front end."""
        self._mixer = Mixer() if sensor == "microphone" else None
        self._sections = _band_pass(sensor, rate)
        self._state = np.zeros((len(self._sections), 1 if self._mixer else channels, 2))
        self._means = FrameMeans(rate / FRAME_RATE, 1)
        self._rest: Array | None = None
        self._parts: list[Array] = []

    def push(self, block: Array) -> None:
        """A block of any length."""
        if not len(block):
            return
        self._rest = block[:1].copy() if self._rest is None else self._rest
        still = block - self._rest
        x = self._mixer.push(still)[:, None] if self._mixer else still
        y, self._state = scipy.signal.sosfilt(self._sections, x.T.astype(np.float64), zi=self._state)
        self._state[np.abs(self._state) < ASLEEP] = 0
        squares = self._means.rows_for(len(x))
        np.square(y).sum(axis=0, out=squares[0, 1:-1])
        self._parts.append(self._means.push(squares)[:, 0])

    @property
    def told(self) -> bytes:
        """int8[LENGTH] in quarters of a dB for each moment, concatenated; empty for near silence."""
        frames = np.maximum(np.concatenate([*self._parts, np.zeros(0, np.float32)]), 0).astype(np.float64)
        sums = np.concatenate([np.zeros(1), np.cumsum(frames)])
        level = np.maximum(sums[STEP:] - sums[:-STEP], 0)
        left, out = level.copy(), []
        for _ in range(MOMENTS):
            moment = int(np.argmax(left)) if len(left) else 0
            if not len(left) or not left[moment] > 0:
                break
            around = _around(level, moment)
            if np.count_nonzero(around > DEPTH) >= LEAST_HEARD * LENGTH:
                out.append(around)
            left[max(0, moment - APART) : moment + APART] = 0
        return b"".join(around.tobytes() for around in out)


def _around(level: Floats, moment: int) -> npt.NDArray[np.int8]:
    """Int8[LENGTH], relative to the moment's own level."""
    at = moment + STEP * np.arange(-AROUND, AROUND + 1)
    there = (at >= 0) & (at < len(level))
    beside = 10 * A_DB * np.log10(np.maximum(level[at[there]] / level[moment], 1e-12))
    out = np.full(LENGTH, OUTSIDE, np.int8)
    out[there] = np.clip(np.round(beside), DEPTH, HEIGHT).astype(np.int8)
    return out
