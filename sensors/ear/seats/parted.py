"""What a seat gets back of its own sound, after the seats of a table have compared it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from sensors.ear.seats.loudest import Rises
from sensors.ear.seats.neighbours import Floats


@dataclass(frozen=True, slots=True)
class Parted:
    """A stretch of one seat's source, float64[frames, bands]: without its neighbours, and as it is."""

    own: Floats
    plain: Floats
    # estimated leak of neighbours, in units of each band's mean; None: not computed, or nobody else
    leak: Floats | None
    share: float  # of the hits that are loudest here; 1: nobody else was heard


class Clear(NamedTuple):
    """Frames that all seats have reached, as one of them heard them: the wide band, float64[frames], with neighbours
    roughly subtracted; whose its hits are; and how many seats delivered each frame, including itself: a seat that has
    stopped is not waited for."""

    wide: Floats
    rises: Rises
    seats: Floats
