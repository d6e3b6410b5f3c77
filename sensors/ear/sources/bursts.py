"""Makes one igloo's bursts a continuous stream: losses are bridged, and between bursts it lies still.

A node sends only while it is shaken, and from 0.07 s before (docs/firmware.md). An ear needs samples all the time, for
its noise floor and for the quiet that ends a shake. So between bursts the stream holds the node's last value, with its
last noise level. It is `LAG_S` late, so that it can move to the first sample of the next burst smoothly, without a
knock. Where frames came so late that stillness had taken their place (a computer that slept), a later rest is shorter
by that. Lost samples are bridged likewise for their duration, so nothing is shifted. A bridge hides the hits that were
there, so `holes` reports where bridges are. A burst whose first heard frame is in the middle of a stroke does not show
how the igloo lay: before it one g is held, because a held stroke would look like gravity.
"""

from __future__ import annotations

import math
from collections import deque

import numpy as np

from firmware_bridge.ledger import StampedLedger
from firmware_bridge.packets import Burst, Stamp
from sensors.ear.frames.frontend import Array
from sensors.ear.sources.at_rest import STILL_G

LAG_S = 0.3  # the stream's delay while still
LATE_S = 1.5  # the delay in the middle of a shake: after that, frames are late or the node is gone
LEAD_S = 0.5  # of stillness before the very first burst: an ear learns its floor from it
ENDS_S = 1.5  # of stillness, in which the answer to a shake is given
EASE_S = 0.1  # at least, from stillness to the first sample of a burst in another position
MOVED_G = 0.15  # between two samples, summed over the axes: the firmware's criterion for being shaken
# A node ends a burst after 0.4 s without that (firmware/igloo_node.py), of which the last frames may be lost. What ends
# sooner broke off, though nothing moved at its end: between two strokes nothing does.
AT_REST_S = 0.3
NOISE_G = 0.003  # for each axis, until the node has been felt at rest (LSM6DS data sheets: 2 to 4 mg)
LOUDEST_NOISE_G = 0.01
LONGEST_BRIDGE_S = 12.0  # in one piece: a clock that jumps must not fill the memory
# index and time of a frame may differ by this; beyond it is another burst with the same number
OUT_OF_STEP_S = 0.5
# frames that are held back with a burst's first one and leave with it (firmware/igloo_node.py)
FIRST_WAITED = 2
STAMPS = 1000  # kept for a reader: some twenty seconds of them
LEVEL = (0.0, 0.0, 1.0)  # g, assumed until anything was felt


