"""Finds the moves that explain what several cubes did: the shortest fitting sequence of tilts and turns.

A tilt takes two neighbours, a turn one cube (the geometry of Ice Cult; whether a move is allowed is for the referee).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from sensors.cubes import turns
from sensors.cubes.quats import Vec, rotation_vector


@dataclass(frozen=True, slots=True)
class Act:
    """A tilt of a pair (`what` n, s, w, e) or a turn of a slot towards `to`."""

    what: str
    to: str

    @property
    def slots(self) -> tuple[str, ...]:
        return turns.PAIRS.get(self.what, (self.what,))

    @property
    def turn(self) -> int:
        return turns.TILT[self.to] if self.what in turns.PAIRS else turns.TURN[self.to]


ACTS = tuple(
    [Act(pair, side) for pair in turns.PAIRS for side in turns.SIDES[pair]]
    + [Act(slot, to) for slot in turns.SLOTS for to in turns.TURN]
)
_VECTORS: dict[int, Vec] = {
    t: rotation_vector(turns.QUATS[t]) for t in (*turns.TILT.values(), *turns.TURN.values())
}


@lru_cache(maxsize=4096)
def _fitting(net: frozenset[tuple[str, int]], length: int) -> tuple[tuple[Act, ...], ...]:
    """All sequences of `length` acts that give each slot of `net` exactly this net turn, and no other slot any."""
    wanted = dict(net)
    acts = [a for a in ACTS if all(s in wanted for s in a.slots)]
    return tuple(seq for seq in itertools.product(acts, repeat=length) if _result(seq) == wanted)


def _result(sequence: tuple[Act, ...]) -> dict[str, int]:
    out: dict[str, int] = {}
    for act in sequence:
        for slot in act.slots:
            out[slot] = turns.compose((out.get(slot, turns.IDENTITY), act.turn))
    return out


def explain(net: Mapping[str, int], paths: Mapping[str, Vec], longest: int = 2) -> tuple[Act, ...] | None:
    """The shortest sequence of acts with these net turns, or None; among equally short ones, the one most like the
    paths.

    `net`: turns of the table's frame by slot. `paths`: rotation vectors summed up on the way, radians.
    """
    key = frozenset(net.items())
    for length in range(1, longest + 1):
        fitting = _fitting(key, length)
        if fitting:
            return min(fitting, key=lambda seq: (round(unlike(seq, paths), 1), _mixed(seq)))
    return None


def unlike(sequence: tuple[Act, ...], paths: Mapping[str, Vec]) -> float:
    """The distance between the observed paths (summed rotation vectors) and those that the sequence would have
    produced."""
    total = 0.0
    for slot, path in paths.items():
        x, y, z = path
        for act in sequence:
            if slot in act.slots:
                dx, dy, dz = _VECTORS[act.turn]
                x, y, z = x - dx, y - dy, z - dz
        total += math.sqrt(x * x + y * y + z * z)
    return total


def _mixed(sequence: tuple[Act, ...]) -> int:
    """Sort key that puts tilts before turns, as in a turn of the game; the reverse order comes second."""
    return sum(i for i, act in enumerate(sequence) if act.what in turns.PAIRS)


def subsets(slots: list[str]) -> Iterator[tuple[str, ...]]:
    """All subsets, the largest first."""
    for size in range(len(slots), 0, -1):
        yield from itertools.combinations(slots, size)
