"""What of a game is written down, including notes that are no moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from firmware_bridge.clock import Clock
from table.desk.voice import Voice
from table.journal.entries import Act, Kind
from table.journal.errors import JournalError
from table.journal.fold import Sitting
from table.journal.store import Journal


class Minutes(Voice):
    """A game and its journal. It knows no rules: the desk decides what is a move."""

    def __init__(self, sitting: Sitting, journal: Journal, clock: Clock) -> None:
        super().__init__(clock)
        self.sitting = sitting
        self._journal = journal
        # a note to be written with the next act, and what is said then
        self._first: tuple[Act, Callable[[], None]] | None = None

    @property
    def name(self) -> str:
        return self.sitting.name

    def note(self, kind: str, /, **body: Any) -> bool:
        """Write down something that is no move (a seat handed on, a giant seated). False if that fails."""
        return self._written("note", {"note": kind, **body})

    @contextmanager
    def noting(self, kind: str, then: Callable[[], None], /, **body: Any) -> Iterator[None]:
        """Write such a note together with what is done within the block: both or neither.

        `then` is called between the two, once both are written. If nothing is done within the block, the note is
        written alone.
        """
        self._first = Act(self.name, "note", {"note": kind, **body}), then
        try:
            yield
            if self._first is not None:
                self._all_written(())
        finally:
            self._first = None

    def seat(self, seat: str, what: str) -> None:
        """Somebody took a seat, left it, handed it on or was sent away (`taken`, `left`, `handed`, `freed`).

        This takes effect and is announced even if the journal does not take it.
        """
        words = {
            "taken": f"somebody plays {seat} now",
            "left": f"nobody plays {seat} now",
            "handed": f"{seat} is played from another phone now",
            "freed": f"the host freed {seat}'s seat",
        }
        self.note("seat", seat=seat, what=what)
        self.tell(words[what], f"seat-{what}", seat=seat)

    def noted(self, what: str) -> list[Mapping[str, Any]]:
        """The notes of that kind in this game, oldest first."""
        entries = self._journal.entries(self.name)
        return [e.body for e in entries if e.kind == "note" and e.body.get("note") == what]

    def _written(self, kind: Kind, body: Mapping[str, Any], told: Mapping[str, Any] | None = None) -> bool:
        return self._all_written([Act(self.name, kind, body, told)])

    def _all_written(self, acts: Sequence[Act]) -> bool:
        try:
            self._append(acts)
        except JournalError as error:
            self.fault(error)
            return False
        return True

    def _append(self, acts: Sequence[Act]) -> None:
        """Write all acts or none. Raises a `JournalError`; then none is written."""
        first, self._first = self._first, None
        self._journal.append_all([*(() if first is None else first[:1]), *acts])
        if first is not None:
            first[1]()
