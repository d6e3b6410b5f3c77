"""The probabilities of a cube's heading, in quarter turns off the tracked one, after the heading was lost.

Gravity shows at every rest which face looks up; nothing shows where north is. So a lost heading stays lost through all
later rests, until a person says how the cube lies, or until a tilt with a neighbour shows the axis about which it
turned.
"""

from __future__ import annotations

import math

# of an error of no, one, two, three quarter turns, counter-clockwise from above
Odds = tuple[float, float, float, float]

KNOWN: Odds = (1.0, 0.0, 0.0, 0.0)
BELIEVED = 0.9  # from here on a heading counts as known, though it may still turn out wrong
_NO_DOUBT = 0.97
_LEAST = 0.01  # added to each likelihood after a silence: anything may have happened
SPREAD_DEG = 8.0  # standard deviation of a resting cube's residual
# standard deviation of the heading of a moving cube grows by this per second of silence beyond `_BRIEF_S`
_PER_S = 60.0
_MOST_DEG = 150.0  # nothing is known any more
_BRIEF_S = 0.3
_STARTS_S = 0.15  # a cube that lies still after a silence does so from the first moments on


class HeadingDoubt:
    """Keeps `odds`, given silences and rests."""

    def __init__(self) -> None:
        self.odds = KNOWN
        self._silent_s: float | None = None
        self._again = 0.0  # when samples came again
        self._moved = False

    def silence(self, since: float, until: float, moved: bool) -> None:
        """Nothing was heard. `moved`: the cube was moving before, or its board restarted, which happens in a hand."""
        self._silent_s = (self._silent_s or 0.0) + max(0.0, until - since)
        self._moved, self._again = self._moved or moved, until

    def bridged(self) -> None:
        """The node reported what happened meanwhile."""
        self._silent_s, self._moved = None, False

    def rest(self, since: float, residual_deg: float, doubt_deg: float, same_side: bool) -> bool:
        """The cube has been at rest since `since`, `residual_deg` counter-clockwise off the turn that it is taken for.

        `doubt_deg`: the possible heading error from what was missed. True where the heading became doubtful just now.
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
        """The tracked heading was corrected by so many quarter turns."""
        a, b, c, d = (self.odds[(i + quarters) % 4] for i in range(4))
        self.odds = KNOWN if known else (a, b, c, d)

    def _lay_still(self, since: float, same_side: bool) -> bool:
        """Whether it lay still at both ends of the silence, so that nobody moved it. Radios fail often: that makes no
        doubt."""
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
