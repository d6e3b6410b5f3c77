"""Samples that were lost on the way: filled in from both sides, as long as the two sides can speak for them."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.packets import Vector


def filled(last: Vector, samples: Sequence[Vector], missing: int) -> list[Vector]:
    """`missing` vectors on the straight line between `last` and the first of `samples`, then these."""
    first = samples[0]
    shares = [(i + 1) / (missing + 1) for i in range(missing)]
    return [*(_between(last, first, share) for share in shares), *samples]


def _between(a: Vector, b: Vector, share: float) -> Vector:
    return (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2]))
