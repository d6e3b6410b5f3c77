"""Where a recording is clipped, in steps so short that what lies beside a shake does not count as the shake."""

from __future__ import annotations

from sensors.ear.frames.clipping import ClipCounter, Counts, overdriven
from sensors.ear.frames.frontend import Array, Sensor

STEP_S = 0.08  # as an ear in play does, whatever the length of a file's blocks


class Clipped:
    """Push a recording's blocks, float32[samples, channels], then ask about a shake in it."""

    def __init__(self, sensor: Sensor, rate: float) -> None:
        self._sensor, self._rate = sensor, rate
        self._ends = ClipCounter(sensor)
        self._step = max(1, round(STEP_S * rate))
        self._read = 0  # samples
        # for each step: first sample, number of samples, number of clipped ones
        self._steps: list[tuple[int, int, Counts]] = []

    def push(self, block: Array) -> None:
        """A block of any length."""
        for start in range(0, len(block), self._step):
            step = block[start : start + self._step]
            self._steps.append((self._read, len(step), self._ends.push(step)))
            self._read += len(step)

    def during(self, start_s: float, end_s: float) -> bool:
        """Is so much of the shake between these times clipped that strong hits look alike?"""
        begin, end = start_s * self._rate, end_s * self._rate
        clipped = [told for first, many, told in self._steps if first < end and first + many > begin]
        return overdriven(clipped, round(min(end, self._read) - begin), self._sensor)
