"""Whether a sound as steady as a noise is a shake all the same: of many beads, in an even hand."""

from __future__ import annotations

import math

from sensors.ear.frames.frontend import Frames, FrontEnd
from sensors.ear.frames.hits import are_hits
from sensors.ear.shakes.features import motion_of

# Wide around what every part of a simulated shake has, whoever shakes; a machine shakes an igloo by far less, or faster
# (test_steady.py). `verdicts.felt` asks more, about the whole of a shake and by its profile.
LEAST_G = 0.3
SLOWEST_HZ, FASTEST_HZ = 1.5, 10.0


def shaken_evenly(front: FrontEnd, frames: Frames) -> bool:
    """Whether these frames, of a level that is steady, are of a shake: where the hand is felt, it goes to and fro;
    elsewhere they are of hits."""
    if not front.hand:
        return are_hits(front, frames.energy)
    motion = motion_of(frames.hand)
    to_and_fro = SLOWEST_HZ <= math.exp(motion["hand.pitch"]) <= FASTEST_HZ
    return to_and_fro and math.exp(motion["hand.rms"]) >= LEAST_G
