"""The notation of moves: text to `Move` and back (docs/contracts.md, igloo). Only grammar; no rules.

`place red L @ 40,5`                       the south-west corner of the new piece, in the unit of the widths
`place red L E of #7 gap 8 off 5`          measured from piece 7: the new one lies on its east side, the facing sides
                                           8 apart, and its south end is 5 further north than that of piece 7. For N and
                                           S `off` runs eastwards, from west end to west end. `off` may be negative, and
                                           the place that results is the same as with `@`.
`place red L ~ #7,#9`                      told: connected to exactly these pieces (D-84); `~` alone for a first piece

The colour may be left out where the player has only one left of that size.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .options import COLOURS, SIDES, SIZES

_NUMBER = r"-?[0-9]{1,6}"
_ID = r"#?[0-9]{1,5}"
VERBS: dict[str, tuple[tuple[str, ...], ...]] = {
    "commit": (("|".join((*SIDES, *COLOURS)), "|".join(COLOURS)),),
    "place": (("|".join(COLOURS), "|".join(SIZES)),),  # its position is parsed here
    "pass": ((),),
    "capture": (("all",), (_ID,)),
    "done": ((),),
    "reveal": ((),),
}
EXAMPLES = {
    "commit": "commit A red",
    "place": "place red L @ 40,5, place red L E of #7 gap 8 off 5 or place red L ~ #7,#9 (connected to these)",
    "pass": "pass",
    "capture": "capture #4 or capture all",
    "done": "done",
    "reveal": "reveal",
}
_AT = re.compile(rf"@ ?({_NUMBER}) ?, ?({_NUMBER})")
_BESIDE = re.compile(rf"([NESW]) of #?([0-9]{{1,5}}) gap ([0-9]{{1,6}}) off ({_NUMBER})", re.IGNORECASE)
_TOLD = re.compile(rf"~ ?((?:{_ID}(?: ?, ?{_ID})*)?)")
_FAST = re.compile(rf"place ([a-z]+) ([SML]) @ ({_NUMBER}),({_NUMBER})")
_INDEX = {size: at for at, size in enumerate(SIZES)}


class Move(NamedTuple):
    """A parsed move. Fields that a verb does not use have their empty value.

    `colour` "" where it was omitted · `at`: coordinates · `beside`: direction, piece, gap, offset · `told`: the ids of
    D-84 · `number`: piece to capture, 0 for all.
    """

    verb: str
    seat: str = ""
    colour: str = ""
    size: int = 0
    at: tuple[int, int] | None = None
    beside: tuple[str, int, int, int] | None = None
    told: tuple[int, ...] | None = None
    number: int = 0

    def __str__(self) -> str:
        if self.verb == "commit":
            return f"commit {self.seat} {self.colour}"
        if self.verb == "capture":
            return f"capture #{self.number}" if self.number else "capture all"
        if self.verb != "place":
            return self.verb
        start = " ".join(word for word in ("place", self.colour, SIZES[self.size]) if word)
        if self.at is not None:
            return f"{start} @ {self.at[0]},{self.at[1]}"
        if self.beside is not None:
            direction, number, gap, off = self.beside
            return f"{start} {direction} of #{number} gap {gap} off {off}"
        return " ".join([start, "~", ",".join(f"#{number}" for number in self.told or ())]).rstrip()


def parse(text: str) -> Move | None:
    """The whole move in this text; None if it is not one."""
    fast = _FAST.fullmatch(text)
    if fast and fast[1] in COLOURS:
        return Move("place", "", fast[1], _INDEX[fast[2]], (int(fast[3]), int(fast[4])))
    words = text.split()
    if not words:
        return None
    verb, rest = words[0].lower(), words[1:]
    if verb == "place":
        return _place(rest)
    if verb == "commit" and len(rest) == 2:
        seat = rest[0].upper() if rest[0].upper() in SIDES else rest[0].lower()
        if seat in (*SIDES, *COLOURS) and rest[1].lower() in COLOURS:
            return Move(verb, seat=seat, colour=rest[1].lower())
    if verb == "capture" and len(rest) == 1:
        if rest[0].lower() == "all":
            return Move(verb)
        if re.fullmatch(_ID, rest[0]) and int(rest[0].lstrip("#")):
            return Move(verb, number=int(rest[0].lstrip("#")))
    if verb in ("pass", "done", "reveal") and not rest:
        return Move(verb)
    return None


def _place(words: list[str]) -> Move | None:
    colour = words[0].lower() if words and words[0].lower() in COLOURS else ""
    words = words[1:] if colour else words
    if len(words) < 2 or words[0].upper() not in _INDEX:
        return None
    size, where = _INDEX[words[0].upper()], " ".join(words[1:])
    if found := _AT.fullmatch(where):
        return Move("place", "", colour, size, at=(int(found[1]), int(found[2])))
    if found := _BESIDE.fullmatch(where):
        beside = (found[1].upper(), int(found[2]), int(found[3]), int(found[4]))
        return Move("place", "", colour, size, beside=beside)
    if found := _TOLD.fullmatch(where):
        told = tuple(int(number) for number in re.findall("[0-9]+", found[1]))
        return Move("place", "", colour, size, told=told)
    return None


def kind_of_piece(text: str) -> tuple[str, int | None] | None:
    """The colour ("" where omitted) and the size (None) of a placement without a position; None if it is not one."""
    words = text.split()
    if not words or words[0].lower() != "place":
        return None
    rest = words[1:]
    colour = rest.pop(0).lower() if rest and rest[0].lower() in COLOURS else ""
    size = _INDEX.get(rest.pop(0).upper(), -1) if rest else None
    return None if rest or size == -1 else (colour, size)
