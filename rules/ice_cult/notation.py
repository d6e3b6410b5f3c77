"""The notation of Ice Cult moves: `tilt n>S`, `use NE 3#2`, `copy SE NE pool`, `turn SW NE cw`, `end`, …"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rules.core.notation import whole

from .cubeset import CUBES, SLOTS

PAIRS = {"n": (0, 1), "s": (3, 2), "w": (0, 3), "e": (1, 2)}  # pair → its two slots, as indices of SLOTS
PAIR_NAMES = {"n": "north", "s": "south", "w": "west", "e": "east"}
SIDE_NAMES = {"N": "north", "E": "east", "S": "south", "W": "west"}
TILTS = tuple(f"{pair}>{side}" for pair in "nswe" for side in ("NS" if pair in "ns" else "EW"))
UNDOING = {tilt: tilt[:2] + {"N": "S", "S": "N", "E": "W", "W": "E"}[tilt[2]] for tilt in TILTS}

_SLOT = "NW|NE|SE|SW"
_SPACE = "[1-9][0-9]?"
_INDEX = "#[1-9][0-9]?"
_FACE = "[UDNESW]"

# verb → its words, for parts of moves (rules.core.notation)
VERBS = {
    "tilt": (("[nswe]", ">[NSEW]"),),
    "use": ((_SLOT, "pool"), (_SLOT, _SPACE, _INDEX)),
    "copy": ((_SLOT, _SLOT, "pool"), (_SLOT, _SLOT, _SPACE, _INDEX)),
    "turn": ((_SLOT, _SLOT, "cw|ccw"),),
    "end": ((),),
    "correct": ((_SLOT, "[ABCD]", _FACE, _FACE),),
    "abandon": ((),),
}
EXAMPLES = {
    "tilt": "tilt n>S (pairs n, s to N or S; w, e to E or W)",
    "use": "use NE pool, use NE 3 or use NE 3#2",
    "copy": "copy SE NE pool, copy SE NE 3 or copy SE NE 3#2 (the circle on SE, the arrow on NE)",
    "turn": "turn SW NE cw or ccw (the arc on SW turns NE)",
    "correct": "correct NW A U N (slot, cube, face up, face north)",
    "end": "end",
    "abandon": "abandon",
}
_WHOLE = {
    verb: re.compile(pattern, re.IGNORECASE | re.ASCII)
    for verb, pattern in {
        "tilt": r"([nswe]) ?> ?([NSEW])",
        "use": rf"({_SLOT}) (pool|{_SPACE})(?: ?#([1-9][0-9]?))?",
        "copy": rf"({_SLOT}) ({_SLOT}) (pool|{_SPACE})(?: ?#([1-9][0-9]?))?",
        "turn": rf"({_SLOT}) ({_SLOT}) (cw|ccw)",
        "end": "",
        "correct": rf"({_SLOT}) ([ABCD]) ({_FACE}) ({_FACE})",
        "abandon": "",
    }.items()
}


class Tilt(NamedTuple):
    how: str  # n>S

    def __str__(self) -> str:
        return f"tilt {self.how}"


class Step(NamedTuple):
    """One step of a pawn by the arrow in slot `arrow`, paid with the ticket of `slot` (a circle's, if `copies`)."""

    slot: int
    arrow: int
    space: int  # 0: the pool
    nth: int  # counted from the bottom, from 1; 0: the topmost of the arrow's colour
    copies: bool

    def __str__(self) -> str:
        verb = f"copy {SLOTS[self.slot]}" if self.copies else "use"
        return f"{verb} {SLOTS[self.arrow]} {self.space or 'pool'}{f'#{self.nth}' if self.nth else ''}"


class Turn(NamedTuple):
    slot: int
    target: int
    sense: str  # cw, ccw

    def __str__(self) -> str:
        return f"turn {SLOTS[self.slot]} {SLOTS[self.target]} {self.sense}"


class Correct(NamedTuple):
    slot: int
    cube: int
    up: str
    north: str

    def __str__(self) -> str:
        return f"correct {SLOTS[self.slot]} {CUBES[self.cube]} {self.up} {self.north}"


class Word(NamedTuple):
    """`end` or `abandon`."""

    word: str

    def __str__(self) -> str:
        return self.word


Move = Tilt | Step | Turn | Correct | Word


@lru_cache(maxsize=8192)
def parse(text: str) -> Move | None:
    """A whole move, in upper or lower case and with any spaces; None if it is not one."""
    read = whole(text, _WHOLE)
    if read is None:
        return None
    verb, found = read
    part = found.groups()
    if verb == "tilt":
        return Tilt(f"{part[0].lower()}>{part[1].upper()}")
    if verb == "turn":
        return Turn(_slot(part[0]), _slot(part[1]), part[2].lower())
    if verb == "correct":
        return Correct(_slot(part[0]), CUBES.index(part[1].upper()), part[2].upper(), part[3].upper())
    if verb not in ("use", "copy"):
        return Word(verb)
    source, index = part[-2], part[-1]
    if source.lower() == "pool" and index:
        return None
    space = 0 if source.lower() == "pool" else int(source)
    return Step(_slot(part[0]), _slot(part[-3]), space, int(index) if index else 0, verb == "copy")


def _slot(text: str) -> int:
    return SLOTS.index(text.upper())
