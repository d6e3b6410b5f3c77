"""Taps in a stream: where the seat was struck and then left to ring, and the samples of that ring."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy  # its parts are loaded when they are first asked
from numpy.typing import NDArray

Floats = NDArray[np.float64]
FRAME_S = 0.010
BEFORE, AFTER = 6, 4  # frames that are compared for an onset
RISE = 4.0  # in power
SETTLE_S = 0.03  # the blow itself and the finger
LONGEST_RING_S = 0.6
LEAST_RING_S = 0.2
STATE_S = 2.0  # of samples that are kept


@dataclass(frozen=True, slots=True)
class Ring:
    """A stretch of free ringing. `samples` [n, axes] at the working rate; strike: level of the loudest frame."""

    start_s: float
    samples: Floats
    strike: float
    before: float  # level of the quiet before the blow


class TapFinder:
    """Feed blocks at the working rate; get rings as they end. Constant memory."""

    def __init__(self, rate: float, channels: int, floor: float) -> None:
        """floor: a level (RMS in the sensor's unit, above 20 Hz) below which nothing counts as a tap."""
        self.rate, self.floor = rate, floor
        self._frame = max(4, round(FRAME_S * rate))
        self._sections = scipy.signal.butter(2, 20.0, "high", fs=rate, output="sos")
        self._zi = np.zeros((len(self._sections), 2, channels))
        self._fresh = True
        self._samples = np.zeros((0, channels))  # from self._from on
        self._from = 0
        self._left = np.zeros((0, channels))
        self._powers: list[float] = []  # of the last frames
        self._frames = 0
        self._onset: tuple[int, float, float] | None = None  # frame, strike, before

    def push(self, block: Floats) -> list[Ring]:
        """Take a block [n, channels] at the working rate, in the sensor's unit; returns the rings that ended in it."""
        if not len(block):
            return []
        if self._fresh:
            self._zi = scipy.signal.sosfilt_zi(self._sections)[:, :, None] * block[0]
            self._fresh = False
        high, self._zi = scipy.signal.sosfilt(self._sections, block, axis=0, zi=self._zi)
        self._samples = np.concatenate([self._samples, block])
        self._left = np.concatenate([self._left, high])
        out = []
        whole = len(self._left) // self._frame
        frames = self._left[: whole * self._frame].reshape(whole, self._frame, self._left.shape[1])
        self._left = self._left[whole * self._frame :]
        for power in np.mean(np.sum(frames**2, axis=2), axis=1).tolist():
            self._powers.append(power)
            self._frames += 1
            out += self._look()
        self._powers = self._powers[-(BEFORE + AFTER + 2) :]
        keep = round(STATE_S * self.rate)
        if len(self._samples) > 2 * keep:
            drop = len(self._samples) - keep
            self._samples = self._samples[drop:]
            self._from += drop
        return out

    @property
    def ringing(self) -> bool:
        """Has a blow been found whose ring still goes on?"""
        return self._onset is not None

    def finish(self) -> list[Ring]:
        """The stream has ended: returns the ring that was going on, if it is long enough."""
        return self._end(self._frames)

    def _look(self) -> list[Ring]:
        p = self._powers
        if len(p) < BEFORE + AFTER:
            return []
        recent, before = p[-AFTER:], p[-AFTER - BEFORE : -AFTER]
        at = self._frames - AFTER
        # all frames after an onset must be loud: a bead's click is over within one
        least, loudest, usual = min(recent[1:]), max(recent), _median(before)
        rises = least > RISE * max(usual, 0.25 * max(before[-3:]))
        rises = rises and least > self.floor**2 and loudest > RISE * before[-1]
        if rises and (self._onset is None or at - self._onset[0] > AFTER):
            out = self._end(at)
            self._onset = (at, loudest**0.5, usual**0.5)
            return out
        if (
            self._onset is not None
            and (self._frames - self._onset[0]) * self._frame >= LONGEST_RING_S * self.rate
        ):
            return self._end(self._frames)
        return []

    def _end(self, frame: int) -> list[Ring]:
        if self._onset is None:
            return []
        at, strike, before = self._onset
        self._onset = None
        begin = at * self._frame + round(SETTLE_S * self.rate)
        end = min(frame * self._frame, begin + round(LONGEST_RING_S * self.rate))
        if end - begin < LEAST_RING_S * self.rate or begin < self._from:
            return []
        part = self._samples[begin - self._from : end - self._from].copy()
        return [Ring(begin / self.rate, part, strike, before)]


def _median(powers: list[float]) -> float:
    """Median of an even number of values; called hundreds of times a second, and numpy takes ten times as long for so
    few."""
    middle = len(powers) // 2
    return sum(sorted(powers)[middle - 1 : middle + 1]) / 2
