"""A disk that has no room for what the journal is to write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from table.journal.entries import Act, Entry
from table.journal.errors import JournalFull
from table.journal.store import Journal


@contextmanager
def full_disk(
    monkeypatch: pytest.MonkeyPatch,
    room_for: int = 0,
    text: str = "the journal could not be written",
    mend: str = "make room",
) -> Iterator[None]:
    """`room_for`: so many entries are still written."""
    written, write = 0, Journal._append

    def full(self: Journal, acts: Sequence[Act]) -> list[Entry]:
        nonlocal written
        written += len(acts)
        if written > room_for:
            raise JournalFull(text, mend)
        return write(self, acts)

    with monkeypatch.context() as disk:
        disk.setattr(Journal, "_append", full)
        yield
