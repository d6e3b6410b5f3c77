"""Evidence against legal moves: accept, ask with odds, or name the rule that what was seen would break.

The odds are over *all* explanations, legal or not. A clear but illegal act is therefore never bent into a legal one:
its share is not given to the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.core.refusal import Refusal
from table.journal.fold import Sitting

SURE = 0.9  # from here on the desk takes a move without asking
WORTH_NAMING = 0.03  # explanations below this share are not offered as an answer


@dataclass(frozen=True, slots=True)
class Explanation:
    """A move that would explain what was sensed, and how well: its share of the evidence, not yet normalised."""

    move: str
    share: float
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Accept:
    move: str
    seat: str | None
    odds: float


@dataclass(frozen=True, slots=True)
class Ask:
    options: tuple[tuple[Explanation, float], ...]  # legal ones, the likeliest first, with their odds


@dataclass(frozen=True, slots=True)
class Forbidden:
    move: str
    refusal: Refusal
    odds: float


Verdict = Accept | Ask | Forbidden


def weigh(sitting: Sitting, explanations: Sequence[Explanation], sure: float = SURE) -> Verdict:
    """The verdict on one act. `explanations` is not empty and has a positive sum of shares."""
    total = sum(e.share for e in explanations)
    if total <= 0:
        raise ValueError("an act needs an explanation with a positive share")
    legal: list[tuple[Explanation, float]] = []
    broken: list[tuple[Explanation, float, Refusal]] = []
    for explanation in explanations:
        odds = explanation.share / total
        try:
            sitting.game.play(sitting.state, explanation.move, explanation.seat)
        except Refusal as refusal:
            broken.append((explanation, odds, refusal))
        else:
            legal.append((explanation, odds))
    legal.sort(key=lambda item: -item[1])
    broken.sort(key=lambda item: -item[1])
    if legal and legal[0][1] >= sure:
        best, odds = legal[0]
        return Accept(best.move, best.seat, odds)
    named = tuple(item for item in legal if item[1] >= WORTH_NAMING)
    if not named or (broken and sum(odds for _, odds, _ in broken) >= sure):
        worst = broken[0]
        return Forbidden(worst[0].move, worst[2], worst[1])
    return Ask(named)
