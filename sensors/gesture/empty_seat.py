"""Is it the empty seat that rings? By the profile's tones, or, where these are unknown, by what can carry no load."""

from __future__ import annotations

from sensors.gesture.weigh import EMPTY_WITHIN, Empty, Pair
from sensors.gesture.whose import SAME

UNLOADED = 0.95, 0.85, 0.93  # of a known empty seat's tones: sideways alone; or sideways and upright


class EmptySeat:
    """`known`: the empty seat's tones by the profile; `other_hz`: its upright tone where that differs from the
    profile's."""

    def __init__(self, known: Empty | None) -> None:
        self.known = known
        self.other_hz: float | None = None  # heard twice
        # an unloaded seat's upright tone that differs from the known one, heard once
        self._strange: float | None = None

    def is_empty(self, pair: Pair, empty: Empty | None) -> bool:
        """`empty`: the seat's last known tones, if any."""
        if self.known is not None:
            return self.known.is_(pair)
        if pair.upright is None or pair.sideways is None or pair.upright.quality < 25:
            return False
        # nothing is known: a gesture begins with the empty seat, and no loaded seat has higher tones
        return empty is None or empty.is_(pair) or _above(pair, empty)

    def denies(self, pair: Pair, empty: Empty | None) -> bool:
        """Does this ring of the empty seat show that what was taken for the `empty` seat carried an igloo?"""
        return self.known is None and empty is not None and _above(pair, empty)

    def was_heard(self) -> None:
        """The known empty seat rang: it is this seat."""
        self._strange = self.other_hz = None

    def note_strange(self, pair: Pair) -> None:
        """An unloaded seat whose tones differ from the known ones: heard twice, it is another seat."""
        if self.known is None or pair.sideways is None or pair.upright is None:
            return
        side, up = pair.sideways.hz / self.known.sideways, pair.upright.hz / self.known.upright
        alone, both, upright = UNLOADED
        if abs(up - 1) < EMPTY_WITHIN or not (side > alone or (side > both and up > upright)):
            return
        if self._strange is not None and abs(pair.upright.hz / self._strange - 1) < SAME:
            self.other_hz = (pair.upright.hz + self._strange) / 2
        self._strange = pair.upright.hz


def _above(pair: Pair, empty: Empty) -> bool:
    return pair.upright is not None and pair.upright.hz > empty.upright * (1 + EMPTY_WITHIN)
