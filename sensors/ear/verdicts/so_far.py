"""Whether what is heard of a shake that goes on would be taken for one, if it ended now.

A knock on the table is no shake. This is known half a second later, by its verdict; until then partial answers were
given for it, of two beads, more and more surely.
"""

from __future__ import annotations

from collections.abc import Callable

from sensors.ear.frames.last_frames import Stretch
from sensors.ear.profiles.heads import Head
from sensors.ear.shakes.shake import shake_of
from sensors.ear.verdicts.no_shake import no_shake

LATEST_S = 3.0  # of a noise that goes on and on, only this much is judged: bounds the cost


class SoFar:
    """`begin` a shake, and ask on until it is `alike`: from then on it is one, until the next begins."""

    def __init__(self, head: Head) -> None:
        self._head = head
        self.known = False  # that it is a shake

    def begin(self) -> None:
        """Something begins, and nothing is known of it."""
        self.known = False

    def alike(self, heard: Callable[[], Stretch], floor_db: float) -> bool:
        """Is it a shake? `heard`: all of it so far, or the latest `LATEST_S`; it is only asked for where that is not
        known."""
        if not self.known:
            stretch, front = heard(), self._head.front
            shake = shake_of(front, stretch.frames, quick=front.hand, beads=False)
            above_db = stretch.above_db(floor_db)
            self.known = shake is not None and no_shake(self._head, shake, above_db, stretch.clipped) is None
        return self.known
