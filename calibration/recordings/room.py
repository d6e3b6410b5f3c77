"""Disk space for recordings: a quota on their folder and a reserve on the disk, checked before each is written."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from firmware_bridge.errors import PolartableError

MOST_BYTES = 8 * 2**30  # of one folder: some twenty thousand shakes of a microphone
LEAST_FREE = 200 * 2**20  # bytes: the table's journal lives on the same card


class RecordingsFull(PolartableError, OSError):
    """No room for another recording; what was recorded is kept."""

    number = 212


def folder_bytes(folder: Path) -> int:
    """The bytes in a folder and everything below it; links are not followed."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(place, name)).st_size  # noqa: PTH118 - thousands of files, quickly
            except FileNotFoundError:
                continue
    return total


def check_room(folder: Path, more: int, most: int = MOST_BYTES, least_free: int = LEAST_FREE) -> None:
    """Raises RecordingsFull unless `more` bytes may be written below `folder`."""
    there = folder
    while not there.exists():
        there = there.parent
    free = shutil.disk_usage(there).free
    if free - more < least_free:
        raise RecordingsFull(
            f"only {free / 2**20:,.0f} MiB are free on the disk with {folder}, and {least_free / 2**20:,.0f} are to "
            "stay so",
            "make room, or record into a folder on another disk; everything recorded so far is kept",
        )
    taken = folder_bytes(folder)
    if taken + more > most:
        raise RecordingsFull(
            f"{folder} holds {taken / 2**20:,.0f} MiB of recordings, and may hold {most / 2**20:,.0f}",
            "begin another folder",
        )
