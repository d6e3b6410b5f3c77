"""Who sits at a game of which a test says nothing in particular: a game that is added is tried at once."""

from __future__ import annotations

from typing import Any

from table.commands.play import PLAYERS
from table.games import has_own_pieces


def seated(game: str) -> list[str]:
    """Whoever plays if nobody is named."""
    assert game in PLAYERS, f"{game} lacks: PLAYERS of table/commands/play.py"
    return PLAYERS[game].split(",")


def ways(game: str) -> tuple[dict[str, Any], ...]:
    """Options: as it is printed; with the players' own pieces too, where there can be such."""
    return ({}, {"mode": "physical"}) if has_own_pieces(game) else ({},)
