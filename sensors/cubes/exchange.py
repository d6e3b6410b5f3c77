"""Recognises two cubes that changed places, by how far each was carried from rest to rest.

Double-integrated acceleration is good to about a centimetre over a second and a half (benchmarks: simulated). One
cube's displacement proves nothing; two at the same time, each to where the other cube lay, do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from sensors.cubes import turns
from sensors.cubes.rest import Rest
from sensors.evidence import Odd

_PLACES = {"NW": (-1, 1), "NE": (1, 1), "SE": (1, -1), "SW": (-1, -1)}
_LEAST_M, _MOST_M = 0.028, 0.11  # from slot to slot, for cubes of 35 to 75 mm
# m, the least displacement of each towards the other slot; one alone may be off by two centimetres
_EACH_M = 0.012
_ALONG = 0.85  # cosine between the displacement and the direction of the other slot
_UPRIGHT = {turns.IDENTITY, *turns.TURN.values(), turns.compose((turns.TURN["cw"],) * 2)}


@dataclass(slots=True)
class ExchangeWatch:
    """Keeps the last displacement of each cube that was carried upright."""

    _ways: dict[str, Rest] = field(default_factory=dict)

    def rest(self, slot: str, rest: Rest) -> list[Odd]:
        """Take a rest; returns two `Odd` where it completes an exchange."""
        self._ways.pop(slot, None)
        if rest.moved_m is None or turns.difference(rest.before, rest.after) not in _UPRIGHT:
            return []
        self._ways[slot] = rest
        for other, theirs in self._ways.items():
            if other == slot or max(rest.since, theirs.since) > min(rest.t, theirs.t):
                continue  # they were not in the air at the same time
            if _crossed(slot, other, rest, theirs):
                del self._ways[slot], self._ways[other]
                return [Odd(rest.t, s, words(slot, other)) for s in (slot, other)]
        return []


def _crossed(slot: str, other: str, rest: Rest, theirs: Rest) -> bool:
    """Whether both went towards the other's place, and half the difference of their displacements spans the slots."""
    assert rest.moved_m is not None
    assert theirs.moved_m is not None
    dx, dy = _PLACES[other][0] - _PLACES[slot][0], _PLACES[other][1] - _PLACES[slot][1]
    apart = math.hypot(dx, dy)
    steps = apart / 2  # 1 for neighbours, √2 for diagonal slots
    ours, yours = (((x * dx + y * dy) / apart) for x, y in (rest.moved_m, theirs.moved_m))
    if ours < _EACH_M * steps or -yours < _EACH_M * steps:
        return False
    x, y = ((a - b) / 2 for a, b in zip(rest.moved_m, theirs.moved_m, strict=True))
    way = math.hypot(x, y)
    return _LEAST_M * steps < way < _MOST_M * steps and (x * dx + y * dy) / (way * apart) > _ALONG


def words(slot: str, other: str) -> str:
    """The sentence for both of them, so that it need not be told twice."""
    one, two = sorted((slot, other), key=turns.SLOTS.index)
    return (
        f"the cubes of {one} and {two} look exchanged: each was carried to where the other lay; "
        "put them back, or say which cube lies where"
    )
