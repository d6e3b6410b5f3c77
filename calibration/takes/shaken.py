"""Where in a long recording anything is shaken: in play a shake is cut out of its silence, whatever surrounds it.

The cut of a take (`sensors.ear.shakes.takes.trim`) goes by how loud its loud tenth is. Of a shake of two seconds in the
middle of ten, the loud tenth is its background.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sensors.ear.frames.finder import BEFORE_S
from sensors.ear.frames.frontend import Frames, FrontEnd
from sensors.ear.frames.levels import Levels, decibels
from sensors.ear.shakes.finding import finder_for
from sensors.ear.shakes.knocked import beside_knock
from sensors.ear.shakes.steady import shaken_evenly
from sensors.ear.shakes.takes import lead_s, loud_part

BESIDE_S = 0.6  # kept on either side, where it is searched for mains hum
# more beside the shakes than this, and more than they are long; takes that were cut to their shake stay as they are
LONG_S = 3.0
QUIETER_DB = 10.0  # the rest, than the shakes


@dataclass(frozen=True, slots=True)
class Cut:
    """A shake as the ear in play cuts it out of a recording, and how far above its background."""

    start_s: float
    end_s: float
    snr_db: float


@dataclass(frozen=True, slots=True)
class _Span:
    """First and one-past-last block of what the finder takes for a shake."""

    begin: int
    end: int
    floor_db: float


def where_shaken(front: FrontEnd, frames: Frames, fine: bool, guided: bool) -> tuple[int, int]:
    """First and one-past-last frame of all shakes in a recording; all frames where there is none, or where
    little lies beside them, or what is not quieter than they are. `fine`, `guided`: as for a `Listener`."""
    many = len(frames.energy)
    if many <= LONG_S * front.frame_rate:
        return 0, many
    block_frames, heard, spans = _found(front, frames, fine, guided)
    if not spans:
        return 0, many
    begin, last = spans[0].begin, spans[-1].end
    # a shake as steady as a noise, from end to end, is found in parts alone
    outside = [*heard[:begin], *heard[last:]]
    if not outside or _mean_db(outside) > _mean_db(heard[begin:last]) - QUIETER_DB:
        return 0, many
    beside = round(BESIDE_S * front.frame_rate)
    first = max(0, int(begin * block_frames) - beside)
    end = min(many, int(last * block_frames) + beside)
    rest = many - (end - first)
    return (first, end) if rest > max(LONG_S * front.frame_rate, end - first) else (0, many)


def cuts_in_play(front: FrontEnd, frames: Frames, fine: bool) -> tuple[Cut, ...]:
    """The shakes that a `Listener` cuts out of a recording's frames, except those of which it counts only the part
    beside a knock. `fine`: as for it."""
    at, wide = front.frame_rate, frames.energy[:, -1]
    before = round((BEFORE_S + lead_s(front)) * at)
    block_frames, _, spans = _found(front, frames, fine, guided=False)
    out, ended = list[Cut](), 0
    for span in spans:
        first = max(ended, int(span.begin * block_frames) - before)
        ended = min(int(span.end * block_frames), len(wide))
        if beside_knock(wide[first:ended], at) is not None:
            continue
        begin, end = loud_part(front, frames.cut(front, first, ended))
        snr = decibels(float(wide[first:ended].mean())) - span.floor_db if ended > first else 0.0
        out.append(Cut((first + begin) / at, (first + end) / at, min(max(snr, 0.0), 99.0)))
    return tuple(out)


def _found(
    front: FrontEnd, frames: Frames, fine: bool, guided: bool
) -> tuple[float, Sequence[float], list[_Span]]:
    """Frames to a block, the level of each block, and the shakes that are found in them."""
    levels = Levels(front)

    def hits(*blocks: int) -> bool:
        first, end = (int(block * levels.block_frames) for block in blocks)
        return shaken_evenly(front, frames.cut(front, first, end))

    finder = finder_for(front.sensor, hits, guided=guided, fine=fine)
    begun, spans = 0, list[_Span]()
    heard = list(levels.push(frames.energy[:, -1]))
    found = [finder.push(level) for level in heard]
    for one in (*found, finder.finish()):
        if one is not None and one.kind == "begin":
            begun = one.block
        elif one is not None and one.kind == "end":
            spans.append(_Span(begun, one.block, one.floor_db))
    return levels.block_frames, heard, spans


def _mean_db(levels: Sequence[float]) -> float:
    return decibels(float(np.mean(10 ** (np.asarray(levels) / 10))))
