"""Watches whether the journal of a running table is still in its place.

An act would notice it as well; but a table at which nobody acts must turn red, too, and its lock must keep others out.
"""

from __future__ import annotations

from collections.abc import Callable

from table.desk.desk import Desk
from table.journal.store import Journal


class BookWatch:
    """Reports once when the journal is lost, and once when it is back. `desk`: the one on the table."""

    def __init__(self, journal: Journal, desk: Callable[[], Desk]) -> None:
        self._journal, self._desk = journal, desk
        self._lost = False

    def tick(self) -> None:
        lost, desk = self._journal.lost(), self._desk()
        if lost is None and self._lost:
            desk.tell("The journal can be written again: the game goes on", "journal-back")
        elif lost is not None and not self._lost and not _says(desk, str(lost)):
            desk.fault(lost)
        self._lost = lost is not None


def _says(desk: Desk, text: str) -> bool:
    """Whether an act has already reported it."""
    return bool(desk.said) and desk.said[-1].text == text
