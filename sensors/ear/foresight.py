"""A verdict that is begun while its silence is still waited for: most of its work is then done when the shake ends."""

from __future__ import annotations

import math

from sensors.ear.frames.frontend import Frames
from sensors.ear.profiles.profile import Head
from sensors.ear.shakes.shake import shake_of, with_beads
from sensors.ear.verdicts.no_shake import no_shake

LEFT_S = (
    0.25  # so much of the silence is left then: between two strokes it is seldom quiet for the other half
)


class Foresight:
    """Of one stream that `head` judges. An accelerometer alone needs it: beads are imagined for it. Whatever follows
    changes no verdict: if the shake goes on, the work was in vain."""

    def __init__(self, head: Head, guided: bool) -> None:
        self._head = head
        self._needed = head.front.hand and not guided
        self._looked = False  # in this quiet

    def due(self, ends_in_s: float) -> bool:
        """Whether to look now, once in each quiet that ends the shake if it goes on for `ends_in_s` (infinite where
        there is no shake)."""
        before, self._looked = self._looked, ends_in_s <= LEFT_S
        return self._needed and self._looked and not before

    def look(self, frames: Frames) -> None:
        """Begin with the verdict on `frames`, from the beginning of the shake until now: imagine its beads, unless it
        is no shake. If nothing follows, the same shake is cut out of its frames, and `with_beads` has them at hand."""
        shake = shake_of(self._head.front, frames, known=self._head.floor, beads=False)
        # however far above its background: how loud that is is known only at the end
        if shake is not None and no_shake(self._head, shake, math.inf, clipped=False) is None:
            with_beads(shake, soon=True)
