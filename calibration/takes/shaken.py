"""Where in a long recording anything is shaken: in play a shake is cut out of its silence, whatever surrounds it.

The cut of a take (`sensors.ear.shakes.takes.trim`) goes by how loud its loud tenth is. Of a shake of two seconds in the
middle of ten, the loud tenth is its background.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sensors.ear.frames.finder import SILENCE_S, Finder
from sensors.ear.frames.frontend import Array, FrontEnd
from sensors.ear.frames.hits import are_hits
from sensors.ear.frames.levels import Levels, decibels, silent_db
from sensors.ear.shakes.moves import MOVE_SILENCE_S

BESIDE_S = 0.6  # kept on either side, where it is searched for mains hum
# more beside the shakes than this, and more than they are long; takes that were cut to their shake stay as they are
LONG_S = 3.0
QUIETER_DB = 10.0  # the rest, than the shakes


def where_shaken(front: FrontEnd, energy: Array, fine: bool, guided: bool) -> tuple[int, int]:
    """First and one-past-last frame of all shakes in float32[frames, bands]; all frames where there is none, or where
    little lies beside them, or what is not quieter than they are. `fine`, `guided`: as for a `Listener`."""
    wide = energy[:, -1]
    if len(wide) <= LONG_S * front.frame_rate:
        return 0, len(wide)
    levels = Levels(front)

    def hits(*blocks: int) -> bool:
        first, end = (int(block * levels.block_frames) for block in blocks)
        return are_hits(front, energy[first:end])

    finder = Finder(silent_db(front.sensor, fine), MOVE_SILENCE_S if guided else SILENCE_S, hits)
    begun, spans = 0, list[tuple[int, int]]()
    heard = list(levels.push(wide))
    found = [finder.push(level) for level in heard]
    for one in (*found, finder.finish()):
        if one is not None and one.kind == "begin":
            begun = one.block
        elif one is not None and one.kind == "end":
            spans.append((begun, one.block))
    if not spans:
        return 0, len(wide)
    (begin, _), (_, last) = spans[0], spans[-1]
    # a shake as steady as a noise, from end to end, is found in parts alone
    outside = [*heard[:begin], *heard[last:]]
    if not outside or _mean_db(outside) > _mean_db(heard[begin:last]) - QUIETER_DB:
        return 0, len(wide)
    beside = round(BESIDE_S * front.frame_rate)
    first = max(0, int(begin * levels.block_frames) - beside)
    end = min(len(wide), int(last * levels.block_frames) + beside)
    rest = len(wide) - (end - first)
    return (first, end) if rest > max(LONG_S * front.frame_rate, end - first) else (0, len(wide))


def _mean_db(levels: Sequence[float]) -> float:
    return decibels(float(np.mean(10 ** (np.asarray(levels) / 10))))
