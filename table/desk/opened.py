"""After which step what was hidden was opened, as the book has it."""

from __future__ import annotations

from collections.abc import Iterable

from table.journal.entries import Entry
from table.journal.fold import Sitting, Step


def opened_after(sitting: Sitting, entries: Iterable[Entry]) -> Step | None:
    """The step after which all agreed to look at what was hidden, also if it was taken back and can be made again.

    None where they did not agree, or where something else was played or corrected since. `entries`: those from which
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
