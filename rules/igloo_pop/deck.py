"""The cards as data, checked (IP-1). The option `deck` takes the name of a shipped deck, or a deck as an object."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rules.core import data
from rules.core.reading import Reader, is_whole, shown
from rules.core.refusal import PositionError

CARDS = 33
LEAST, MOST = 2, 13  # beads in an igloo

Card = tuple[int, ...]


def points(card: Card) -> int:
    """IP-1: 3, 2, 1 points for 1, 2, 3 numbers."""
    return 4 - len(card)


def written(card: Card) -> str:
    """A card's notation in a move: `7`, `7-8`, `9-10-11`."""
    return "-".join(map(str, card))


def deck(value: Any) -> tuple[Card, ...]:
    """The deck named by or given in the option, sorted. Raises PositionError with every defect."""
    if isinstance(value, str):
        try:
            value = data.load("deck", value)
        except KeyError:
            known = ", ".join(data.names("deck"))
            raise PositionError((f"there is no deck {shown(value)}; known: {known}",)) from None
    if not isinstance(value, Mapping):
        raise PositionError((f"deck must be the name of a deck or a deck, and is {shown(value)}",))
    return _compiled(json.dumps(value, sort_keys=True))


@lru_cache(maxsize=16)
def _compiled(text: str) -> tuple[Card, ...]:
    read = Reader()
    value = json.loads(text)
    read.keys(value, ("name", "runs", "cards"), "the deck")
    runs = read.flag(value.get("runs"), "runs", missing=True)
    cards = []
    for k, entry in enumerate(read.items(value.get("cards"), "cards"), 1):
        card = read_card(read, entry, f"card {k} of the deck")
        if card and runs and card != tuple(range(card[0], card[0] + len(card))):
            read.say(
                f"card {k} of the deck is {written(card)}, which is no run of consecutive numbers: "
                "if your box has it, say `runs`: false in the deck"
            )
        cards.append(card)
    if len(cards) != CARDS:
        read.say(f"the deck has {len(cards)} cards, and must have {CARDS}")
    read.finish()
    return tuple(sorted((card for card in cards if card), key=lambda card: (len(card), card)))


def read_card(read: Reader, value: Any, where: str) -> Card | None:
    """One to three different numbers from 2 to 13, ascending; None (and a defect) otherwise."""
    if (
        not isinstance(value, list | tuple)
        or not 1 <= len(value) <= 3
        or not all(is_whole(n) and LEAST <= n <= MOST for n in value)
        or list(value) != sorted(set(value))
    ):
        read.say(f"{where} must be one to three rising numbers from {LEAST} to {MOST}, and is {shown(value)}")
        return None
    return tuple(value)
