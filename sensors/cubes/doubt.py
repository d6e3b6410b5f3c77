"""Where a heading was lost: how likely a cube lies so many quarter turns otherwise than it is followed.

Gravity tells at every rest which face looks up, and nothing tells where north is. Once it was lost it stays so, through
all later rests, until a person says how the cube lies, or a tilt with a neighbour shows about which axis it turned.
"""

from __future__ import annotations

import math

Odds = tuple[float, float, float, float]  # of no, one, two, three quarter turns, counter-clockwise from above

KNOWN: Odds = (1.0, 0.0, 0.0, 0.0)
BELIEVED = 0.9  # from here on a heading counts as known, though it may turn out otherwise
_NO_DOUBT = 0.97
_LEAST = 0.01  # of each way, where nothing was heard: who knows
SPREAD_DEG = 8.0  # how far from its true turn a resting cube looks, one standard deviation
# degrees a second of silence beyond the first moment in which a cube that moved may turn otherwise
_PER_S = 60.0
_MOST_DEG = 150.0  # nothing is known
_BRIEF_S = 0.3
_STARTS_S = 0.15  # a cube that lies still when it is heard again does so within this time


class HeadingDoubt:
    """Told of silences and rests, it keeps `odds`."""

    def __init__(self) -> None:
        self.odds = KNOWN
        self._silent_s: float | None = None
        self._again = 0.0  # when it was heard again
        self._moved = False

    def silence(self, since: float, until: float, moved: bool) -> None:
        """Nothing was heard; `moved` where it was moving before, or began anew, which a board does in a hand."""
        self._silent_s = (self._silent_s or 0.0) + max(0.0, until - since)
        self._moved, self._again = self._moved or moved, until

    def bridged(self) -> None:
        """The node said what happened meanwhile."""
        self._silent_s, self._moved = None, False

    def rest(self, since: float, residual_deg: float, doubt_deg: float, same_side: bool) -> bool:
        """It rests since `since`, looking `residual_deg` counter-clockwise off the turn it is taken for.

        `doubt_deg` is what may have been missed of the heading. True where the heading became doubtful just now.
        """
        if self._lay_still(since, same_side):
            self.bridged()
            return False
        spread = self._spread(doubt_deg)
        fresh = _odds(residual_deg, spread, 0.0 if self._silent_s is None else _LEAST)
        self.bridged()
        if fresh[0] > _NO_DOUBT:
            return False
        self.odds = _both(self.odds, fresh)
        return True

    def reorient(self, quarters: int, known: bool) -> None:
        """The cube is followed otherwise from now on, by so many quarter turns."""
        a, b, c, d = (self.odds[(i + quarters) % 4] for i in range(4))
        self.odds = KNOWN if known else (a, b, c, d)

    def _lay_still(self, since: float, same_side: bool) -> bool:
        """At both ends of the silence: it was not moved. However often that happens, it makes no doubt: radios do."""
        silent, at_once = self._silent_s is not None, since < self._again + _STARTS_S
        return silent and not self._moved and same_side and at_once

    def _spread(self, doubt_deg: float) -> float:
        if self._silent_s is None:
            return math.hypot(SPREAD_DEG, doubt_deg) if doubt_deg > 0 else 0.0
        return min(_MOST_DEG, max(45.0, doubt_deg) + _PER_S * max(0.0, self._silent_s - _BRIEF_S))


def _odds(residual_deg: float, spread_deg: float, least: float) -> Odds:
    if spread_deg == 0.0:
        return KNOWN
    off = [(residual_deg - 90.0 * k + 180.0) % 360.0 - 180.0 for k in range(4)]
    shares = [math.exp(-0.5 * (d / spread_deg) ** 2) + least for d in off]
    a, b, c, d = (share / sum(shares) for share in shares)
    return (a, b, c, d)


def _both(one: Odds, other: Odds) -> Odds:
    a, b, c, d = (sum(one[j] * other[(k - j) % 4] for j in range(4)) for k in range(4))
    return (a, b, c, d)
