"""Samples that were lost on the way: interpolated from both sides while the gap is short enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware_bridge.packets import Vector
from sensors.cubes import quats
from sensors.cubes.quats import Quat

BRIDGED_S = 0.3  # s, the longest gap that is interpolated
BRIDGE_S = 0.5  # a node sends its own pose ten times a second


def filled(last: Vector, samples: Sequence[Vector], missing: int) -> list[Vector]:
    """`missing` vectors interpolated linearly between `last` and the first of `samples`, followed by `samples`."""
    first = samples[0]
    shares = [(i + 1) / (missing + 1) for i in range(missing)]
    return [*(_between(last, first, share) for share in shares), *samples]


def _between(a: Vector, b: Vector, share: float) -> Vector:
    return (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2]))


@dataclass(slots=True)
class Blind:
    """What a long gap hid, and how to recover it from the node's own pose: a node integrates without gaps."""

    before: Quat | None = None  # our orientation when the gap began; None: no gap is open
    turn: float = 0.0  # the heading that belongs to it
    since: float = 0.0  # when the gap ended
    _said: tuple[Quat, Quat] | None = None  # the node's own orientation, and ours at that moment

    def begin(self, q: Quat | None, turn: float, now: float) -> None:
        """Nothing was heard up to `now`; `q` is the last known orientation."""
        self.since = now
        if self.before is None:
            self.before, self.turn = q, turn

    def waits(self, t: float) -> bool:
        """Whether the node is about to report its pose."""
        return self.before is not None and self._said is not None and t - self.since < BRIDGE_S

    def expected(self, said: Quat) -> tuple[Quat, Quat] | None:
        """From the node's pose now: our orientation in the frame of before the gap, and our orientation when the gap
        began."""
        if self.before is None or self._said is None:
            return None
        theirs, ours = self._said
        self.before = None
        return quats.multiply(ours, quats.multiply(quats.conjugate(theirs), said)), ours

    def note(self, said: Quat, q: Quat) -> None:
        """Remember the node's own pose while we track it ourselves, too."""
        if self.before is None:
            self._said = (said, q)

    def forget(self) -> None:
        """The node restarted: its earlier and its present poses have different frames."""
        self._said = None

    def now(self, said: Quat) -> Quat | None:
        """Our orientation by the node's pose alone, while nothing else is heard; None: it cannot be told."""
        if self.before is not None or self._said is None:
            return None
        theirs, ours = self._said
        return quats.multiply(ours, quats.multiply(quats.conjugate(theirs), said))
