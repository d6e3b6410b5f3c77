"""The alternatives to a move that was made, offered to whoever corrects it."""

from __future__ import annotations

from itertools import islice, zip_longest

from table.desk.said import Choice
from table.journal.fold import Sitting

MOST_CHOICES = 2000  # legal moves at most: IGLOO has tens of thousands


def choices_at(sitting: Sitting, at: int) -> tuple[Choice, ...]:
    """The alternatives to step `at`, the likeliest first: what was sensed, then the moves most similar to it."""
    step = sitting.steps[at]
    before = sitting.steps[at - 1].state if at else sitting.start
    odds: dict[str, float] = dict((step.evidence or {}).get("odds", {}))
    legal = dict.fromkeys(islice(sitting.game.moves(before, step.seat), MOST_CHOICES))
    told = step.move.split()

    def unlike(move: str) -> tuple[float, int, int]:
        """Sort key: fewer differing words first; then a longer common beginning, for a move names its object first."""
        other = [a != b for a, b in zip_longest(told, move.split())]
        return -odds.get(move, 0.0), sum(other), -(other.index(True) if any(other) else 0)

    ranked = sorted(legal, key=unlike)
    return tuple(Choice(move, (move,), odds.get(move)) for move in ranked if move != step.move)
