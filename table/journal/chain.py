"""The chain of hashes, followed along a record: whether its lines are still as they were written."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from table.journal.entries import GENESIS, Entry, canonical, link
from table.journal.errors import JournalDamaged


def fits(entry: Entry, before: str) -> bool:
    """Whether `entry` is as it was written, behind an entry with the chain value `before`.

    Raises a RecursionError for a body that could be read by a hair.
    """
    text = canonical(entry.body)
    return entry.chain == link(before, entry.seq, entry.game, entry.kind, entry.at, text)


class Chain:
    """Looks at the entries of one record in passing. Where the one before stands elsewhere (another game of the book
    came between) a line cannot be compared. `but`: kinds that may have been changed in good faith."""

    def __init__(self, but: Collection[str] = ()) -> None:
        self._but = but
        self._changed: int | None = None
        self._last, self._before = 0, GENESIS

    def along(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """The same entries."""
        for entry in entries:
            if self._changed is None and not self._goes_on(entry):
                self._changed = entry.seq
            self._last, self._before = entry.seq, entry.chain
            yield entry

    def damage(self) -> JournalDamaged | None:
        """The first of them that does not fit, if one does not."""
        if self._changed is None:
            return None
        return JournalDamaged(
            f"entry {self._changed} was changed after it was written, though every verdict comes out as recorded",
            "compare it with another copy of the record; the entries before it are sound",
        )

    def _goes_on(self, entry: Entry) -> bool:
        if entry.seq != self._last + 1:
            return entry.seq > self._last
        if entry.kind in self._but:
            return True
        try:
            return fits(entry, self._before)
        except RecursionError:
            return False
