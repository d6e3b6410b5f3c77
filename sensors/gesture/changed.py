"""Does the empty seat carry more or less than on the day of weighing, on its ring or on its base?

All loads are told in units of what the empty seat moves. What lies on the ring lowers the sideways tone most; more on
the base, which moves against it, lowers the upright one most, for what a seat feels is m·M/(m + M). Warmth moves both
alike, steel leaves by little: so beside them it shows which of the two it was.
"""

from __future__ import annotations

import math

from sensors.gesture.profile import KnownSet
from sensors.gesture.weigh import STEEL, Empty
from sensors.why import Reason, Why

# ln of the empty seat's sideways tone over its upright one, beside the day of weighing: warmth and the clock move both
# alike, and what lies on the ring the sideways one more. Of 40 simulated seats on 367 other days no gesture of 1229 was
# off by more than 1.38e-3 (a disc's: 3.74e-3), lifted igloos' rings among the empty seat's, while 0.1 g makes 1.8e-3 of
# it and 0.3 g 5.3e-3. How often that is told: benchmarks/ring_weight.py.
CHANGED, CHANGED_DISC = 1.5e-3, 4.0e-3
# Relative: so much less must warmth have done in one case than in the other (3e-3 would be some 25 K of steel)
APART = 1.5e-3
# A disc's sideways tone scatters more than 0.2 kg on the base do, but its card's clock is exact: where the upright tone
# fell so far, and the two as a heavier base has it, but for so much
FELL, ON_THE_LINE, LEAST = 2e-3, 1e-3, 5e-4

HEAVIER = Reason(
    Why.SEAT_CHANGED,
    "the seat's ring is heavier than when the set was weighed: clear it, or weigh the set anew",
)
LIGHTER = Reason(
    Why.SEAT_CHANGED,
    "the seat's ring is lighter than when the set was weighed: mend it, or weigh the set anew",
)
BASE_HEAVIER = Reason(
    Why.SEAT_CHANGED,
    "the seat's base is heavier than when the set was weighed: take off what lies on it, or weigh the set "
    "anew",
)
BASE_LIGHTER = Reason(
    Why.SEAT_CHANGED,
    "the seat's base is lighter than when the set was weighed: stand it on the same base, or weigh the set "
    "anew",
)
HEAVIER_RING = Reason(
    Why.SEAT_CHANGED,
    "the seat's ring is heavier, or its base lighter, than when the set was weighed: clear the ring, stand it on the "
    "same base, or weigh the set anew",
)
LIGHTER_RING = Reason(
    Why.SEAT_CHANGED,
    "the seat's ring is lighter, or its base heavier, than when the set was weighed: take off what lies on the base, "
    "mend the ring, or weigh the set anew",
)


def changed(empty: Empty, known: KnownSet) -> Reason | None:
    """What it is, in one sentence with its mend; None where nothing changed."""
    kappa, disc, steel = known.model.kappa, known.level is None, known.quality > STEEL
    upright = math.log(empty.upright / known.empty.upright)
    more = math.log(empty.sideways / known.empty.sideways) - upright
    # what warmth must have done to both tones, if it was the ring, and if it was the base
    ring, base = (abs(upright - more * part / (1 - kappa)) for part in (kappa, -1.0))
    if abs(more) <= (CHANGED_DISC if disc else CHANGED):
        fell = steel and disc and upright < -FELL and more > LEAST and base < ON_THE_LINE
        return BASE_HEAVIER if fell else None
    if not steel or abs(ring - base) < APART:
        return HEAVIER_RING if more < 0 else LIGHTER_RING
    if ring < base:
        return HEAVIER if more < 0 else LIGHTER
    return BASE_LIGHTER if more < 0 else BASE_HEAVIER
