"""Does the empty seat carry more or less than on the day of weighing, on its ring or on its base?

All loads are told in units of what the empty seat moves. What lies on the ring lowers the sideways tone most. So does
more on the base, which rocks against the ring: more than it lowers the upright one, by as much or as little as it lies
beside the middle. So the two are not told apart. Warmth moves both tones alike, and firmer feet raise the sideways one.
"""

from __future__ import annotations

import math

from sensors.gesture.profile import KnownSet
from sensors.gesture.weigh import STEEL, Empty
from sensors.why import Reason, Why

# ln of the empty seat's sideways tone over its upright one, beside the day of weighing: warmth and the clock move both
# alike, and what lies on the ring the sideways one more. Of 40 simulated seats whose base did not rock, on 367 other
# days, no gesture of 1229 was off by more than 1.38e-3 (a disc's: 3.74e-3), lifted igloos' rings among the empty
# seat's; of 24 whose base rocks none of 360 by more than 0.6e-3 (1.2e-3). There 0.1 g on the ring makes 1.4e-3 of it or
# more, and 0.3 g 4e-3. How often that is told: benchmarks/ring_weight.py.
CHANGED, CHANGED_DISC = 1.5e-3, 4.0e-3
# A disc's sideways tone scatters more than a phone on the base may do, but its card's clock is exact, and warmth moves
# steel by little: where the upright tone fell so far and the two as something heavier has it, that is enough
FELL, LIKE_A_WEIGHT = 2e-3, 0.55

HEAVIER = Reason(
    Why.SEAT_CHANGED,
    "the seat's ring or base is heavier than when the set was weighed: clear both, or weigh the set anew",
)
LIGHTER = Reason(
    Why.SEAT_CHANGED,
    "the seat's ring or base is lighter, or its feet are firmer, than when the set was weighed: stand it as it stood, "
    "or weigh the set anew",
)


def changed(empty: Empty, known: KnownSet) -> Reason | None:
    """What it is, in one sentence with its mend; None where nothing changed."""
    disc, steel = known.level is None, known.quality > STEEL
    upright = math.log(empty.upright / known.empty.upright)
    more = math.log(empty.sideways / known.empty.sideways) - upright
    if abs(more) > (CHANGED_DISC if disc else CHANGED):
        return HEAVIER if more < 0 else LIGHTER
    fell = disc and steel and upright < -FELL and more < LIKE_A_WEIGHT * upright
    return HEAVIER if fell else None
