"""Errors of the book, each with its remedy (6xx)."""

from __future__ import annotations

import os
import sqlite3

from firmware_bridge.errors import PolartableError


class JournalError(PolartableError):
    """The journal cannot be used."""

    number = 600


class JournalFull(JournalError):
    """No room to write: nothing was acknowledged."""

    number = 601


class JournalReadOnly(JournalError):
    """The disk or the file may not be written."""

    number = 602


class JournalDamaged(JournalError):
    """The file is no journal, or a line in it was changed."""

    number = 603


class JournalTooNew(JournalError):
    """Written by a later version of Polartable."""

    number = 604


class JournalBusy(JournalError):
    """Another process holds the book."""

    number = 605


class NoSuchGame(JournalError, LookupError):
    """The journal holds no game of that name."""

    number = 606


class ReplayDiffers(JournalError):
    """Playing a record again does not lead to the same verdicts."""

    number = 607


class JournalGone(JournalError):
    """The book is no longer where the running table opened it, or was overwritten there."""

    number = 609


def from_sqlite(error: sqlite3.Error, path: str) -> JournalError:
    """The error sentence for what SQLite reports."""
    text = str(error).lower()
    if "full" in text or "disk i/o" in text:
        return JournalFull(
            f"the journal {path} could not be written ({error}); the last act was not taken",
            "make room on the disk and do it again; everything acknowledged is kept",
        )
    # Path.is_dir raises for a folder without permission
    if os.path.isdir(path):  # noqa: PTH112
        return JournalReadOnly(f"the journal {path} is a folder", "name a file in it")
    if "readonly" in text or "read-only" in text or "unable to open" in text:
        return JournalReadOnly(
            f"the journal {path} may not be written ({error})",
            "check who owns the file and whether the disk is mounted read-only",
        )
    if "locked" in text or "busy" in text:
        return JournalBusy(
            f"another process writes the journal {path}", "end the other Polartable, or give another file"
        )
    return JournalDamaged(
        f"{path} cannot be read as a journal ({error})",
        "restore the file from a copy, or start with a new one",
    )
