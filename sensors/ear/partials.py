"""When a partial answer is due while a shake goes on, and what it looks at."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sensors.ear.frames.last_frames import Stretch
from sensors.ear.glances import Glance, Glances
from sensors.ear.profiles.profile import Head
from sensors.ear.verdicts.so_far import LATEST_S, SoFar

FROM_S = 0.5  # of a shake, before the first partial answer
OVER_S = 0.8  # the latest stretch that one looks at: bounds its cost


class Partials:
    """`begin` with each shake; then `look` whenever one is `due`. Times are counts of samples, stretches of frames."""

    def __init__(self, heads: Sequence[Head], guided: bool, rate: float, every: int) -> None:
        """`rate`: of the source, Hz; `every`: samples from one to the next; `guided`: gestures, not shakes."""
        self._front = heads[0].front
        self._guided = guided
        self._glances, self._so_far = Glances(heads, guided), SoFar(heads[0])
        self._first, self._every = round(FROM_S * rate), every
        self._next = 0
        self._glanced = 0  # the first frame after what was looked at last

    def begin(self, now: int) -> None:
        """A shake has begun."""
        self._next = now + self._first
        self._glances.begin()
        self._so_far.begin()

    def due(self, now: int) -> bool:
        """Whether to look now."""
        if now < self._next:
            return False
        # counted in samples: steps are rounded to whole samples, and a time would fall just after the last step
        self._next = now + self._every
        return True

    def look(
        self,
        begun: int,
        end: int,
        stretch: Callable[[int, int], Stretch],
        ours: Callable[[Stretch], bool],
        floor_db: float,
    ) -> Glance | None:
        """What is known of the shake of frames `begun` … `end`, by its latest `stretch`. None where nothing new came,
        where it is not `ours`, or where what was heard so far would be taken for no shake."""
        at = self._front.frame_rate
        first = max(begun, end - round(OVER_S * at))
        if end <= max(first, self._glanced):
            return None
        self._glanced = end
        latest = stretch(first, end)
        if not ours(latest):
            return None
        if self._guided or self._so_far.known:
            return self._glances.look(latest.frames)
        if not self._glances.keep(latest.frames):
            return None
        first = max(begun, end - round(LATEST_S * at))
        known = self._so_far.alike(lambda: stretch(first, end), floor_db)
        return self._glances.look_at_kept() if known else None
