"""The parts of a position that all games share: its end, its options, and its chance."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from .chance import Chance
from .game import Over
from .reading import Reader


def read_over(read: Reader, value: Any, seats: Sequence[str]) -> Over | None:
    """`over` of a position: None while the game is going on."""
    if value is None:
        return None
    given = read.mapping(value, "over")
    read.keys(given, ("winners", "rule", "text", "scores"), "over")
    winners = read.several_of(given.get("winners"), seats, "over.winners")
    texts = {}
    for key in ("rule", "text"):
        texts[key] = given.get(key, "")
        if not isinstance(texts[key], str):
            read.say(f"over.{key} must be a text")
    scores = None
    if given.get("scores") is not None:
        scores = dict(read.mapping(given["scores"], "over.scores"))
        read.keys(scores, seats, "over.scores")
        for seat, points in scores.items():
            if isinstance(points, bool) or not isinstance(points, int | float):
                read.say(f"over.scores.{seat} must be a number")
    return Over(winners, str(texts["rule"]), str(texts["text"]), scores)


def write_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """The position's own copy: most options are plain values, and only a whole data set is copied deeply."""
    return {
        name: value if isinstance(value, str | int | None) else copy.deepcopy(value)
        for name, value in options.items()
    }


def read_chance(read: Reader, value: Any, seed: int) -> Chance:
    """`chance` of a position; a new one from the seed where it is missing."""
    if value is None:
        return Chance.of(seed)
    try:
        if not isinstance(value, str):
            raise ValueError
        return Chance.parse(value)
    except ValueError:
        read.say("chance is not one that this referee wrote: leave it out for a new one")
        return Chance.of(seed)
