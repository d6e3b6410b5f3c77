"""Undo, redo and correct: what the journal records and what people are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from table.desk.said import Said, corrected
from table.desk.telling import shown
from table.journal.entries import Kind
from table.journal.fold import Sitting


@dataclass(frozen=True, slots=True)
class Back:
    """An act on earlier moves: its entry, its sentence, the move as everybody may see it, and the game after it."""

    kind: Kind
    body: Mapping[str, Any]
    said: Said
    move: str
    after: Sitting


def stepping(
    kind: Literal["undo", "redo"], before: Sitting, after: Sitting, by: str, now: float
) -> Back | None:
    """One move back or forth. None if there is none; then `after` is `before`."""
    if after is before:
        return None
    whole = before if kind == "undo" else after
    move = shown(whole, len(whole.steps) - 1)
    text = f"{'Taken back' if kind == 'undo' else 'Made again'}: “{move}”, by {by}."
    body = {"by": by, "move": whole.steps[-1].move, "after": after.fingerprint()}
    return Back(kind, body, Said(now, "notice", kind, text, data={"move": move}), move, after)


def reopening(before: Sitting, by: str, now: float) -> Back:
    """Reopen a closed game."""
    after, move = before.reopened(), "abandon"
    said = Said(now, "notice", "undo", f"Taken back: “{move}”, by {by}.", data={"move": move})
    return Back(
        "undo", {"by": by, "move": move, "reopens": True, "after": after.fingerprint()}, said, move, after
    )


def correcting(
    before: Sitting, after: Sitting, dropped: Sequence[str], at: int, move: str, by: str, now: float
) -> Back:
    """`move` replaces step `at`; `dropped`: the last moves, which no longer fit."""
    body = {
        "at": at,
        "move": move,
        "was": before.steps[at].move,
        "dropped": list(dropped),
        "by": by,
        "after": after.fingerprint(),
    }
    made, was = shown(after, at), shown(before, at)
    first = len(before.steps) - len(dropped)
    gone = [shown(before, first + k) for k in range(len(dropped))]
    data = {"at": at, "move": made, "dropped": gone}
    said = Said(now, "notice", "corrected", corrected(at, made, was, gone), data=data)
    return Back("correct", body, said, made, after)
