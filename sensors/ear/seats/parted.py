"""What a seat gets back of what it heard, after the seats of a table have compared it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from sensors.ear.seats.loudest import Rises
from sensors.ear.seats.neighbours import Floats


@dataclass(frozen=True, slots=True)
class Parted:
    """A stretch of one seat's source, float64[frames, bands]: without its neighbours and as it is."""

    own: Floats
    plain: Floats
    # what neighbours are reckoned to add, in units of each band's mean; None: not asked, or nobody
    leak: Floats | None
    share: float  # of the hits that are louder here than anywhere else; 1: nobody else was heard


class Clear(NamedTuple):
    """Frames that all seats have reached, as one of them heard them: the wide band, float64[frames], neighbours taken
    off roughly, whose its hits are, and how many seats told of each frame, itself among them: one that stands still is
    not waited for."""

    wide: Floats
    rises: Rises
    seats: Floats
