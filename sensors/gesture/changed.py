"""Does the empty seat carry more or less than on the day of weighing, on its ring or on its base?

All loads are told in units of what the empty seat moves. What lies on the ring lowers the sideways tone most. So does
more on the base, which rocks against the ring: more than it lowers the upright one, by as much or as little as it lies
beside the middle. So the two are not told apart. Warmth moves both tones alike, and firmer feet raise the sideways one.

Feet are told from a weight by what they do to the loads: on softer feet, which lower the empty seat's tone as well,
every igloo weighs more sideways; on a ring that carries more every igloo weighs less.
"""

from __future__ import annotations

import math

import numpy as np

from sensors.gesture.feet import beside
from sensors.gesture.model import SetModel, Weighing, student
from sensors.gesture.profile import KnownSet
from sensors.gesture.weigh import STEEL, Empty
from sensors.why import Reason, Why

# ln of the empty seat's sideways tone over its upright one, beside the day of weighing: warmth and the clock move both
# alike, and what lies on the ring the sideways one more. Of 40 simulated seats whose base did not rock, on 367 other
# days, no gesture of 1229 was off by more than 1.38e-3 (a disc's: 3.74e-3), lifted igloos' rings among the empty
# seat's. Of 68 whose base rocks on feet that bob at 6–10 Hz none of 606 was by more than 0.9e-3 (1.5e-3), and that is
# the feet: on one day the accelerometer scatters by 0.02e-3. On ten seats with feet of 14 Hz it was 1.5e-3 or more on
# 12 of 60 days. There 0.1 g on the ring makes 1.4e-3 of it or more, and 0.3 g 4e-3. How often that is told:
# benchmarks/ring_weight.py.
CHANGED, CHANGED_DISC = 1.5e-3, 4.0e-3
# From here on it is told where the loads have it so as well: they deny what the feet do, but not what a disc's sideways
# tone is off by. 0.1 g that was not told made 35 of 107 sure answers wrong on days of which nothing was known.
CLOSE, CLOSE_DISC = 1.0e-3, 1.3e-3
# What a weight on the ring and what the feet do to each load, relative, upright and sideways, a unit of that: on
# simulated seats 1.6–1.7 and 4.0–4.1; −14 to −17 with feet that bob at 6–14 Hz
RING, FEET = (1.7, 4.1), (0.0, -15.0)
# of the sideways load, standard deviation: feet that are a little otherwise as well, or do more or less on this seat
BESIDE = 4e-3
# ln of how much likelier a weight must be than feet. Of 96 simulated gestures with 0.1 g more or less on the ring 90
# had more (a disc's: 93), of 48 without none, and none of 600 whose tones and loads were moved as other feet move them.
LIKELIER = 2.0
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


def changed(empty: Empty, weighing: Weighing, known: KnownSet) -> Reason | None:
    """What it is, in one sentence with its mend; None where nothing changed. weighing: of an igloo, by that `empty`."""
    disc, steel = known.level is None, known.quality > STEEL
    upright, more = _beside(empty, known.empty)
    close, far = (CLOSE_DISC, CHANGED_DISC) if disc else (CLOSE, CHANGED)
    # the loads are known as of one day, whose feet may be otherwise than those of the middle of several
    of_that_day = _beside(empty, known.weighed_empty or known.empty)[1]
    if abs(more) > far or (abs(more) > close and _weight_not_feet(of_that_day, weighing, known.model)):
        return HEAVIER if more < 0 else LIGHTER
    fell = disc and steel and upright < -FELL and more < LIKE_A_WEIGHT * upright
    return HEAVIER if fell else None


def _beside(empty: Empty, known: Empty) -> tuple[float, float]:
    """ln of the upright tone beside the known one, and how much more there is of the sideways one."""
    return math.log(empty.upright / known.upright), beside(empty, known)


def _weight_not_feet(more: float, weighing: Weighing, model: SetModel) -> bool:
    """Is it far likelier one of the set's igloos on a ring that carries more or less, than on other feet?"""
    ring, feet = (_likelihood(weighing, model, up * more, sideways * more) for up, sideways in (RING, FEET))
    return ring - feet > LIKELIER


def _likelihood(weighing: Weighing, model: SetModel, up: float, sideways: float) -> float:
    """ln, but for a constant, that one of the set's igloos weighs so, where all loads are more by so much, relative."""
    sd_t, sd_side = model.deviations(weighing)
    sd_t = np.hypot(sd_t, model.noise.gain * weighing.upright)
    sd_side = np.hypot(sd_side, BESIDE * model.kappa * weighing.sideways)
    t, s = weighing.upright / (1 + up), model.kappa * weighing.sideways / (1 + sideways)
    off_t, off_side = t - model.means[:, 0], model.beside(t, np.array(s))
    each = student(off_t / sd_t) - np.log(sd_t) + student(off_side / sd_side) - np.log(sd_side)
    return float(np.logaddexp.reduce(each))
