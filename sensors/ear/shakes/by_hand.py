"""When an igloo is really shaken, felt by the hand's own motion: lifting it and putting it down are no part of that.

Beads rattle in an igloo that is taken up, and the table strikes it when it is put down. Both are as loud as a shake;
but the hand moves at a fraction of the acceleration.
"""

from __future__ import annotations

import numpy as np
import scipy  # its parts are loaded when they are first asked

from sensors.ear.frames.frontend import HAND_RATE, Frames, FrontEnd

OVER_S = 0.3  # a stroke and more; a blow of the table is over in a tenth of that
PART = 0.5  # of how much the hand moves in the shake; a hesitation within it is left in
LOUDLY = 0.7  # quantile: how much it moves in the shake
BEFORE_S = 0.05
AFTER_S = 0.12  # beads come to rest later than the hand


def while_shaken(front: FrontEnd, frames: Frames, first: int, end: int) -> tuple[int, int]:
    """Of the energy's frames `first` … `end` those from where the hand shakes on to where it ends."""
    hand, ahead = frames.moved(front, first, end)
    if len(hand) < round(OVER_S * HAND_RATE):
        return first, end
    size = np.sqrt(np.square(hand.astype(np.float64)).sum(axis=1))
    size = np.minimum(size, np.quantile(size, LOUDLY))  # the table's blow is no stroke, however hard
    moved = scipy.ndimage.uniform_filter1d(size, round(OVER_S * HAND_RATE))
    shaken = np.flatnonzero(moved >= PART * np.quantile(moved, LOUDLY))
    scale = front.frame_rate / HAND_RATE
    begin = first + round((shaken[0] - ahead) * scale - BEFORE_S * front.frame_rate)
    until = first + round((shaken[-1] + 1 - ahead) * scale + AFTER_S * front.frame_rate)
    return max(first, begin), min(end, until)
