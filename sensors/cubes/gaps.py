"""Samples that were lost on the way: filled in from both sides, as long as the two sides can speak for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware_bridge.packets import Vector
from sensors.cubes import quats
from sensors.cubes.quats import Quat

BRIDGED_S = 0.3  # a gap that the samples on its two sides can speak for
BRIDGE_S = 0.5  # a node says its own pose ten times a second


def filled(last: Vector, samples: Sequence[Vector], missing: int) -> list[Vector]:
    """`missing` vectors on the straight line between `last` and the first of `samples`, then these."""
    first = samples[0]
    shares = [(i + 1) / (missing + 1) for i in range(missing)]
    return [*(_between(last, first, share) for share in shares), *samples]


def _between(a: Vector, b: Vector, share: float) -> Vector:
    return (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2]))


@dataclass(slots=True)
class Blind:
    """What a long gap hid, and the node's own word on it: a node integrates by itself, whatever is lost on the way."""

    before: Quat | None = None  # our orientation when the gap began; None: nothing is hidden
    turn: float = 0.0  # the heading's turn that belongs to it
    since: float = 0.0  # when the gap ended
    _said: tuple[Quat, Quat] | None = None  # the node's own orientation, and ours at that moment

    def begin(self, q: Quat | None, turn: float, now: float) -> None:
        """Nothing was heard up to `now`; `q` is what we knew last."""
        self.since = now
        if self.before is None:
            self.before, self.turn = q, turn

    def waits(self, t: float) -> bool:
        """Whether the node is about to say what happened."""
        return self.before is not None and self._said is not None and t - self.since < BRIDGE_S

    def expected(self, said: Quat) -> tuple[Quat, Quat] | None:
        """From what the node says now: how we should lie, in our frame of before the gap, and how we lay then."""
        if self.before is None or self._said is None:
            return None
        theirs, ours = self._said
        self.before = None
        return quats.multiply(ours, quats.multiply(quats.conjugate(theirs), said)), ours

    def note(self, said: Quat, q: Quat) -> None:
        """What the node says of itself while we see it, too."""
        if self.before is None:
            self._said = (said, q)

    def forget(self) -> None:
        """The node began anew: what it said before and what it says now are two stories."""
        self._said = None

    def now(self, said: Quat) -> Quat | None:
        """By the node's word alone, how we lie in our frame while nothing else is heard; None: it cannot be told."""
        if self.before is not None or self._said is None:
            return None
        theirs, ours = self._said
        return quats.multiply(ours, quats.multiply(quats.conjugate(theirs), said))
