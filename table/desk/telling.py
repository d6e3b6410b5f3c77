"""The public part of an act: the only thing that leaves the table, for a broker and its subscribers.

It is what a spectator's page would show, and no more: the position through `view(None)`, a move through `redact`, and
the sentences for everybody. Seeds, evidence, odds and whatever only one seat may know stay in the journal.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rules.core.game import Event
from table.desk.said import Said, spoken
from table.journal.fold import Sitting

LONGEST = 2000  # characters of a sentence
MOST_SENTENCES = 40  # sentences of one act; a correction may replay a whole game


def telling(after: Sitting, said: Iterable[Said] = (), move: str | None = None) -> dict[str, Any]:
    """What to publish of an act that led to `after`. `move`: as a spectator may see it (`shown`)."""
    view = after.game.view(after.state, None)
    sentences = [
        {"event": s.event, "tone": s.tone, "rule": s.rule, "text": spoken(s.text)[:LONGEST]}
        for s in said
        if s.to is None
    ]
    return {
        "of": after.game.name,
        "players": list(view.get("players") or view.get("seats") or ()),
        "phase": view["phase"],
        "to_act": list(view["to_act"]),
        "over": view["over"],
        "move": move,
        "said": sentences[:MOST_SENTENCES],
    }


def public(events: Iterable[Event]) -> list[Said]:
    """The sentences of the rules that are for everybody."""
    return [
        Said(0.0, "over" if e.event == "over" else "told", e.event, e.text, e.rule)
        for e in events
        if e.to is None
    ]


def shown(sitting: Sitting, at: int) -> str:
    """The move of step `at` as a spectator may see it."""
    before = sitting.steps[at - 1].state if at else sitting.start
    return sitting.game.redact(before, sitting.steps[at].move, None)