class BurstStream:
    """`add` packets, advance by `still`, and `take` float32[samples, 3] in g, at `rate` Hz.

    `overflows` counts lost frames (missing sequence numbers, or frames too late to be used) and bursts that broke off
    while the igloo was shaken.
    """

    def __init__(self, rate: float, now: float, seed: int = 0) -> None:
        """`now`: seconds on the clock that `add` and `still` use; the stream begins then."""
        self._rate = rate
        self._ledger = StampedLedger()
        self._random = np.random.default_rng(seed)
        self._out: list[Array] = []
        self._given = 0  # samples in all
        self._holes: list[tuple[int, int]] = []
        self._stamps: deque[tuple[int, float]] = deque(maxlen=STAMPS)
        self._value: Array = np.array(LEVEL, np.float32)  # g, the value that is held
        self._noise = NOISE_G
        self._heard = now  # when the last burst frame came, or the stream began
        self._stamped = now  # the host's time of the last frame's stamp: when its last sample was measured
        self._held = 0  # samples of stillness since then
        self._ahead = 0  # samples by which the stream is longer than the time it covers
        self._burst: int | None = None
        self._next_index = 0
        self._calm = math.inf  # samples of the burst since it moved
        self._torn = 0

    @property
    def overflows(self) -> int:
        return self._ledger.lost + self._ledger.reordered + self._torn

    @property
    def _shaken(self) -> bool:
        """Is it in the midst of a shake, by the last frame that came?"""
        return self._calm < AT_REST_S * self._rate

    def note(self, stamp: Stamp) -> None:
        """Note a packet without samples: its sequence number counts as well."""
        self._ledger.add_stamped(stamp.seq, stamp.us)

    def add(self, burst: Burst, t: float, now: float) -> None:
        """Add a frame, stamped `t` and received at `now`, both in seconds of the host's clock."""
        verdict = self._ledger.add_stamped(burst.stamp.seq, burst.stamp.us)
        if verdict in ("late", "repeated"):
            return  # its place has been filled already
        samples = np.array(burst.accels, np.float32)
        # samples between the last one and these, by time
        passed = round((t - self._stamped) * self._rate) - len(samples)
        if burst.index == 0:
            passed -= FIRST_WAITED * len(samples)
        left = passed - self._ahead
        missing = (burst.index - self._next_index) % (1 << 16)
        goes_on = (
            burst.burst == self._burst
            and verdict == "new"
            and abs(missing - passed) < OUT_OF_STEP_S * self._rate
        )
        first = self._burst is None and not self._held  # nothing was delivered yet
        if first:
            self._value = samples[0] if _lies(burst, samples) else _one_g_along(samples[0])
        if not goes_on:
            ease = round(LEAD_S * self._rate) if first else self._ease(samples[0])
            missing = max(left, self._held + ease)
        # else it was counted when the burst was given up
        if goes_on and self._held > missing and not self._shaken:
            self._torn += 1
        # a seat's index continues where its chip lost samples: these are a hole, and nothing broke off
        if not goes_on and not self._held and burst.index != self._next_index:
            self._break_off()
        if goes_on:
            self._ahead += max(0, self._held - missing)
        elif not first:  # a stream begins by its lead earlier
            self._ahead = max(0, missing - left)
        bridged = min(missing - self._held, round(LONGEST_BRIDGE_S * self._rate))
        self._bridge(bridged, samples[0], round(EASE_S * self._rate) if first else bridged)
        waited = FIRST_WAITED * len(samples) if burst.index == 0 else 0
        taken = t - waited / self._rate
        self._stamps.append((self._given, taken - len(samples) / self._rate))
        if goes_on:
            self._hole(self._held + max(bridged, 0))
        elif self._burst is not None:  # its beginning was lost; before the very first one nobody listened
            self._hole(min(burst.index, max(bridged, 0)))
        self._give(samples)
        self._stamps.append((self._given, taken))
        self._learn(samples, goes_on)
        self._burst, self._next_index = burst.burst, (burst.index + len(samples)) % (1 << 16)
        self._heard, self._stamped, self._held = now, t, 0

    def still(self, now: float) -> None:
        """It is `now`, and no frame waits: hold the last value, up to `LAG_S` ago."""
        behind = LATE_S if self._shaken else LAG_S
        due = int((now - self._heard - behind) * self._rate)
        room = int((now - self._stamped - behind) * self._rate) - self._ahead
        # the quiet that ends a shake comes at once
        due = min(due, max(room, round(ENDS_S * self._rate))) - self._held
        if due > 0:
            if not self._held:
                self._break_off()
            # a clock that jumped must not fill the memory
            given = min(due, round(LONGEST_BRIDGE_S * self._rate))
            self._give((self._value + self._hiss(given)).astype(np.float32))
            self._held += due
            self._stamps.append((self._given, self._stamped + self._held / self._rate))

    def nobody_looked(self, seconds: float) -> None:
        """For so long nobody read the port, so no frame came late, and no node fell silent: what waits comes next."""
        self._heard += seconds

    def take(self) -> Array:
        """The samples since the last call; no rows where there are none."""
        out, self._out = self._out, []
        return np.concatenate(out) if out else np.zeros((0, 3), np.float32)

    def holes(self) -> list[tuple[int, int]]:
        """The holes since the last call, as ranges of the stream's samples, counted from its beginning. Where a burst
        breaks off, the loss is unknown: a hole without length."""
        holes, self._holes = self._holes, []
        return holes

    def stamps(self) -> list[tuple[int, float]]:
        """When the samples since the last call were measured: pairs of a sample count of the whole stream, and the time
        of the last of these samples on the clock of `add`. Held values follow the last frame's stamp, however late they
        were delivered."""
        stamps = list(self._stamps)
        self._stamps.clear()
        return stamps

    def _hole(self, count: int) -> None:
        """The last `count` samples replace lost ones."""
        if count > 0:
            self._holes.append((self._given - count, self._given))

    def _break_off(self) -> None:
        """Give up the burst, whether or not anything follows: its node may be gone."""
        if self._shaken:
            self._torn += 1
            self._holes.append((self._given, self._given))

    def _give(self, samples: Array) -> None:
        self._out.append(samples)
        self._given += len(samples)

    def _ease(self, to: Array) -> int:
        """The least number of samples before the first one of a burst."""
        return round(EASE_S * self._rate) if np.abs(to - self._value).sum() > MOVED_G else 0

    def _bridge(self, count: int, to: Array, way: int) -> None:
        """Add `count` samples in place of missing ones; the last `way` of them lead to the next felt value."""
        if count > 0:
            steps = np.maximum(0, np.arange(1, count + 1) - (count - way))
            share = (1 - np.cos(math.pi * steps / (way + 1)))[:, None] / 2
            self._give((self._value + share * (to - self._value) + self._hiss(count)).astype(np.float32))

    def _hiss(self, count: int) -> Array:
        return (self._noise * self._random.standard_normal((count, 3))).astype(np.float32)

    def _learn(self, samples: Array, goes_on: bool) -> None:
        """Learn when it moved last, and position and noise from a frame without motion. `goes_on`: it is of the same
        burst as the one before it."""
        steps = np.diff(samples, axis=0)
        moved = np.flatnonzero(np.abs(steps).sum(axis=1) > MOVED_G)
        if len(moved):
            self._calm = len(steps) - 1 - int(moved[-1])
        else:
            self._calm = self._calm + len(samples) if goes_on else math.inf
        if len(moved) or len(steps) < 8:
            self._value = samples[-1]
            return
        self._value = samples.mean(axis=0)
        self._noise = min(float(steps.std()) / math.sqrt(2), LOUDEST_NOISE_G)


def _lies(burst: Burst, samples: Array) -> bool:
    """Are these samples from before the shake? A stroke's peak is as still for a moment, but no burst begins with
    one."""
    spread = math.sqrt(float(samples.var(axis=0).sum()))
    return burst.index == 0 and spread < STILL_G * max(1.0, float(np.linalg.norm(samples[0])))


def _one_g_along(felt: Array) -> Array:
    size = float(np.linalg.norm(felt))
    return np.array(felt / size if size else LEVEL, np.float32)
