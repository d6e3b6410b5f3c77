"""Finds the step after which hidden things were revealed, according to the book."""

from __future__ import annotations

from collections.abc import Iterable

from table.journal.entries import Entry
from table.journal.fold import Sitting, Step


def opened_after(sitting: Sitting, entries: Iterable[Entry]) -> Step | None:
    """The step after which all agreed to reveal what was hidden, also if it was undone and can be redone.

    None if they did not agree, or if something else was played or corrected since. `entries`: those from which
    `sitting` was folded.
    """
    count = 0
    for entry in entries:
        if entry.kind == "note" and entry.body.get("note") == "opened":
            count = entry.body["steps"]
        elif entry.kind in ("play", "correct"):
            count = 0
    line = (*sitting.steps, *reversed(sitting.undone))
    return line[count - 1] if 0 < count <= len(line) else None
