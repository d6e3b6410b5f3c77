"""Positions that somebody wrote, set up: all their defects, or how they stand then."""

from __future__ import annotations

from typing import Any

import pytest

from rules import games
from rules.core.refusal import PositionError


def defects(position: dict[str, Any]) -> str:
    with pytest.raises(PositionError) as wrong:
        games.game(position["game"]).setup(position, 1)
    return "\n".join(wrong.value.defects)


def accepted(position: dict[str, Any]) -> dict[str, Any]:
    game = games.game(position["game"])
    return game.to_json(game.setup(position, 1))
