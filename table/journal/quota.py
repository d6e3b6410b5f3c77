"""Tells a full disk from a book that has reached its quota."""

from __future__ import annotations

import sqlite3

from table.journal.errors import JournalFull

# pages that one entry may need beyond those it fills: tables and indexes may grow a level
_SPLITS = 8


def quota_reached(db: sqlite3.Connection, name: str, error: sqlite3.Error, size: int) -> JournalFull | None:
    """The error if the book has no room left for `size` characters; None if its quota is not the reason."""
    if "full" not in str(error):
        return None
    pages, unused, most, page = (
        int(db.execute(f"PRAGMA {what}").fetchone()[0])
        for what in ("page_count", "freelist_count", "max_page_count", "page_size")
    )
    if pages - unused + size // page + _SPLITS < most:
        return None
    return JournalFull(
        f"the journal {name} has reached its quota of {most * page / 2**20:,.0f} MiB; the last act was not taken",
        "start the table again: a full book with earlier games in it is then put away; or give it more: "
        "[journal] most_mb",
    )
