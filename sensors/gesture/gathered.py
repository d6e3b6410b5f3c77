"""What the taps of one igloo are gathered into, and what came of the last tap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sensors.gesture.blows import Tap
from sensors.gesture.weigh import Empty, Weight

MOST_WEIGHTS = 24  # kept of a gesture that somebody taps on and on; the oldest go
WANTED = 3  # placings of a gesture: what is tapped after the next empty tap is another one
AGREEING = 2  # placings of an igloo of which one is not believed alone
Kind = Literal[
    "empty", "weighed", "set-down", "held", "clipped", "no-empty", "unclear", "faint", "twice", "lost"
]


@dataclass(frozen=True, slots=True)
class Felt:
    """The last tap: what came of it, how strong it was (RMS of its loudest 10 ms), and whether the seat was touched
    again while it rang."""

    kind: Kind
    strike: float
    twice: bool = False


@dataclass(slots=True)
class Gesture:
    """What was tapped of one igloo so far. dull: taps whose ring died at once or told nothing; held: those of them
    that a hand braked; cut: those that went beyond the sensor's range, setting down among them; hard_first: of what
    came after the first setting down one went beyond it before any was held; weighed: all that were weighed, of which
    `weights` keeps the last; rang: some tap rang the seat; doubtful: the taps on the empty
    seat did not agree; split: whose its taps were was told by the weight alone, as one differed before there was an
    answer; answered: all that was tapped, and no more was asked for; other_seat_hz: where the empty seat sings
    upright, if that is not where the known one does."""

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

    @property
    def placings(self) -> int:
        """How many of its placings could be weighed."""
        return len({w.placing for w in self.weights})

    @property
    def hand_on(self) -> bool:
        """Was nothing weighed because a hand stayed on it? It is on an igloo that is set down, too, so after a tap that
        was too hard one that seems held may be the next setting down; and one that is set down hard is no tap."""
        return not self.weights and self.held > 0 and self.held >= self.cut + self.hard_first

    @property
    def contradicted(self) -> bool:
        """Is it one placing that another contradicts? Another igloo weighs otherwise, and so does the same one beside
        its nubs; two placings that agree are of an igloo that stands as it should."""
        return self.split and self.placings < AGREEING

    @property
    def under_way(self) -> bool:
        """Does what was placed so far count on when the empty seat is tapped?"""
        return 0 < self.placings < WANTED and not self.answered

    def note(self, tap: Tap, rate: float, other_seat_hz: float | None) -> None:
        """What is noted of every tap, whether it was weighed or not. rate: of the ring's samples, Hz."""
        ring = tap.ring
        self.end_s = ring.start_s + len(ring.samples) / rate
        self.rang = self.rang or tap.pair.upright is not None
        self.other_seat_hz = other_seat_hz
        self.gravity = ring.samples.mean(axis=0)
        self.snr_db = 20 * float(np.log10(ring.strike / max(ring.before, 1e-5)))
        self.clipped = self.clipped or tap.cut

    def note_dull(self, kind: Kind, first: bool) -> None:
        """One tap more that was not weighed; `first`: since the last one that was, or the empty seat."""
        self.dull += 1
        if not first and not (self.held or self.hard_first):
            self.hard_first = kind == "clipped"
        self.held += kind == "held"
        self.cut += kind == "clipped"
        self.clipped = self.clipped or kind == "clipped"

    def weigh(self, weight: Weight, *, anew: bool, instead: bool) -> None:
        """One weight more; `anew`: the igloo was set down again; `instead`: of the last weight, which was no tap's."""
        self.placing += bool(self.weights) and anew
        before = self.weights[:-1] if instead else self.weights
        self.weights = [*before, replace(weight, placing=self.placing)][-MOST_WEIGHTS:]
        self.weighed += 1

    def weigh_anew(self, empty: Empty) -> None:
        """If the taps on the empty seat did not agree before, and now do: on this one."""
        if self.doubtful:
            self.weights = [w.anew(empty) for w in self.weights]
            self.empty, self.doubtful = empty, False


def fullest(gestures: Sequence[Gesture]) -> Gesture | None:
    """The one that a recording is of: with the most of the placings that are wanted, then the most taps, then the last:
    whoever began with another igloo began anew. None of none."""
    best: Gesture | None = None
    for one in gestures:
        if best is None or _fullness(one) >= _fullness(best):
            best = one
    return best


def _fullness(gesture: Gesture) -> tuple[int, int, bool]:
    # of those in which nothing was weighed one that was tapped tells why; a setting down alone tells nothing
    return min(gesture.placings, WANTED), len(gesture.weights), not gesture.weights and gesture.dull > 1
