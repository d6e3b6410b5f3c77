"""One take from a running source: waits for the shake, coaches the shaker, and keeps the samples around the shake."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from sensors.bridged import Bridged
from sensors.ear.frames.clipping import ClipCounter, overdriven
from sensors.ear.frames.finder import BLOCK_S
from sensors.ear.frames.frontend import LIMIT, Array, Envelopes, Frames, FrontEnd
from sensors.ear.frames.levels import Levels, decibels
from sensors.ear.frames.mixing import Mixer
from sensors.ear.profiles.profile import Head
from sensors.ear.shakes.features import strength
from sensors.ear.shakes.finding import finder_for
from sensors.ear.shakes.moves import move_of
from sensors.ear.shakes.shake import Shake, get_ready, shake_of
from sensors.ear.shakes.steady import shaken_evenly
from sensors.ear.shakes.takes import cut
from sensors.ear.verdicts.likeness import likeness
from sensors.ear.verdicts.mends import mends_of
from sensors.ear.verdicts.no_shake import DROWNED_DB, KNOCK_S, clearly
from sensors.one_thread import one_thread

AROUND_S = 0.4  # kept before and after the shake
STEP_S = 0.05
COACH_STEPS = 7  # between two looks at the hand
LEAST_SHAKEN_S = 1.2
LOUD_LEFT_DB = 1.0  # below full scale: any louder soon clips
Coaching = Literal["wait", "gentler", "harder", "slower", "faster", "go on", "enough"]


@dataclass(frozen=True, slots=True)
class Meter:
    """What a live meter shows: dB below full scale (or above 1 g), strength relative to the range's middle, what to
    do."""

    level_db: float
    strength: float | None
    advice: Coaching


@dataclass(frozen=True, slots=True)
class TakeHeard:
    """A finished take: float32[samples, 1] of a microphone, [samples, 3] of an accelerometer, with some margin, and
    what is wrong with it, if anything.

    `before`: number of the source's samples before the first of these. `doubt`: what its sensor lacks for counting,
    where known. `node`: the number of the igloo node that felt it.
    """

    samples: Array
    shake: Shake | None
    problem: str | None
    before: int
    doubt: str | None = None
    node: int | None = None


class TakeRecorder:
    """Push blocks until `take` is there."""

    def __init__(self, head: Head, rate: float, channels: int, wanted_s: float, guided: bool = False) -> None:
        """`guided`: a gesture instead of a shake: neither strokes nor strength are required."""
        self._head, self._guided = head, guided
        self._front: FrontEnd = head.front
        self._rate = rate
        get_ready(head.front.sensor)
        self._wanted_s = wanted_s
        self._envelopes = Envelopes(self._front, rate, channels)
        self._finder = finder_for(self._front.sensor, self._of_hits, guided=guided)
        self._before: deque[Array] = deque()
        self._kept: list[Array] = []
        self._waiting = np.zeros((0, channels), np.float32)
        self._bridged = Bridged()
        self._step_samples = max(1, round(STEP_S * rate))
        self._lead = 0  # steps kept from before the shake
        self._begun = 0  # its first block
        self._steps = 0
        self._levels = Levels(self._front)
        self._peak = 0.0
        self._floor_db = -120.0
        self.take: TakeHeard | None = None
        self.meter = Meter(-120.0, None, "wait")

    def push(self, block: Array) -> Meter:
        """Hear float32[samples, channels]; returns the meter after them."""
        step = self._step_samples
        block = np.clip(self._bridged.push(block), -LIMIT, LIMIT)
        waiting = np.concatenate([self._waiting, block]) if len(self._waiting) else block
        whole = len(waiting) // step * step
        self._waiting = waiting[whole:].copy()
        with one_thread():
            for start in range(0, whole, step):
                if self.take is None:
                    self._step(waiting[start : start + step])
        return self.meter

    def _step(self, block: Array) -> None:
        # gravity is not motion
        moved = block - block.mean(axis=0) if self._front.hand else block
        self._peak = max(self._peak * 0.9, float(np.abs(moved).max(initial=0.0)))
        frames = self._envelopes.push(block)
        (self._kept if self._finder.shaking else self._before).append(block)
        for level in self._levels.push(frames.energy[:, -1]):
            found = self._finder.push(level)
            if found is None:
                continue
            if found.kind == "begin":
                self._kept = list(self._before)
                self._lead, self._begun = len(self._kept), found.block
            elif found.kind == "end" and not self._is_click(found.block):
                self._floor_db = found.floor_db
                self._finish()
                break
            else:
                # keep what follows the noise or the click, not what was before it
                self._before = deque(self._kept)
                self._kept = []
        if not self._finder.shaking:
            while len(self._before) * STEP_S > AROUND_S + 0.2:
                self._before.popleft()
        self._steps += 1
        if self.take is None:
            self._coach()

    def _is_click(self, end: int) -> bool:
        """The beads click as the igloo is taken up, and the shake is yet to come."""
        return not self._guided and (end - self._begun) * BLOCK_S < KNOCK_S

    def _coach(self) -> None:
        level = 20 * math.log10(self._peak + 1e-6)
        seconds = (len(self._kept) - self._lead) * STEP_S
        if not self._finder.shaking or seconds < 0.6 or self._guided:
            self.meter = Meter(level, None, "wait" if not self._finder.shaking else "go on")
            return
        if self._steps % COACH_STEPS:
            self.meter = replace(self.meter, level_db=level)
            return
        take = cut(self._front, self._frames(self._kept[-round(1.5 / STEP_S) :]))
        if take is None:
            self.meter = Meter(level, None, "go on")
            return
        strong = strength(take)
        advice: Coaching = "enough" if seconds >= self._wanted_s else "go on"
        if strong < self._head.strength_low:
            advice = "harder" if self._front.hand else "faster"
        elif level > -LOUD_LEFT_DB and self._front.sensor == "microphone":
            advice = "gentler"
        elif strong > self._head.strength_high:
            advice = "gentler" if self._front.hand else "slower"
        self.meter = Meter(level, math.exp(strong - self._head.strength_middle), advice)

    def _measured(self, blocks: list[Array]) -> Shake | None:
        if not blocks:
            return None
        frames = self._frames(blocks)
        return move_of(self._front, frames) if self._guided else shake_of(self._front, frames)

    def _of_hits(self, first: int, end: int) -> bool:
        """Whether the last blocks of the finder are; a shake was asked for, so hits are of beads."""
        steps = math.ceil((end - first) * BLOCK_S / STEP_S)
        kept = self._kept if self._finder.shaking else list(self._before)
        return shaken_evenly(self._front, self._frames(kept[-steps:]))

    def _frames(self, blocks: list[Array]) -> Frames:
        samples = np.concatenate(blocks)
        return Envelopes(self._front, self._rate, samples.shape[1]).push(samples)

    def _finish(self) -> None:
        samples = np.concatenate(self._kept) if self._kept else np.zeros((0, 1), np.float32)
        shake = self._measured(self._kept)
        before = (self._steps + 1 - len(self._kept)) * self._step_samples
        self.take = TakeHeard(self._as_kept(samples), shake, self._problem(samples, shake), before)

    def _as_kept(self, samples: Array) -> Array:
        """A microphone's channels mixed to one, as by an ear that has heard the whole take."""
        if self._front.hand:
            return samples
        mixer = Mixer()
        mixer.push(samples)
        return mixer.push(samples)[:, None]

    def _above_db(self, samples: Array, shake: Shake) -> float:
        """How much louder the shake is than its surroundings, as computed in play."""
        envelopes = Envelopes(self._front, self._rate, samples.shape[1])
        wide = envelopes.push(samples).energy[:, -1]
        at = self._front.frame_rate
        during = wide[round(shake.start_s * at) : round(shake.end_s * at)]
        level = decibels(float(during.mean()) if len(during) else 0.0)
        return level - self._floor_db

    def _overdriven(self, samples: Array, shake: Shake | None) -> bool:
        """Is too much of the shake clipped? The quiet kept beside it does not count, as in a fit on this take."""
        sensor = self._front.sensor
        at = (0.0, len(samples) / self._rate) if shake is None else (shake.start_s, shake.end_s)
        begin, end = (round(second * self._rate) for second in at)
        ends = ClipCounter(sensor)
        ends.push(samples[:begin])
        return overdriven([ends.push(samples[begin:end])], end - begin, sensor)

    def _problem(self, samples: Array, shake: Shake | None) -> str | None:
        # first what spoils the sound: it also shortens the shake, or makes it unlike one
        sensor = self._front.sensor
        mends = mends_of(sensor, self._head.on_shell)
        if self._overdriven(samples, shake):
            return f"overdriven: {'go about it' if self._guided else 'shake'} more gently, or {mends.quieter}"
        if shake is None:
            return "nothing was made out" if self._guided else "that was no shake"
        above_db = self._above_db(samples, shake)
        if above_db < DROWNED_DB:
            gentle = self._front.hand and not self._guided and shake.strength < self._head.strength_low
            return self._strength_problem(shake) if gentle else mends.drowned
        if self._guided:
            return None
        # a shake was asked for, so it most likely is one
        if likeness(shake, self._head.on_shell, above_db) < clearly(self._head):
            return "that was no shake"
        if shake.seconds < LEAST_SHAKEN_S:
            return f"only {shake.seconds:.1f} s: shake for {self._wanted_s:g} seconds"
        return self._strength_problem(shake)

    def _strength_problem(self, shake: Shake) -> str | None:
        # a microphone does not show how hard the hand shakes, only how often
        hand = self._front.hand
        if shake.strength < self._head.strength_low:
            return "too gentle: the beads hardly lift" if hand else "too slow: shake a little faster"
        if shake.strength > self._head.strength_high:
            hard = "too hard: hits pile up and cannot be told apart"
            return hard if hand else "too fast: shake a little more slowly"
        return None
