"""When an igloo is really shaken, by the hand's own motion: lifting it and putting it down do not count.

Beads rattle when an igloo is lifted, and the table strikes it when it is put down. Both are as loud as a shake, but the
hand moves at a fraction of the acceleration.
"""

from __future__ import annotations

import numpy as np
import scipy  # its parts are loaded when they are first asked

from sensors.ear.frames.frontend import HAND_RATE, Frames, FrontEnd

OVER_S = 0.3  # s, a little more than a stroke; a blow of the table lasts a tenth of that
PART = 0.5  # of the hand's motion while shaking; a hesitation within the shake is left in
LOUDLY = 0.7  # quantile that measures the hand's motion while shaking
BEFORE_S = 0.05
AFTER_S = 0.12  # beads come to rest later than the hand


def while_shaken(front: FrontEnd, frames: Frames, first: int, end: int) -> tuple[int, int]:
    """The part of the energy's frames `first` … `end` in which the hand shakes."""
    hand, ahead = frames.moved(front, first, end)
    if len(hand) < round(OVER_S * HAND_RATE):
        return first, end
    size = np.sqrt(np.square(hand.astype(np.float64)).sum(axis=1))
    # however hard the table's blow, it must not count as a stroke
    size = np.minimum(size, np.quantile(size, LOUDLY))
    moved = scipy.ndimage.uniform_filter1d(size, round(OVER_S * HAND_RATE))
    shaken = np.flatnonzero(moved >= PART * np.quantile(moved, LOUDLY))
    scale = front.frame_rate / HAND_RATE
    begin = first + round((shaken[0] - ahead) * scale - BEFORE_S * front.frame_rate)
    until = first + round((shaken[-1] + 1 - ahead) * scale + AFTER_S * front.frame_rate)
    return max(first, begin), min(end, until)
