"""Whether a game hides something from somebody now: then not everybody may see the legal moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# no player's hand is hidden: the host's screen may show all moves
OPEN_GAMES = ("igloo-pop", "ice-cult")


def hides_nothing(game: str, view: Mapping[str, Any]) -> bool:
    """Whether no legal move now reveals what only one seat may know."""
    if game in OPEN_GAMES:
        return True
    if game == "igloo":  # only the choice of the real colour is secret
        return bool(view["phase"] in ("before", "place", "after"))
    return bool(view["options"].get("mode") == "physical")  # the hands are on the real table, not in here
