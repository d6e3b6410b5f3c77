"""The notation of Igloo Pop moves: `count`, `grab red A`, `place red 3`, `found 3 7 red`, `deal 3 7-8`, …"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from rules.core.notation import is_part, whole

from .state import COLOURS

_COLOUR = "|".join(COLOURS)
_CARD = r"[0-9]{1,2}(?:-[0-9]{1,2}){0,2}"
_NUMBER = "[0-9]{1,2}"

VERBS = {
    "count": ((),),
    "grab": ((_COLOUR, "[A-L]"),),
    "return": ((_COLOUR,),),
    "place": ((_COLOUR, _NUMBER),),
    "pass": ((_COLOUR,),),
    "unpass": ((_COLOUR,),),
    "resolve": ((),),
    "stop": ((_COLOUR,),),
    "deal": ((_NUMBER, _CARD),),
    "found": ((_NUMBER, _NUMBER, _COLOUR),),
}
EXAMPLES = {
    "count": "count",
    "grab": "grab red A",
    "return": "return red",
    "place": "place red 3 (a card slot, 1 to 9)",
    "pass": "pass red",
    "unpass": "unpass red",
    "resolve": "resolve",
    "stop": "stop red",
    "deal": "deal 3 7-8 (a slot, and the numbers on the card)",
    "found": "found 3 7 red (a slot, the number under the igloo, whose taler)",
}
_WHOLE = {
    verb: re.compile(" ".join(f"({word})" for word in form), re.IGNORECASE | re.ASCII)
    for verb, (form,) in VERBS.items()
}


class Move(NamedTuple):
    """`numbers`: a slot (from 1), a card's numbers or an igloo's value, depending on the verb."""

    verb: str
    colour: str = ""
    letter: str = ""
    numbers: tuple[int, ...] = ()

    def __str__(self) -> str:
        if self.verb == "deal":
            return f"deal {self.numbers[0]} {'-'.join(map(str, self.numbers[1:]))}"
        if self.verb == "found":
            return f"found {self.numbers[0]} {self.numbers[1]} {self.colour}"
        rest = (self.colour, self.letter, *map(str, self.numbers))
        return " ".join((self.verb, *(word for word in rest if word)))


@lru_cache(maxsize=8192)
def parse(text: str) -> Move | None:
    """A whole move, in upper or lower case and with any spaces; None if it is not one."""
    read = whole(text, _WHOLE)
    if read is None:
        return None
    verb, found = read
    part = [word.lower() for word in found.groups()]
    if verb == "deal":
        return Move(verb, numbers=(int(part[0]), *map(int, part[1].split("-"))))
    if verb == "found":
        return Move(verb, part[2], numbers=(int(part[0]), int(part[1])))
    if verb == "grab":
        return Move(verb, part[0], part[1].upper())
    if verb == "place":
        return Move(verb, part[0], numbers=(int(part[1]),))
    return Move(verb, part[0] if part else "")


def guesses(text: str, players: Sequence[str]) -> Iterator[Move]:
    """Whole moves that a part may stand for: missing words are filled in."""
    typed = text.lower().split()
    if not is_part(typed, VERBS):
        return
    verb = typed[0]
    colours = [word for word in typed if word in COLOURS] or players
    numbers = [int(word) for word in typed if word.isdecimal()]
    letters = [word.upper() for word in typed[1:] if len(word) == 1 and word.isalpha()] or ["A"]
    for colour in colours:
        if verb == "grab":
            yield Move(verb, colour, letters[0])
        elif verb == "place":
            yield Move(verb, colour, numbers=(*numbers, 1)[:1])
        elif verb in ("return", "pass", "unpass", "stop"):
            yield Move(verb, colour)
        elif verb == "found":
            yield Move(verb, colour, numbers=(*numbers, *(1, 2)[len(numbers) :])[:2])
    if verb == "deal":
        yield Move(verb, numbers=(*numbers, 1, 2)[:2])
