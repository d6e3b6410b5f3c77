"""Whose the next tap is: of the same setting down, of another one, or of another igloo."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sensors.gesture.gathered import Gesture
from sensors.gesture.weigh import Pair, Weight

if TYPE_CHECKING:
    from sensors.gesture.model import Noise

SAME = 0.012  # without a profile: taps of one igloo agree far better, beyond this another one was put on
DIFFER = 6.0  # with a profile: standard deviations of one placing, beyond which another igloo was put on
BESIDE = 0.05  # relative: a blow of setting down that was weighed lies further off than the next igloos do
LIFTED_S = 1.2  # nobody lifts an igloo, sets another down, lets go and taps in less
LINGERED_S = 8.0  # nobody who has let go waits so long for the tap
STEADY = 6e-4  # of t: taps of one setting down differ by less (4 standard deviations of a difference)
FAINT_AGREE = 0.005  # relative: two faint rings of one tone are taps; lifting and setting down differ


def same_placing(now: Gesture, weight: Weight) -> bool:
    """Does it come so soon after the last weight that the igloo cannot have been lifted between? One of the two may be
    the igloo that was let go, or the hand that comes for it."""
    return bool(now.weights) and weight.start_s - now.weights[-1].start_s <= LIFTED_S


def drowned(quiet: Weight, loud: Weight) -> bool:
    """Of one setting down: is the first no tap, but what a hand did? A pencil rings the seat louder than that."""
    return abs(quiet.upright - loud.upright) > STEADY and quiet.sizes[1] < loud.sizes[1]


def same_tone(one: Pair | None, other: Pair | None) -> bool:
    """Do two faint rings sing alike upright?"""
    if one is None or other is None or one.upright is None or other.upright is None:
        return False
    return abs(other.upright.hz / one.upright.hz - 1) < FAINT_AGREE


def differs(now: Gesture, weight: Weight, moved: bool, emptied: bool, noise: Noise | None) -> bool:
    """Does it weigh otherwise than what goes on? moved, emptied: what happened on the seat since the last weight;
    noise: how far a profile says that placings of one igloo scatter."""
    if not now.weights:
        return False
    several = len(now.weights) > 1 or emptied
    usual = float(np.median([w.upright for w in now.weights]))
    if noise is None:
        return several and abs(weight.upright / usual - 1) > SAME
    far = min(abs(weight.upright - w.upright) for w in now.weights)
    # the first weight may be the blow of setting down, which is no igloo
    lingered = weight.start_s - now.weights[-1].start_s > LINGERED_S
    several = several or (moved and (far < BESIDE * usual or lingered))
    return several and far > DIFFER * noise.upright(1, 1, usual)
