"""The broker of the fleet: is its port open, and how many events wait for it?"""

from __future__ import annotations

import socket
import sqlite3
from pathlib import Path

from firmware_bridge.errors import PolartableError
from table.config import Settings
from table.doctor.findings import Finding, good

ANSWER_S = 2.0


def broker(settings: Settings, book: Path) -> Finding:
    """Whether the broker's port is open, and what waits in the outbox of `book`."""
    fleet = settings.fleet
    if fleet.broker is None:
        return Finding("not here", "the settings name no broker")
    try:
        place = fleet.place()
    except PolartableError as error:
        return Finding("bad", error.cause, error.mend)
    waiting = _waiting(book)
    words = "" if waiting is None else f"; {waiting} events wait for it"
    try:
        with socket.create_connection((place.broker.host, place.broker.port), ANSWER_S):
            return good(f"somebody listens at {place.broker}; this table is {place.table!r}{words}")
    except OSError as error:
        return Finding(
            "look",
            f"nobody listens at {place.broker} ({error.strerror or error}){words}",
            "start the broker, or check [fleet] broker; the table plays without it",
        )


def _waiting(book: Path) -> int | None:
    """How many events the broker has not acknowledged; None if the journal has no outbox (yet)."""
    if not book.exists():
        return None
    try:
        db = sqlite3.connect(f"{book.absolute().as_uri()}?mode=ro", uri=True, timeout=1.0)
        try:
            newest = db.execute("SELECT coalesce(max(n), 0) FROM outbox").fetchone()[0]
            reached = db.execute("SELECT value FROM outbox_facts WHERE name = 'reached'").fetchone()[0]
        finally:
            db.close()
    except sqlite3.Error:
        return None
    return max(0, int(newest) - int(reached))
