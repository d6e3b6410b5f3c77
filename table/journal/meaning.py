"""Whether a later move still refers to the same things after an earlier move was corrected.

Moves name the things that they act on: a slot, a square, a pawn's space, a piece's number. Wherever such a move is
legal it means the same. One report does not: `found 3 13 red` (IP-14) is about *an igloo of red's on card 3*; if none
was noted there, it reports a new one. Suppose a correction moves an igloo to another card. The report of it would still
be legal, but would invent a second igloo and stake a second taler.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.core.game import Game


def speaks_of(game: Game[Any], state: Any, move: str) -> frozenset[str]:
    """What `move`, legal in `state`, is about without naming it. Empty: nothing, or something new."""
    find = _WITHOUT_NAMES.get((game.name, move.split()[0]))
    return frozenset() if find is None else find(game.view(state, None), move)


def means_another(game: Game[Any], then: Any, now: Any, move: str) -> bool:
    """Whether `move` was about certain things in the position `then`, and would be about others in `now`."""
    before = speaks_of(game, then, move)
    return bool(before) and before != speaks_of(game, now, move)


def _igloos_of_a_report(view: Mapping[str, Any], move: str) -> frozenset[str]:
    """The letters of all noted igloos of that colour on that card: a report does not say which one it is about."""
    _, slot, _, colour = move.split()
    there = {"at": "card", "slot": int(slot), "by": colour}
    return frozenset(letter for letter, igloo in view["igloos"].items() if igloo == there)


_WITHOUT_NAMES: Mapping[tuple[str, str], Callable[[Mapping[str, Any], str], frozenset[str]]] = {
    ("igloo-pop", "found"): _igloos_of_a_report,
}
