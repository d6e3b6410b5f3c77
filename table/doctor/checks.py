"""All checks in their order. Numbers are permanent: that of a removed check is not reused."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from calibration.words import many
from firmware_bridge.errors import PolartableError
from table.config import Settings
from table.doctor import fleet, machine, senses, service, sound
from table.doctor.findings import Check, Finding, good
from table.places import data_directory
from table.senses.tap_wire import COUNTING_SEAT
from table.senses.watchdog import Senses

_OTHERWISE = (
    "the table begins another one and keeps it in the journal, where it can be read; nothing is to be done"
)


def all_checks(settings: Settings, file: Path | None = None, live: Senses | None = None) -> tuple[Check, ...]:
    """The doctor's list for a table with these settings, which came from `file`.

    `live`: the senses of the running table, if it checks itself. Its own microphones are then not opened a second time;
    the states of their watchdogs are used.
    """
    book = settings.journal.book
    return (
        Check(1, "Python", machine.python),
        Check(2, "packages", machine.packages),
        Check(3, "disk", partial(machine.disk, book.parent)),
        Check(4, "clock", lambda: machine.clock(datetime.now(UTC), written=last_written(book))),
        Check(5, "power", machine.power),
        Check(6, "warmth", machine.warmth),
        Check(7, "sound system", sound.portaudio),
        Check(
            8, "microphones", partial(sound.microphones, settings) if live is None else partial(awake, live)
        ),
        Check(9, "serial ports", partial(senses.ports, settings)),
        Check(10, "pins", partial(senses.pins, settings)),
        Check(11, "profile of the ear", partial(sound.profile, settings)),
        Check(12, "journal", partial(journal, book)),
        Check(13, "other programs", partial(senses.strangers, settings)),
        Check(14, "settings", partial(service.settings_file, file)),
        Check(15, "starts", partial(service.starts, data_directory())),
        Check(16, "service", service.installed),
        Check(17, "broker", partial(fleet.broker, settings, book)),
    )


def awake(live: Senses) -> Finding:
    """The microphones that the table hears now, the igloos that it feels, and its counting seat."""
    heard = ("microphone of ", "igloos of ", COUNTING_SEAT)
    dogs = [dog for dog in live.dogs.values() if dog.source.startswith(heard)]
    for dog in dogs:
        if dog.state != "healthy":
            return Finding("bad", f"{dog.source}: {dog.why}", dog.mend)
        if dog.mute:
            return Finding("bad", f"{dog.source} is quite silent", sound.MUTED)
    if not dogs:
        return Finding("not here", "the settings name no microphone")
    return good(f"{len(dogs)} of {len(dogs)} are heard")


def last_written(book: Path) -> datetime | None:
    """When the journal's last entry was written; None if that is unknown (check 12 says why)."""
    from table.journal.store import Journal

    if not book.exists():
        return None
    try:
        with Journal(book) as opened:
            at = opened.written_last()
        return None if at is None else datetime.fromisoformat(at).astimezone(UTC)
    except (PolartableError, ValueError, OverflowError):
        return None


def journal(book: Path) -> Finding:
    """Whether every entry is unchanged."""
    from table.games import GAMES
    from table.journal.errors import NoSuchGame, ReplayDiffers
    from table.journal.fold import fold
    from table.journal.store import Journal

    if not book.exists():
        return Finding("not here", f"no journal yet ({book})")
    try:
        with Journal(book) as opened:
            entries, games = opened.verify(), len(opened.games())
            last = opened.begun_last()
            if last is not None:
                try:
                    fold(opened.entries(last), GAMES)
                except (NoSuchGame, ReplayDiffers) as error:
                    return Finding("look", f"{last} cannot go on here: {error.cause}", _OTHERWISE)
            return good(f"{many(entries, 'entry', 'entries')} of {many(games, 'game')}, all sound")
    except PolartableError as error:
        return Finding("bad", error.cause, error.mend)
