"""Names of games in the journal: consecutive numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable


def next_name(games: Iterable[str]) -> str:
    """One above the highest number there is: a book that followed a full one lacks the earlier games."""
    numbers = (re.fullmatch(r"game-(\d+)", game) for game in games)
    return f"game-{1 + max((int(found[1]) for found in numbers if found), default=0)}"
