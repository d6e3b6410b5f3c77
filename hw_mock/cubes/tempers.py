"""Tempers of people's hands: how long their moves take, and how untidy they are. All ranges are judgement."""

from __future__ import annotations

from dataclasses import dataclass

from hw_mock.choices import one_of

Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Temper:
    """Ranges are uniform; seconds, degrees, degrees a second, g, cube widths.

    quarter: duration of a tilt or turn; apart: delay of the second hand; overshoot: beyond the end, and back;
    wobble: amplitude of tremor on the way (4–9 Hz); settle: rocking after the cube is set down; lift: how high;
    skew: rotation about other axes on the way; pause: between two moves; hesitates: share of moves that stop half-way.
    """

    name: str
    quarter: Range
    apart: Range
    overshoot: Range
    wobble: Range
    settle: Range
    lift: Range
    skew: Range
    pause: Range
    knock: Range  # g, when the cube meets the tray
    hesitates: float


_CALM = Temper(
    "calm", (0.6, 1.1), (0, 0.05), (0, 4), (0, 1), (0, 1), (0.1, 0.5), (0, 5), (0.7, 2.0), (0.05, 0.3), 0.02
)
_BRISK = Temper(
    "brisk",
    (0.3, 0.6),
    (0, 0.05),
    (0, 8),
    (0, 1.5),
    (0, 3),
    (0.1, 0.6),
    (0, 10),
    (0.4, 1.0),
    (0.2, 1.0),
    0.01,
)
_HASTY = Temper(
    "hasty",
    (0.15, 0.3),
    (0, 0.08),
    (0, 15),
    (0, 2),
    (1, 6),
    (0.1, 0.7),
    (0, 15),
    (0.25, 0.6),
    (0.5, 3.0),
    0.0,
)
_SLOW = Temper(
    "slow", (1.5, 3.0), (0, 0.2), (0, 3), (0, 1.5), (0, 1), (0.1, 0.5), (0, 6), (1.0, 3.0), (0.02, 0.2), 0.15
)
_SHAKY = Temper(
    "shaky", (0.5, 1.3), (0, 0.15), (0, 8), (2, 5), (1, 4), (0.2, 0.8), (2, 12), (0.6, 2.0), (0.1, 0.8), 0.1
)
_SLOPPY = Temper(
    "sloppy", (0.3, 1.0), (0, 0.4), (0, 20), (0, 3), (2, 8), (0.2, 1.0), (5, 20), (0.4, 1.5), (0.3, 2.0), 0.05
)
TEMPERS = {t.name: t for t in (_CALM, _BRISK, _HASTY, _SLOW, _SHAKY, _SLOPPY)}


def temper_named(name: str) -> Temper:
    """Raises ValueError for an unknown name."""
    one_of("temper", name, TEMPERS)
    return TEMPERS[name]
