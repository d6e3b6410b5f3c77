"""The possible answers when somebody looks underneath an igloo (IP-14): every count there is.

A count that another igloo was given already may still be the true one: then the ear misheard that other igloo, or
somebody misread it. The answer is offered with those words. Choosing it puts the other igloo right: its step becomes
this one's, and the desk asks to look underneath the other one next. Nothing else of the round changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.core.refusal import Refusal
from table.desk.said import Choice
from table.journal.fold import Sitting


@dataclass(frozen=True, slots=True)
class Given:
    """Which igloo has a count, in which step (from 0) it got it, and who told us (`by`: ear, hand, …)."""

    letter: str
    at: int
    by: str


def given(sitting: Sitting) -> dict[int, Given]:
    """The counts of this check so far.

    Igloos that stand on a card only because they were reported there are left out: without that report they would be
    gone from the table.
    """
    out: dict[int, Given] = {}
    for at in range(len(sitting.steps) - 1, 0, -1):
        step, before = sitting.steps[at], sitting.steps[at - 1].state
        if not step.move.startswith("found ") or sitting.game.phase(before) != "resolving":
            break
        count = int(step.move.split()[2])
        letters = sitting.game.view(step.state, None)["values"]
        letter = next(k for k, value in letters.items() if value == count)
        if sitting.game.view(before, None)["igloos"][letter]["at"] == "card":
            out[count] = Given(letter, at, step.by)
    return out


def taken_back(sitting: Sitting) -> set[str]:
    """Igloos of this check whose count was undone and can still be redone.

    Until another move is made, that means: somebody wants to say the count himself.
    """
    now = sitting.game.view(sitting.state, None)["values"]
    then = [
        sitting.game.view(step.state, None)["values"]
        for step in sitting.undone
        if step.move.startswith("found ")
    ]
    return {k for values in then for k, count in values.items() if count is not None and now[k] is None}


def answers(
    sitting: Sitting, letter: str, odds: Mapping[int, float], given: Mapping[int, Given], heard: bool
) -> tuple[Choice, ...]:
    """What may be under igloo `letter`, the likeliest first; counts that another igloo has come last.

    `odds`: of every count; shown if the igloo was `heard`.
    """
    igloos = sitting.game.view(sitting.state, None)["igloos"]
    place = igloos[letter]
    out, others = [], []
    for count in sorted(odds, key=lambda n: -odds[n]):
        move = f"found {place['slot']} {count} {place['by']}"
        if count in given:
            has = given[count]
            others.append(
                (count, Choice(_of_another(count, has, igloos[has.letter] == place), (move,), None, has.at))
            )
        elif odds[count] > 0 and _legal(sitting, move):
            out.append(Choice(str(count), (move,), odds[count] if heard else None))
    return (*out, *(choice for _, choice in sorted(others, key=lambda other: other[0])))


def _of_another(count: int, has: Given, beside: bool) -> str:
    """`beside`: both stand on one card with talers of one colour, so that nobody can tell them apart."""
    if beside:
        return f"{count} – that one is counted already: look underneath the other one"
    return f"{count} – then igloo {has.letter} was {'misheard' if has.by == 'ear' else 'misread'}"


def _legal(sitting: Sitting, move: str) -> bool:
    try:
        sitting.game.play(sitting.state, move)
    except Refusal:
        return False
    return True
