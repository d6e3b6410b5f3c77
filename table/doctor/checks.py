"""All checks in their order. Numbers stay; a check that goes takes its number along."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from firmware_bridge.errors import PolartableError
from table.config import Settings, data_directory
from table.doctor import machine, senses
from table.doctor.findings import Check, Finding, good


def all_checks(settings: Settings) -> tuple[Check, ...]:
    """The doctor's list for a table with these settings."""
    book = settings.journal.file or data_directory() / "journal.sqlite"
    return (
        Check(1, "Python", machine.python),
        Check(2, "packages", machine.packages),
        Check(3, "disk", partial(machine.disk, book.parent)),
        Check(4, "clock", lambda: machine.clock(datetime.now(UTC))),
        Check(5, "power", machine.power),
        Check(6, "warmth", machine.warmth),
        Check(7, "sound system", senses.portaudio),
        Check(8, "microphones", partial(senses.microphones, settings)),
        Check(9, "serial ports", partial(senses.ports, settings)),
        Check(10, "pins", partial(senses.pins, settings)),
        Check(11, "profile of the ear", partial(senses.profile, settings)),
        Check(12, "journal", partial(journal, book)),
    )


def journal(book: Path) -> Finding:
    """Whether every entry is as it was written."""
    from table.journal.store import Journal

    if not book.exists():
        return Finding("not here", f"no journal yet ({book})")
    try:
        with Journal(book) as opened:
            return good(f"{opened.verify()} entries of {len(opened.games())} games, all sound")
    except PolartableError as error:
        return Finding("bad", error.cause, error.mend)
