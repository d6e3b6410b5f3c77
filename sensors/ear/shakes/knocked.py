"""A knock among the strokes of a shake: somebody strikes the table, or the igloo meets it.

Its energy would outweigh all strokes together, so the shake is counted by what lies beside it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sensors.ear.frames.frontend import Array, Floats
from sensors.ear.shakes.takes import in_blocks, trim

# Louder than the loudest stroke beside it. In simulated shakes and real ones of a matchbox no stroke stood out by more
# than 8 dB, but for one shake in fifty at a contact microphone.
KNOCK_DB = 12.0
BEFORE_S, AFTER_S = 0.03, 0.25  # from its loudest block: its beginning, and its ring
LEAST_S = 0.5  # beside it; with less, all of the sound is that of a knock


@dataclass(frozen=True, slots=True)
class Knocked:
    """First and one-past-last frame of the longer part beside a knock, and of the whole shake."""

    longer: tuple[int, int]
    whole: tuple[int, int]


def beside_knock(wide: Array | Floats, rate: float, first: int = 0) -> Knocked | None:
    """Where they are in `wide` [frames], energy of the wide band at `rate` frames a second, of which `first` is the
    number of the first one; None where no knock is among strokes."""
    blocks, n = in_blocks(wide, rate)
    if len(blocks) * n < LEAST_S * rate:
        return None
    loudest = int(np.argmax(blocks)) * n
    begin, end = max(0, loudest - round(BEFORE_S * rate)), min(len(wide), loudest + round(AFTER_S * rate))
    others = np.concatenate([blocks[: begin // n], blocks[-(-end // n) :]])
    if not len(others) or blocks.max() < 10 ** (KNOCK_DB / 10) * others.max():
        return None
    longer = (0, begin) if begin > len(wide) - end else (end, len(wide))
    if longer[1] - longer[0] < LEAST_S * rate:
        return None
    start, stop = trim(np.concatenate([wide[:begin], wide[end:]]), rate)
    # the knock itself belongs to the shake's time
    start, stop = (frame if frame <= begin else frame + end - begin for frame in (start, stop))
    return Knocked((first + longer[0], first + longer[1]), (first + start, first + stop))
