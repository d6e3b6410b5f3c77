"""Whether a game hides something from somebody at this moment: then not everybody may hear what could be done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# no player's hand is hidden: all moves may be shown on the host's screen
OPEN_GAMES = ("igloo-pop", "ice-cult")


def hides_nothing(game: str, view: Mapping[str, Any]) -> bool:
    """Whether no legal move of this moment tells what a seat alone may know."""
    if game in OPEN_GAMES:
        return True
    if game == "igloo":  # only the choice of the real colour is a secret
        return bool(view["phase"] in ("before", "place", "after"))
    return bool(view["options"].get("mode") == "physical")  # hands are on the table, not in here
