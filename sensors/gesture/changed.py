"""Does the empty seat carry more or less than on the day of weighing, on its ring or on its base?

All loads are in units of the empty seat's moved mass. A mass on the ring lowers the sideways tone most. So does a mass
on the base, which rocks against the ring: it lowers the sideways tone more than the upright one, by an amount that
depends on how far off the middle it lies. So the two cannot be told apart. Temperature moves both tones alike; firmer
feet raise the sideways one.

Feet and masses differ in what they do to the loads. Softer feet also lower the empty seat's sideways tone, but make
every igloo heavier sideways; a mass on the ring makes every igloo lighter.
"""

from __future__ import annotations

import math

import numpy as np

from sensors.gesture.feet import beside
from sensors.gesture.model import SetModel, Weighing, student
from sensors.gesture.profile import KnownSet
from sensors.gesture.weigh import STEEL, Empty
from sensors.why import Reason, Why

# Bounds on ln of the sideways tone over the upright one, relative to the day of weighing: temperature and clock move
# both alike, a mass on the ring moves the sideways one more. On 40 simulated seats whose base did not rock, 367 other
# days, no gesture of 1229 was off by more than 1.38e-3 (a disc: 3.74e-3), rings of lifted igloos among the empty seat's
# included. On 68 whose base rocks on feet that bob at 6–10 Hz, none of 606 was off by more than 0.9e-3 (1.5e-3), and
# that is the feet: within one day the accelerometer scatters by 0.02e-3. On ten seats with feet of 14 Hz it was 1.5e-3
# or more on 12 of 60 days. There 0.1 g on the ring makes 1.4e-3 or more, and 0.3 g 4e-3. How often that is reported:
# benchmarks/ring_weight.py.
CHANGED, CHANGED_DISC = 1.5e-3, 4.0e-3
# From here on a change is reported only where the loads confirm it: they rule out the feet, but not the error of a
# disc's sideways tone. Unreported, 0.1 g made 35 of 107 sure answers wrong on days of which nothing was known.
CLOSE, CLOSE_DISC = 1.0e-3, 1.3e-3
# Relative change of each load, upright and sideways, for a unit of that, by a mass on the ring and by the feet: on
# simulated seats 1.6–1.7 and 4.0–4.1 for a mass; −14 to −17 with feet that bob at 6–14 Hz.
RING, FEET = (1.7, 4.1), (0.0, -15.0)
# Standard deviation of the sideways load: the feet may also differ slightly, or matter more or less on this seat.
BESIDE = 4e-3
# ln of the likelihood ratio of mass to feet. Of 96 simulated gestures with 0.1 g more or less on the ring, 90 exceeded
# it (a disc: 93), of 48 without none, and none of 600 whose tones and loads were moved as other feet move them.
LIKELIER = 2.0
# A disc's sideways tone scatters more than a phone on the base may shift it. But its card's clock is exact, and steel
# changes little with temperature: if the upright tone fell this far, and both tones fit something heavier, that is
# enough.
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
    """What changed, in one sentence with its remedy; None where nothing did. weighing: of an igloo, against that
    `empty`."""
    disc, steel = known.level is None, known.quality > STEEL
    upright, more = _beside(empty, known.empty)
    close, far = (CLOSE_DISC, CHANGED_DISC) if disc else (CLOSE, CHANGED)
    # the loads are known for one day, whose feet may differ from those of the average over several days
    of_that_day = _beside(empty, known.weighed_empty or known.empty)[1]
    if abs(more) > far or (abs(more) > close and _weight_not_feet(of_that_day, weighing, known.model)):
        return HEAVIER if more < 0 else LIGHTER
    fell = disc and steel and upright < -FELL and more < LIKE_A_WEIGHT * upright
    return HEAVIER if fell else None


def _beside(empty: Empty, known: Empty) -> tuple[float, float]:
    """ln of the upright tone relative to the known one, and how much more the sideways one changed."""
    return math.log(empty.upright / known.upright), beside(empty, known)


def _weight_not_feet(more: float, weighing: Weighing, model: SetModel) -> bool:
    """Is one of the set's igloos on a lighter or heavier ring far likelier than the same on other feet?"""
    ring, feet = (_likelihood(weighing, model, up * more, sideways * more) for up, sideways in (RING, FEET))
    return ring - feet > LIKELIER


def _likelihood(weighing: Weighing, model: SetModel, up: float, sideways: float) -> float:
    """ln, up to a constant, of the likelihood that this is one of the set's igloos, if all loads are this much larger,
    relative."""
    sd_t, sd_side = model.deviations(weighing)
    sd_t = np.hypot(sd_t, model.noise.gain * weighing.upright)
    sd_side = np.hypot(sd_side, BESIDE * model.kappa * weighing.sideways)
    t, s = weighing.upright / (1 + up), model.kappa * weighing.sideways / (1 + sideways)
    off_t, off_side = t - model.means[:, 0], model.beside(t, np.array(s))
    each = student(off_t / sd_t) - np.log(sd_t) + student(off_side / sd_side) - np.log(sd_side)
    return float(np.logaddexp.reduce(each))
