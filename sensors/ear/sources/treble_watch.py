"""Live check of a microphone: is the sound of a shake band-limited? As `treble` does for a file.

A sound server resamples what a headset delivers, so the sample rate does not show it. The test of a file's first minute
is applied to each shake here, with a second of sound on either side: the shake stands out from that as it does from a
recorded take. Of 465 simulated and 232 real shakes of full-band microphones (each file alone, and amid its own
background) none was blamed; of 698 that passed 16 kHz, 693 were reported.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from sensors.ear.frames.finder import LONGEST_SHAKE_S
from sensors.ear.frames.frontend import MICROPHONES_WANT, Array, Floats
from sensors.ear.sources.at_rest import Fault
from sensors.ear.sources.treble import STEP_HZ, WHY, ends_at, in_khz, narrow, power
from sensors.why import Reason, Why

SLICE_PIECES = 5  # of `1 / STEP_HZ` seconds each
AROUND_S = 1.0
KEPT_S = LONGEST_SHAKE_S + 5.0  # a shake is reported after its silence, and beside other seats a second later
HEARD_WHOLE = "take the microphone itself as input, at 44.1 or 48 kHz"


class TrebleWatch:
    """For one running source of `rate` Hz; constant memory. Not for a sound card's own thread."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._asked = rate >= MICROPHONES_WANT
        self._piece = round(rate / STEP_HZ)
        self._slice = SLICE_PIECES * self._piece  # samples
        self._waiting: list[Array] = []
        self._came = 0  # samples that wait
        self._power: deque[Floats] = deque(maxlen=round(KEPT_S * STEP_HZ / SLICE_PIECES))
        self._taken = 0  # slices so far

    def push(self, block: Array) -> None:
        """Hear float32[samples, channels]."""
        if not self._asked:
            return
        self._waiting.append(block)
        self._came += len(block)
        if self._came < self._slice:
            return
        waiting = np.concatenate(self._waiting)
        whole = len(waiting) // self._slice * self._slice
        for start in range(0, whole, self._slice):
            # NaN and infinite samples are reported elsewhere
            self._power.append(power(np.nan_to_num(waiting[start : start + self._slice]), self._piece))
        self._taken += whole // self._slice
        self._waiting, self._came = [waiting[whole:].copy()], len(waiting) - whole

    def ends_at(self, start_s: float, end_s: float) -> float | None:
        """The band limit of a shake in Hz, where it is too low for the sample rate; None where it is not, or where it
        cannot be told. The shake's times are in seconds since the source's start."""
        forgotten = self._taken - len(self._power)
        first, last = (round(at * self._rate / self._slice) for at in (start_s - AROUND_S, end_s + AROUND_S))
        there = [power for n, power in enumerate(self._power, forgotten) if first <= n < last]
        if not there or forgotten * self._slice > start_s * self._rate:
            return None
        return ends_at(np.mean(there, axis=0) / SLICE_PIECES, self._rate)


def heard_narrow(end: float) -> Fault:
    """What is wrong with a source that is heard live and has no sound above `end` Hz."""
    reason = Reason(Why.NARROW, f"the sound has nothing above {in_khz(end)} kHz, {WHY}: {HEARD_WHOLE}")
    return narrow(end, HEARD_WHOLE, reason)
