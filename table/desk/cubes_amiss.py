"""Cubes that lie differently from the game's position, and the sentence that says how to put them back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rules.ice_cult.turns import AFTER, LIES, NUMBER
from sensors.cubes.turns import PAIRS, SIDES
from sensors.evidence import CubeEvidence, Odd


@dataclass(frozen=True, slots=True)
class Difference:
    """A slot, and which faces look up and north: as the cube lies, and as the position says."""

    slot: str
    cube: str
    lies: tuple[str, str]
    should: tuple[str, str]


def each_once(batch: Iterable[CubeEvidence]) -> Iterator[CubeEvidence]:
    """The evidence without sentences that were there before: of two cubes, one says what happened."""
    said: set[str] = set()
    for evidence in batch:
        if isinstance(evidence, Odd):
            if evidence.text in said:
                continue
            said.add(evidence.text)
        yield evidence


def put_back(different: Sequence[Difference], tops: Mapping[str, str]) -> str:
    """How people have to move the cubes so that they lie as the position says. `tops`: slot → what shows there."""
    amiss = {d.slot: d for d in different}
    for pair, slots in PAIRS.items():
        for to in SIDES[pair]:
            if set(slots) == set(amiss) and all(_leads(amiss[slot], to) for slot in slots):
                return f"Put it back: tilt the {pair_name(pair)} pair to the {side(to)}."
    parts = []
    for slot, d in amiss.items():
        how = next((how for how in AFTER if _leads(d, how)), None)
        if how in ("cw", "ccw"):
            parts.append(f"turn {slot} {sense(how)}")
        elif how is not None:
            parts.append(f"tilt {slot} to the {side(how)}")
        else:
            parts.append(
                f"lay {slot} so that it shows {tops[slot]}, with its face {d.should[1]} to the north"
            )
    return f"Put it back: {'; '.join(parts)}."


def _leads(d: Difference, how: str) -> bool:
    return LIES[AFTER[how][NUMBER[d.lies]]] == d.should


def side(letter: str) -> str:
    return {"N": "north", "E": "east", "S": "south", "W": "west"}[letter]


def pair_name(letter: str) -> str:
    return {"n": "northern", "e": "eastern", "s": "southern", "w": "western"}[letter]


def sense(to: str) -> str:
    return "clockwise" if to == "cw" else "counter-clockwise"
