"""Colours and letters of the pieces in a terminal; without colour the letters suffice."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

INK = {
    "red": "bold red",
    "yellow": "bold yellow",
    "green": "bold green",
    "blue": "bold blue",
    "white": "bold white",
    "black": "bold bright_black",
}
LETTER = {"red": "R", "yellow": "Y", "green": "G", "blue": "B", "white": "W", "black": "K"}


def named(colour: str | None) -> Text:
    """A colour's name in its colour; `?` for an unknown one."""
    return Text(colour or "?", style=INK.get(colour or "", ""))


def pawns(colours: Iterable[str]) -> Text:
    """One coloured letter for each piece."""
    out = Text()
    for colour in colours:
        out.append(LETTER.get(colour, "?"), style=INK.get(colour, ""))
    return out


def joined(parts: Iterable[Text | str], between: str = " ") -> Text:
    return Text(between).join(Text(part) if isinstance(part, str) else part for part in parts)
