"""Where the next tap belongs: to the same placing, to another placing of the igloo, or to another igloo."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sensors.gesture.gathered import Gesture
from sensors.gesture.weigh import Weight

if TYPE_CHECKING:
    from sensors.gesture.model import Noise

SAME = 0.012  # without a profile: taps of one igloo agree far better; beyond this, another one was put on
DIFFER = 6.0  # with a profile: standard deviations of one placing; beyond them, another igloo was put on
BESIDE = 0.05  # relative: a weighed blow of setting down is further off than the neighbouring igloos
LIFTED_S = 1.2  # nobody lifts an igloo, sets another down, lets go and taps in less
LINGERED_S = 8.0  # nobody waits so long between letting go and tapping
STEADY = 6e-4  # of t: taps of one placing differ by less (4 standard deviations of a difference)


def same_placing(now: Gesture, weight: Weight) -> bool:
    """Did it come so soon after the last weight that the igloo cannot have been lifted between? One of the two may be
    the igloo being let go, or the hand reaching for it."""
    return bool(now.weights) and weight.start_s - now.weights[-1].start_s <= LIFTED_S


def drowned(quiet: Weight, loud: Weight) -> bool:
    """Within one placing: is the first weight not a tap's, but a hand's? A pencil rings the seat louder than that."""
    return abs(quiet.upright - loud.upright) > STEADY and quiet.sizes[1] < loud.sizes[1]


def differs(now: Gesture, weight: Weight, moved: bool, emptied: bool, noise: Noise | None) -> bool:
    """Does it weigh differently from the open gesture? moved, emptied: what happened on the seat since the last weight;
    noise: by a profile, how far placings of one igloo scatter."""
    if not now.weights:
        return False
    several = len(now.weights) > 1 or emptied
    usual = float(np.median([w.upright for w in now.weights]))
    if noise is None:
        return several and abs(weight.upright / usual - 1) > SAME
    far = min(abs(weight.upright - w.upright) for w in now.weights)
    # the first weight may be the blow of setting down, not of an igloo
    lingered = weight.start_s - now.weights[-1].start_s > LINGERED_S
    several = several or (moved and (far < BESIDE * usual or lingered))
    return several and far > DIFFER * noise.upright(1, 1, usual)
