"""Books that were changed behind the table's back, and disks that let nobody write."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from table.journal.errors import JournalReadOnly
from table.journal.store import Journal


def bend(book: Path, seq: int, body: str) -> None:
    """That body in place of the one which the entry has; its chain is as before."""
    with sqlite3.connect(book) as db:
        db.execute("DROP TRIGGER IF EXISTS no_change")
        db.execute("UPDATE entries SET body = ? WHERE seq = ?", (body, seq))
    db.close()


@contextlib.contextmanager
def read_only(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As a disk that is mounted so: neither the book nor a lock beside it may be written."""

    def barred(self: Journal) -> None:
        raise JournalReadOnly(f"the journal {self.path} may not be written", "mount it for writing")

    opened = os.open

    def no_lock(path: Any, flags: int, *more: Any, **named: Any) -> int:
        if flags & os.O_CREAT and str(path).endswith(".lock"):
            raise OSError(errno.EROFS, "Read-only file system")
        return opened(path, flags, *more, **named)

    with monkeypatch.context() as disk:
        disk.setattr(Journal, "_open", barred)
        disk.setattr(os, "open", no_lock)
        yield
