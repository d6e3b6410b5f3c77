"""The placeholders of a sentence, by letter, and how their values are said in the page's language.

c colour · C colours, joined · i, I seats (a colour, A, B) · g side A or B · d direction · r a sense of turning · a what
a cube shows · A several of them, with their slots · s, S slot(s) of the tray · w a space of a path · f a face or a
cube's name · q, Q square(s) · n number · N numbers · b counts of beads, `2, 5–7 or 9` · k numbers on a card · V igloos
with their talers · E igloos taken for others · l an igloo's letter · x an animal or a kind of tile · z a size · v
coordinates · u who asked for it · y whose consent it is · h a giant's skill · o a port · t a sentence · Z sentences,
joined by semicolons · m anything, as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from table.desk.said import ARROWS
from table.page.texts import Texts
from table.page.tiles import tile

_COLOUR = "red|yellow|green|blue|white|black"
_SHOWN = f"(?:(?:{_COLOUR})>[NESW]|circle|arc|nothing that is known|unknown)"
_SIDE = "(?:north|south|east|west)(?:ern)?|[NESW]"
_SEAT = f"(?:{_COLOUR}|[AB])"
_SLOT = "(?:NW|NE|SE|SW)"
_SQUARE = "[a-h][1-8]"
_LIST = "(?:, | and )"

PLACES: dict[str, str] = {
    "c": f"(?:{_COLOUR})",
    "C": f"(?:{_COLOUR})(?:{_LIST}(?:{_COLOUR}))*",
    "i": _SEAT,
    "I": f"{_SEAT}(?:{_LIST}{_SEAT})*",
    "g": "[AB]",
    "d": f"(?:{_SIDE})",
    "r": "(?:counter-)?clockwise",
    "a": _SHOWN,
    "A": f"{_SHOWN} on {_SLOT}(?: and {_SHOWN} on {_SLOT})*",
    "s": _SLOT,
    "S": f"{_SLOT}(?:, {_SLOT})*",
    "w": r"[NESW]\d+(?:#\d+)?",
    "f": "[A-Z]",
    "q": _SQUARE,
    "Q": f"{_SQUARE}(?:, {_SQUARE})*",
    "n": r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?",
    "N": r"\d+(?:(?:, | and )\d+)*",
    "b": r"\d+(?:–\d+)?(?:(?:, | or )\d+(?:–\d+)?)*",
    "k": r"\d+(?:-\d+)*",
    "V": rf"\d+ of (?:{_COLOUR})(?:, \d+ of (?:{_COLOUR}))*",
    "E": r"[A-L] \d+ for \d+(?:, [A-L] \d+ for \d+)*",
    "l": "[A-L]",
    "x": r"(?:an Inuit|an igloo|a fox|a bear|fish|foxes|fox|bear|drift|pack|thaw|stamina|harpoon|animals)(?:-\d+)?",
    "z": "[SML]",
    "v": r"-?\d+,-?\d+",
    "u": "[a-z]+",
    "y": f"(?:{_COLOUR}|[AB]|the host)",
    "h": "(?:sleepy|awake|sharp)",
    "o": r"\S+",
    "t": ".+",
    "Z": ".+",
    "m": ".+?",
}
_NAME = re.compile(r"\{([a-zA-Z]\d*)\}")
_BY = ("host", "hand", "agreement", "button", "cubes", "ear", "giant")


class Places:
    """Fills the placeholders of a translation with the sentence's values. `say` translates a sentence inside it."""

    def __init__(self, texts: Texts, say: Callable[[str], str | None]) -> None:
        self._texts, self._say = texts, say

    def fill(self, translation: str, found: Mapping[str, str]) -> str | None:
        """The translation with its values; None if a sentence inside it is not known."""
        out, at = [], 0
        for place in _NAME.finditer(translation):
            value = self._said(place[1][0], found[place[1]])
            if value is None:
                return None
            out += [translation[at : place.start()], value]
            at = place.end()
        return "".join([*out, translation[at:]])

    def _said(self, kind: str, value: str) -> str | None:
        texts = self._texts
        match kind:
            case "y" if value == "the host":
                return texts["term.by_host"]
            case "c" | "C" | "i" | "I" | "V" | "y":
                said = re.sub(rf"\b(?:{_COLOUR})\b", lambda m: texts[f"colour.{m[0]}"], value)
                said = said.replace(" of ", f" {texts['term.of']} ")
                return said.replace(" and ", f" {texts['term.and']} ")
            case "d":
                return texts[f"term.side_{value[0].upper()}"]
            case "r":
                return texts["hand.ccw" if value.startswith("counter") else "hand.cw"]
            case "a" | "A":
                return self.shown(value)
            case "x":
                return tile(value.replace(" ", "_").lower(), texts)
            case "u":
                return texts[f"term.by_{value}"] if value in _BY else value
            case "h":
                return texts[f"giant.{value}"]
            case "E" | "b":
                said = value.replace(" for ", f" {texts['term.for']} ")
                return said.replace(" or ", f" {texts['term.or']} ")
            case "n":
                return texts.pointed(value)
            case "t":
                return self._say(value)
            case "Z":
                parts = [self._say(part) for part in value.split("; ")]
                return None if None in parts else "; ".join(part or "" for part in parts)
        return value

    def shown(self, value: str) -> str:
        """What cubes show, such as `red>N on NW`, in words and arrows."""
        texts = self._texts

        def one(found: re.Match[str]) -> str:
            word = found[0]
            colour, _, side = word.partition(">")
            if side:
                return f"{texts[f'colour.{colour}']} {ARROWS[side]}"
            return texts["term.unknown" if word.startswith(("nothing", "unknown")) else f"term.{word}"]

        said = re.sub(_SHOWN, one, value)
        return said.replace(" on ", f" {texts['term.on']} ").replace(" and ", f" {texts['term.and']} ")
