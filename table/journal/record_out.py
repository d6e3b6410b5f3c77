"""Writes the record of a game to a file of its own: it may replace an older record, and never a journal."""

from __future__ import annotations

from pathlib import Path

from firmware_bridge.errors import UsageError
from firmware_bridge.host.durable import write_whole
from table.journal.errors import JournalReadOnly
from table.out_file import check_out

# magic bytes of a SQLite file, and of its write-ahead log in both byte orders: https://sqlite.org/fileformat2.html
_DATABASES = (b"SQLite format 3\0", b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
MEND = "name another file"
_BESIDE = ("", "-wal", "-shm", ".lock")  # suffixes: the book, and its companion files while it is open


def write_record(text: str, out: Path, book: Path, begins: bytes) -> None:
    """Write `text` to `out` atomically; a pipe or device is written directly.

    begins: how a record of this kind begins (see `check_out`); only such a file is replaced. Raises UsageError if `out`
    is no file name, is `book` or another journal, or would overwrite something else; JournalReadOnly if it cannot be
    written.
    """
    if "\0" in str(out):
        raise UsageError(f"{str(out)!r} is no name of a file: it has a zero byte", MEND)
    try:
        if _is_journal(out, book):
            raise UsageError(f"{out} is a journal or belongs to one, and would be lost", MEND)
        if out.exists() and not out.is_file() and not out.is_dir():
            out.write_text(text, encoding="utf-8")
        else:
            check_out(out, begins, replaced=True)
            write_whole(out, text.encode(), 0o644)
    except OSError as error:
        raise JournalReadOnly(f"{out} cannot be written ({error.strerror})", MEND) from error


def _is_journal(out: Path, book: Path) -> bool:
    there, whole = out.resolve(), book.resolve()
    if there in [whole.with_name(whole.name + ending) for ending in _BESIDE]:
        return True
    if not there.is_file():
        return False
    with there.open("rb") as file:
        return file.read(16).startswith(_DATABASES)
