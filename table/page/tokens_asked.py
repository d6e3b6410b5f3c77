"""Tokens drawn at a real table: the values are asked one by one, since four of them have 81 orders (II-5, II-9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

Values = tuple[str, ...]
# the squares of the first four fish, in the order in which the referee is told them
_SET_UP = ("d4", "e4", "d5", "e5")


def squares(view: Mapping[str, Any]) -> tuple[str, ...]:
    """The square of each drawn token, in the order of the questions; empty if no token is due."""
    if view["phase"] != "draws" or not view["pending"]:
        return ()
    pending = view["pending"]
    return _SET_UP if pending["square"] is None else (str(pending["square"]),) * int(pending["points"])


def next_values(legal: Iterable[str], told: Values) -> list[str]:
    """The possible values of the next token.

    If several tokens lie on one square, the rules list them in one order but a family may name them in any: nobody has
    to sort what lies on the table.
    """
    known = Counter(told)
    fitting = [group for move in legal if not known - (group := Counter(move.split()[1:]))]
    return sorted({value for group in fitting for value in group - known})


def whole(legal: Iterable[str], told: Values) -> str | None:
    """The move with these token values; None while some are still missing."""
    same = [move for move in legal if Counter(move.split()[1:]) == Counter(told)]
    said = " ".join(("draws", *told))
    return said if said in same else same[0] if same else None
