"""What a move that was made could have been instead: offered to whoever corrects it."""

from __future__ import annotations

from itertools import islice

from table.desk.said import Choice
from table.journal.fold import Sitting

MOST_CHOICES = 2000  # of legal moves: IGLOO has tens of thousands


def choices_at(sitting: Sitting, at: int) -> tuple[Choice, ...]:
    """What step `at` could have been instead, the likeliest first: what was sensed, then the other legal moves."""
    step = sitting.steps[at]
    before = sitting.steps[at - 1].state if at else sitting.start
    odds: dict[str, float] = dict((step.evidence or {}).get("odds", {}))
    legal = dict.fromkeys(islice(sitting.game.moves(before, step.seat), MOST_CHOICES))
    ranked = sorted(legal, key=lambda move: -odds.get(move, 0.0))
    return tuple(Choice(move, (move,), odds.get(move)) for move in ranked if move != step.move)
