"""The hash chain along a record: checks that its lines are still as they were written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from table.journal.entries import GENESIS, Entry, canonical, link
from table.journal.errors import JournalDamaged, ReplayDiffers


def fits(entry: Entry, before: str) -> bool:
    """Whether `entry` is unchanged and follows an entry with the chain value `before`.

    Raises a RecursionError for a body nested so deeply that it can only just be parsed.
    """
    text = canonical(entry.body)
    return entry.chain == link(before, entry.seq, entry.game, entry.kind, entry.at, text)


class Chain:
    """Checks the entries of one record as they pass, game after game.

    An entry can only be checked if the chain value of the entry before it is known: from the entry that passed last, or
    from `elsewhere`, by its number. If neither has it, an entry of another game stood between. `but`: kinds of entry
    that may have been changed legitimately.
    """

    def __init__(
        self, but: Collection[str] = (), elsewhere: Callable[[int], str | None] = lambda seq: None
    ) -> None:
        self._but, self._elsewhere = but, elsewhere
        self._changed: int | None = None
        self._last, self._before = 0, GENESIS

    def along(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Yield the entries of one game unchanged, checking each."""
        self._changed, first = None, True
        for entry in entries:
            if self._changed is None and not self._goes_on(entry, first):
                self._changed = entry.seq
            self._last, self._before, first = entry.seq, entry.chain, False
            yield entry

    def damage(self) -> JournalDamaged | None:
        """The first entry of that game that does not fit, if any."""
        if self._changed is None:
            return None
        return JournalDamaged(
            f"entry {self._changed} was changed after it was written, though every verdict comes out as recorded",
            "compare it with another copy of the record; the entries before it are sound",
        )

    def blamed(self, error: ReplayDiffers) -> ReplayDiffers:
        """The same error; if a line up to there does not fit, with another remedy: no other version would help."""
        if self._changed is None:
            return error
        return ReplayDiffers(
            error.cause,
            f"entry {self._changed} was changed after it was written, or stands there twice: compare it with another "
            "copy of the record; the entries before it are sound",
        )

    def _goes_on(self, entry: Entry, first: bool) -> bool:
        # the games of a record come in any order, but the entries of each in theirs
        if entry.seq <= (0 if first else self._last):
            return False
        before = self._chain_before(entry.seq)
        if before is None or entry.kind in self._but:
            return True
        try:
            return fits(entry, before)
        except RecursionError:
            return False

    def _chain_before(self, seq: int) -> str | None:
        if seq == 1:
            return GENESIS
        return self._before if seq == self._last + 1 else self._elsewhere(seq - 1)
