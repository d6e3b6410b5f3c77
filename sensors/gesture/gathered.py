"""The state of one gesture, to which taps are added, and the result of the last tap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sensors.gesture.blows import Tap
from sensors.gesture.weigh import Empty, Weight

MOST_WEIGHTS = 24  # kept of a gesture that somebody taps on and on; the oldest are dropped
WANTED = 3  # placings in a gesture; what is tapped after the next empty tap belongs to another one
AGREEING = 2  # placings of an igloo where a single one is not trusted
Kind = Literal[
    "empty", "weighed", "set-down", "held", "clipped", "no-empty", "unclear", "faint", "twice", "lost"
]


@dataclass(frozen=True, slots=True)
class Felt:
    """The last tap: its result, its strength (RMS of its loudest 10 ms), and whether the seat was touched again while
    it rang."""

    kind: Kind
    strike: float
    twice: bool = False


@dataclass(slots=True)
class Gesture:
    """What was tapped of one igloo so far. dull: taps whose ring died at once or told nothing; held: how many of these
    a hand damped; cut: how many went beyond the sensor's range, setting down included; hard_first: after the first
    setting down, a tap went beyond the range before any was held; weighed: how many were weighed (`weights` keeps the
    last); rang: some tap rang the seat; doubtful: the taps on the empty seat disagreed; split: the taps were
    assigned by weight alone, as one differed before there was an answer; answered: it has an answer that asks for
    no more taps; faint: how many rings were too weak for a tap and would else have been weighed (without an empty
    seat: whether its taps were too weak); faint_first: one of these came before any second dull tap; other_seat_hz:
    the empty seat's upright tone, if it is not the known one; empty_quality: the quality factor of that tone, None
    where it was not tapped."""

    start_s: float
    end_s: float
    empty: Empty | None
    empty_s: float
    weights: list[Weight] = field(default_factory=list)
    weighed: int = 0
    rang: bool = False
    other_seat_hz: float | None = None
    dull: int = 0
    held: int = 0
    cut: int = 0
    hard_first: bool = False
    clipped: bool = False
    snr_db: float = 0.0
    gravity: NDArray[np.float64] | None = None
    placing: int = 0
    doubtful: bool = False
    split: bool = False
    answered: bool = False
    faint: int = 0
    faint_first: bool = False
    empty_quality: float | None = None

    @property
    def placings(self) -> int:
        """How many of its placings were weighed."""
        return len({w.placing for w in self.weights})

    @property
    def hand_on(self) -> bool:
        """Was nothing weighed because a hand stayed on? A hand is also on an igloo that is being set down: so after a
        tap that was too hard, one that seems held may be the next setting down, and a hard setting down is no tap."""
        return not self.weights and self.held > 0 and self.held >= self.cut + self.hard_first

    @property
    def too_faint(self) -> bool:
        """Was nothing weighed because the taps were too weak? Each setting down after the first then seems held. But a
        held igloo may ring as faintly when it is let go after its tap: that comes after two dull ones, each time."""
        return not self.weights and self.faint > 0 and self.faint + self.faint_first >= self.dull

    @property
    def contradicted(self) -> bool:
        """Is it a single placing that another one contradicts? Another igloo weighs differently, and so does the same
        one off its nubs; two placings that agree belong to an igloo that stands as it should."""
        return self.split and self.placings < AGREEING

    @property
    def under_way(self) -> bool:
        """May more placings still be added after the next tap on the empty seat?"""
        return 0 < self.placings < WANTED and not self.answered

    def note(self, tap: Tap, rate: float, other_seat_hz: float | None) -> None:
        """Record what every tap tells, weighed or not. rate: of the ring's samples, Hz."""
        ring = tap.ring
        self.end_s = ring.start_s + len(ring.samples) / rate
        self.rang = self.rang or tap.pair.upright is not None
        self.other_seat_hz = other_seat_hz
        self.gravity = ring.samples.mean(axis=0)
        self.snr_db = 20 * float(np.log10(ring.strike / max(ring.before, 1e-5)))
        self.clipped = self.clipped or tap.cut

    def note_dull(self, kind: Kind, first: bool) -> None:
        """Add a tap that was not weighed; `first`: it is the first since the last weighed one, or since the empty
        seat."""
        self.dull += 1
        if not first and not (self.held or self.hard_first):
            self.hard_first = kind == "clipped"
        self.held += kind == "held"
        self.cut += kind == "clipped"
        self.clipped = self.clipped or kind == "clipped"

    def note_faint(self) -> None:
        """Add a ring that was too weak for a tap, and would else have been weighed."""
        self.faint += 1
        self.faint_first = self.faint_first or self.dull < 2

    def weigh(self, weight: Weight, *, anew: bool, instead: bool) -> None:
        """Add a weight; `anew`: the igloo was set down again; `instead`: it replaces the last weight, which was not a
        tap's."""
        self.placing += bool(self.weights) and anew
        before = self.weights[:-1] if instead else self.weights
        self.weights = [*before, replace(weight, placing=self.placing)][-MOST_WEIGHTS:]
        self.weighed += 1

    def weigh_anew(self, empty: Empty) -> None:
        """If the taps on the empty seat disagreed before and now agree: weigh all taps against this one."""
        if self.doubtful:
            self.weights = [w.anew(empty) for w in self.weights]
            self.empty, self.doubtful = empty, False


def fullest(gestures: Sequence[Gesture]) -> Gesture | None:
    """The gesture that a recording stands for: the one with the most placings (up to those wanted), then the most taps,
    then the last one, because somebody who began with another igloo began anew. None for none."""
    best: Gesture | None = None
    for one in gestures:
        if best is None or _fullness(one) >= _fullness(best):
            best = one
    return best


def _fullness(gesture: Gesture) -> tuple[int, int, bool]:
    # where none was weighed, a tapped one shows the reason; a mere setting down shows nothing
    return min(gesture.placings, WANTED), len(gesture.weights), not gesture.weights and gesture.dull > 1
