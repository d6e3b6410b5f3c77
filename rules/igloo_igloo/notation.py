"""The notation of moves: text to `Action` and back (docs/contracts.md, igloo-igloo). Only grammar; no rules."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from .board import COLOURS, INDEX, SQUARES, STEPS

SQUARE = "[a-h][1-8]"
VALUE = "[0-9]{1,2}"
TILE = "(fish|stamina)-[1-9]|bear|drift|pack|red|thaw|harpoon|animals"
SMALL = "fish|fox"
VERBS: dict[str, tuple[tuple[str, ...], ...]] = {
    "place": ((SQUARE,),),
    "melt": ((SQUARE, TILE),),
    "drift": ((SQUARE, "[NESW]"),),
    "displace": ((SMALL, VALUE, SQUARE), ("bear", SQUARE)),
    "draws": ((VALUE, VALUE, VALUE, VALUE),),
    "walk": ((SQUARE, SQUARE, "harpoon"),),
    "kayak": ((SQUARE, SQUARE, "harpoon"),),
    "hunt": ((SQUARE, SMALL, VALUE, "harpoon"), (SQUARE, "bear", "harpoon")),
    "igloo": ((SQUARE,),),
    "thaw": ((SQUARE,),),
    "stamina": ((VALUE,),),
    "animals": ((),),
    "step": ((SMALL, VALUE, SQUARE, SQUARE), ("bear", SQUARE, SQUARE)),
    "harpoon": ((),),
    "no": (("harpoon",),),
    "flee": (("|".join(COLOURS), SQUARE),),
    "end": ((),),
}
"""For each verb the words that may follow it: what a person may leave out words of, where the rest says it all."""
EXAMPLES = {
    "place": "place b1",
    "melt": "melt c4, and in physical play melt c4 fish-2 or melt c4 red (a red border)",
    "drift": "drift e3 N",
    "displace": "displace fish 2 d5 or displace bear d5",
    "draws": "draws 1 3 (the values of the tokens laid)",
    "walk": "walk b4 b5 or walk b4 b5 harpoon",
    "kayak": "kayak b4 f5 or kayak b4 f5 harpoon",
    "hunt": "hunt d5 fish 3 or hunt c5 bear harpoon",
    "igloo": "igloo c4",
    "thaw": "thaw f6",
    "stamina": "stamina 2",
    "animals": "animals",
    "step": "step bear c3 c4 or step fish 2 d4 d5",
    "harpoon": "harpoon",
    "no": "no harpoon",
    "flee": "flee red a1",
    "end": "end",
}


class Action(NamedTuple):
    """A parsed move. Fields that a verb does not use have their empty value; `value` 0 is a bear's."""

    verb: str
    square: int = -1
    to: int = -1
    animal: str = ""
    value: int = 0
    harpoon: bool = False
    direction: str = ""
    tile: str = ""
    values: tuple[int, ...] = ()
    colour: str = ""

    def __str__(self) -> str:
        out = [self.verb]
        if self.verb == "no":
            out.append("harpoon")
        if self.verb in ("displace", "step"):
            out += _animal(self)
        if self.colour:
            out.append(self.colour)
        if self.square >= 0:
            out.append(SQUARES[self.square])
        if self.verb == "hunt":
            out += _animal(self)
        if self.to >= 0:
            out.append(SQUARES[self.to])
        out += [word for word in (self.direction, self.tile) if word]
        if self.verb == "stamina":
            out.append(str(self.value))
        out += [str(value) for value in self.values]
        if self.harpoon:
            out.append("harpoon")
        return " ".join(out)


def _animal(action: Action) -> list[str]:
    return [action.animal, str(action.value)] if action.animal != "bear" else [action.animal]


@lru_cache(maxsize=8192)
def parse(text: str) -> Action | None:
    """The action of a whole move; None if the text is not one."""
    words = text.split()
    if not words:
        return None
    verb, rest = words[0].lower(), words[1:]
    try:
        action = _read(verb, rest)
    except (KeyError, ValueError, IndexError):
        return None
    return action


def _read(verb: str, rest: list[str]) -> Action:
    """Raises KeyError, ValueError or IndexError for anything outside the notation."""
    if verb in ("place", "igloo", "thaw"):
        return Action(verb, _only(rest))
    if verb == "melt":
        tile = rest[1] if len(rest) == 2 else ""
        return Action(verb, _only(rest[:1]), tile=_tile(tile) if len(rest) != 1 else "")
    if verb == "drift":
        start, direction = rest
        return Action(verb, _square(start), direction=_direction(direction))
    if verb in ("walk", "kayak"):
        harpoon, (start, goal) = _harpoon(rest)
        return Action(verb, _square(start), _square(goal), harpoon=harpoon)
    if verb == "hunt":
        harpoon, words = _harpoon(rest)
        animal, value, none = _read_animal(words[1:])
        return Action(
            verb, _square(words[0]), animal=animal, value=value, harpoon=harpoon, colour=_nothing(none)
        )
    if verb == "displace":
        animal, value, (goal,) = _read_animal(rest)
        return Action(verb, to=_square(goal), animal=animal, value=value)
    if verb == "step":
        animal, value, (start, goal) = _read_animal(rest)
        return Action(verb, _square(start), _square(goal), animal=animal, value=value)
    if verb == "draws":
        values = tuple(_value(word) for word in rest)
        return Action(verb, values=values) if values else _fail()
    if verb == "stamina":
        (word,) = rest
        return Action(verb, value=_value(word))
    if verb == "flee":
        colour, goal = rest
        return Action(verb, to=_square(goal), colour=COLOURS[COLOURS.index(colour.lower())])
    if verb == "no" and [word.lower() for word in rest] == ["harpoon"]:
        return Action(verb)
    if verb in ("animals", "harpoon", "end") and not rest:
        return Action(verb)
    return _fail()


def _fail() -> Action:
    raise ValueError


def _nothing(words: list[str]) -> str:
    if words:
        raise ValueError
    return ""


def _square(word: str) -> int:
    return INDEX[word.lower()]


def _only(words: list[str]) -> int:
    (word,) = words
    return _square(word)


def _direction(word: str) -> str:
    if word.upper() not in STEPS:
        raise ValueError
    return word.upper()


def _value(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 2):
        raise ValueError
    return int(word)


def _tile(word: str) -> str:
    kind = word.lower()
    stem, dash, count = kind.partition("-")
    if stem in ("fish", "stamina") and dash and len(count) == 1 and count in "123456789":
        return kind
    if kind in ("bear", "drift", "pack", "red", "thaw", "harpoon", "animals"):
        return kind
    raise ValueError


def _harpoon(words: list[str]) -> tuple[bool, list[str]]:
    if words and words[-1].lower() == "harpoon":
        return True, words[:-1]
    return False, words


def _read_animal(words: list[str]) -> tuple[str, int, list[str]]:
    """Kind and value of an animal, and the remaining words."""
    animal = words[0].lower()
    if animal == "bear":
        return animal, 0, words[1:]
    if animal not in ("fish", "fox"):
        raise ValueError
    return animal, _value(words[1]), words[2:]
