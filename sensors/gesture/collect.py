"""Taps gathered into gestures: the empty seat first, then an igloo that is set down and tapped some times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sensors.gesture.slow import Slow
from sensors.gesture.taps import LEAST_S, Ring, TapFinder
from sensors.gesture.weigh import EMPTY_WITHIN, Empty, Pair, Weight, pair_of, weigh

FLOOR = {"accelerometer": 0.01, "microphone": 0.003}  # g; of full scale
STRUCK = {"accelerometer": 0.06, "microphone": 0.02}  # below: the igloo was let go, not tapped
FULL = {"accelerometer": 3.9, "microphone": 0.999}
HELD_QUALITY = 0.5  # of the empty seat's
SAME = 0.012  # taps of one igloo agree far better: beyond this another one was put on
WANTED = 3  # placings of a gesture: what is tapped after the next empty tap is another one
EMPTIES = 3  # sightings of the empty seat that are averaged
MOST_CLIPS = 64
CLIP_TAIL_S = 0.012  # the filter's memory of a clipped sample
LONGEST_S = 30.0  # from the empty tap; a seat warms


@dataclass(frozen=True, slots=True)
class Felt:
    """The last tap: what came of it, and how strong it was (RMS of its loudest 10 ms)."""

    kind: Literal["empty", "weighed", "set-down", "held", "clipped", "no-empty", "unclear"]
    strike: float


@dataclass(slots=True)
class Gesture:
    """What was tapped of one igloo so far. dull: taps whose ring died at once or told nothing."""

    start_s: float
    end_s: float
    empty: Empty | None
    empty_s: float
    weights: list[Weight] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    dull: int = 0
    clipped: bool = False
    snr_db: float = 0.0
    gravity: NDArray[np.float64] | None = None
    placing: int = 0

    @property
    def placings(self) -> int:
        """How many of its placings could be weighed."""
        return len({w.placing for w in self.weights})


class Collector:
    """Feed blocks of one source; `gesture` is what goes on, `push` returns the gestures that the empty seat ended."""

    def __init__(self, sensor: str, rate: float, channels: int, known_empty: Empty | None = None) -> None:
        """known_empty: where a profile says that the empty seat sings. Raises SoundError for too low a rate."""
        self.sensor = sensor
        self._slow = Slow(rate, channels)
        self._taps = TapFinder(self._slow.rate, channels, FLOOR[sensor])
        self.empty: Empty | None = None
        self.empty_s = 0.0
        self.known_empty = known_empty
        self._empty_quality = 0.0
        self.gesture: Gesture | None = None
        self.seconds = 0.0
        self._rate = rate
        self._clipped: list[float] = []
        self._news = 0
        self._moved = False  # something happened on the seat since the last tap that was weighed
        self.emptied = False  # the empty seat was tapped since the last tap that was weighed
        self.last: Felt | None = None
        self._dulls = 0  # blows since the last tap that rang
        self._empties: list[Empty] = []

    @property
    def news(self) -> int:
        """How many taps were heard so far, of whatever kind."""
        return self._news

    def push(self, block: NDArray[np.floating]) -> list[Gesture]:
        size = np.abs(np.nan_to_num(block))
        full = np.flatnonzero(
            (size if size.ndim == 1 else size.max(axis=1, initial=0.0)) >= FULL[self.sensor]
        )
        if len(full):
            self._clipped += [
                self.seconds + float(full[0]) / self._rate,
                self.seconds + float(full[-1]) / self._rate,
            ]
            self._clipped = self._clipped[-MOST_CLIPS:]
        self.seconds += len(block) / self._rate
        out: list[Gesture] = []
        for ring in self._taps.push(self._slow.push(block)):
            out += self._take(ring)
        return out

    def finish(self) -> list[Gesture]:
        out: list[Gesture] = []
        for ring in self._taps.finish():
            out += self._take(ring)
        return out + self.close()

    def close(self) -> list[Gesture]:
        """End what goes on."""
        ended, self.gesture = self.gesture, None
        return [ended] if ended is not None and (ended.weights or ended.dull) else []

    def _take(self, ring: Ring) -> list[Gesture]:
        ring, cut = self._unclipped(ring)
        pair = pair_of(ring, self._slow.rate)
        if ring.strike < STRUCK[self.sensor]:
            self._moved = True  # let go, set down, a bump of the table: nothing was tapped
            return []
        self._news += 1
        if not cut and pair.fair and self._is_empty(pair):
            self.last = Felt("empty", ring.strike)
            return self._note_empty(pair)
        fresh = self.empty is not None and ring.start_s - self.empty_s < LONGEST_S
        weight = weigh(pair, self.empty) if self.empty and fresh and pair.fair and not cut else None
        held = weight is not None and weight.qualities[1] < HELD_QUALITY * self._empty_quality
        if held:
            weight = None  # a hand was on it: set down, or not let go
        self.last = Felt(self._kind(weight, held, cut, fresh), ring.strike)
        self._dulls = self._dulls + 1 if weight is None else 0
        out: list[Gesture] = []
        now = self.gesture
        if weight is not None and now is not None and now.weights:
            usual = float(np.median([w.upright for w in now.weights]))
            other = abs(weight.upright / usual - 1) > SAME and (len(now.weights) > 1 or self.emptied)
            if other or (self.emptied and now.placings >= WANTED):
                out, now = self.close(), None
        if now is None:
            now = self.gesture = Gesture(
                ring.start_s, ring.start_s, self.empty if fresh else None, self.empty_s
            )
        now.end_s = ring.start_s + len(ring.samples) / self._slow.rate
        now.pairs.append(pair)
        now.gravity = ring.samples.mean(axis=0)
        now.snr_db = 20 * float(np.log10(ring.strike / max(ring.before, 1e-5)))
        now.clipped = now.clipped or cut
        if weight is None:
            now.dull += 1
            self._moved = True
            return out
        now.placing += bool(now.weights) and self._moved
        now.weights.append(replace(weight, placing=now.placing))
        self._moved = self.emptied = False
        return out

    def _kind(
        self, weight: Weight | None, held: bool, cut: bool, fresh: bool
    ) -> Literal["weighed", "set-down", "held", "clipped", "no-empty", "unclear"]:
        if weight is not None:
            return "weighed"
        if not fresh:
            return "no-empty"
        if cut:
            return "clipped"
        if self._dulls == 0:
            return "set-down"  # the first blow since the last tap, with the hand still on it
        return "held" if held else "unclear"

    def _note_empty(self, pair: Pair) -> list[Gesture]:
        """The empty seat again: another igloo comes, unless this one is only being set down anew."""
        assert pair.sideways is not None
        assert pair.upright is not None
        recent = self._empties if pair.start_s - self.empty_s < LONGEST_S else []
        self._empties = [*recent, Empty(pair.sideways.hz, pair.upright.hz)][-EMPTIES:]
        self.empty = Empty(
            float(np.mean([e.sideways for e in self._empties])),
            float(np.mean([e.upright for e in self._empties])),
        )
        self.empty_s, self._empty_quality = pair.start_s, pair.upright.quality
        self._moved = self.emptied = True
        self._dulls = 0
        begun = self.gesture is not None and 0 < self.gesture.placings < WANTED
        return [] if begun else self.close()

    def _unclipped(self, ring: Ring) -> tuple[Ring, bool]:
        """What of a ring comes after the last clipped sample; the second: too little of it is left."""
        end_s = ring.start_s + len(ring.samples) / self._slow.rate
        late = [t for t in self._clipped if ring.start_s - CLIP_TAIL_S < t < end_s]
        if not late:
            return ring, False
        skip = round((max(late) + CLIP_TAIL_S - ring.start_s) * self._slow.rate)
        if len(ring.samples) - skip < LEAST_S * self._slow.rate:
            return ring, True
        start = ring.start_s + skip / self._slow.rate
        return Ring(start, ring.samples[skip:], ring.strike, ring.before), False

    def _is_empty(self, pair: Pair) -> bool:
        if self.known_empty is not None:
            return self.known_empty.is_(pair)
        if pair.upright is None or pair.sideways is None or pair.upright.quality < 25:
            return False
        # nothing is known: a gesture begins with the empty seat, and nothing sounds higher than that
        return (
            self.empty is None
            or self.empty.is_(pair)
            or pair.upright.hz > self.empty.upright * (1 + EMPTY_WITHIN)
        )


def fullest(gestures: Sequence[Gesture]) -> Gesture | None:
    """The one that a recording is of: with the most of the placings that are wanted, then the most taps, then the last:
    whoever began with another igloo began anew. None of none."""
    best: Gesture | None = None
    for one in gestures:
        if best is None or _fullness(one) >= _fullness(best):
            best = one
    return best


def _fullness(gesture: Gesture) -> tuple[int, int]:
    return min(gesture.placings, WANTED), len(gesture.weights)


def collect(
    sensor: str,
    rate: float,
    samples: NDArray[np.floating],
    known_empty: Empty | None = None,
    block: int = 4096,
) -> list[Gesture]:
    """All gestures of a whole recording [n, channels], which begins with a tap on the empty seat."""
    x = samples[:, None] if samples.ndim == 1 else samples
    collector = Collector(sensor, rate, x.shape[1], known_empty)
    out: list[Gesture] = []
    for i in range(0, len(x), block):
        out += collector.push(x[i : i + block])
    return out + collector.finish()
