"""Writes the wizard's takes: the sound first, then its line in the list."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from calibration.recordings import folder as store
from calibration.recordings.folder import Recording
from calibration.recordings.occasion import Now, now
from calibration.recordings.recorder import TakeHeard
from calibration.recordings.room import RecordingsFull
from calibration.recordings.sweep import Sweep, file_name
from firmware_bridge.errors import UsageError
from firmware_bridge.host.durable import make_directory, write_whole
from firmware_bridge.host.uninterrupted import uninterrupted
from table.commands.record_way import Way

NO_NAME = set('/\\<>:"|?*')


def names_files(name: str) -> bool:
    """Whether it can be a folder's name, and a word in the list."""
    return (
        bool(name)
        and name.isprintable()
        and name[0] not in ". "
        and not set(name) & NO_NAME
        and len(name) <= 60
    )


def check_name(option: str, name: str | None) -> None:
    """Check a name that becomes a folder. Raises UsageError."""
    if name is None or names_files(name):
        return
    raise UsageError(
        f"{option} {name!r} is no name for files",
        "take up to 60 letters, digits, spaces, - and _, such as table-1",
    )


def prepare(folder: Path) -> None:
    """Create the folder if necessary. Raises UsageError if it cannot take recordings."""
    try:
        make_directory(folder)
        why = "" if os.access(folder, os.W_OK | os.X_OK) else "it may not be written to"
    except OSError as error:
        why = "it is a file" if folder.is_file() else error.strerror or str(error)
    if why:
        raise UsageError(
            f"{folder} cannot take recordings ({why})", "name a folder of your own; a new one is made"
        )


@contextlib.contextmanager
def not_left_empty(folder: Path) -> Iterator[None]:
    """Delete a folder that was created for recordings but got none."""
    there = folder.exists()
    try:
        yield
    finally:
        if not there:
            with contextlib.suppress(OSError):  # it is not empty
                folder.rmdir()


def keep(
    folder: Path, sweep: Sweep, beads: int, have: list[Recording], device: str, player: str, session: str,
    take: TakeHeard, rate: float, rejected: str | None, way: Way, *, source: str = "default",
) -> Recording:  # fmt: skip
    """Write a take's sound, and then its line. Raises RecordingsFull."""
    name = file_name(sweep, beads, have, folder)
    write_sound(folder / name, take, rate, way)  # on the disk before the list names it
    at = now()
    more: dict[str, Any] = (
        {"order": len(have), "counts": [*sweep.counts], "source": source} | at.keys() | way.more
    )
    if take.shake is not None:
        more["strength"] = round(take.shake.strength, 3)
    if take.node is not None:
        more["node"] = take.node
    if source == "mock":
        more["simulated"] = True
    by = {"device": device, "player": player, "session": session}
    return _append(folder, name, sweep, beads, way, at, by=by, rejected=rejected, more=more)


def write_sound(path: Path, take: TakeHeard, rate: float, way: Way) -> None:
    """Write the sound alone. Raises RecordingsFull."""
    import soundfile

    kind = "FLOAT" if way.sensor == "accelerometer" else "PCM_16"
    try:
        sound = io.BytesIO()
        with uninterrupted():
            soundfile.write(sound, take.samples, round(rate), format="WAV", subtype=kind)
        write_whole(path, sound.getvalue(), 0o644)
    except (OSError, soundfile.LibsndfileError) as error:
        raise RecordingsFull(
            f"{path} could not be written ({error})",
            "make room on the disk, or see who may write there; everything recorded so far is kept",
        ) from error


def without_line(
    folder: Path, sweep: Sweep, beads: int, take: TakeHeard, rate: float, way: Way
) -> str | None:
    """Save the sound although the list accepts no line any more; returns its name, or None if the folder is gone."""
    if not folder.is_dir():
        return None
    name = file_name(sweep, beads, (), folder)
    write_sound(folder / name, take, rate, way)
    return name


def reject(
    folder: Path, sweep: Sweep, beads: int, have: list[Recording], device: str, player: str, session: str,
    why: str, way: Way,
) -> Recording:  # fmt: skip
    """Write a line without sound, which moves the igloo to the end."""
    name, more = file_name(sweep, beads, have, folder), {"counts": [*sweep.counts]} | way.more
    by = {"device": device, "player": player, "session": session}
    return _append(folder, name, sweep, beads, way, now(), by=by, rejected=why, more=more)


def _append(
    folder: Path,
    name: str,
    sweep: Sweep,
    beads: int,
    way: Way,
    at: Now,
    *,
    by: dict[str, str],
    rejected: str | None,
    more: dict[str, Any],
) -> Recording:
    """Add a take's line to the list, under its device, player and session. Raises RecordingsFull."""
    line = Recording(
        folder=folder,
        file=name,
        sensor=way.sensor,
        beads=beads,
        igloo=f"{by['device']}-{beads}",
        **by,
        set=sweep.name,
        pair=None,
        taken=at.taken(),
        rejected=rejected,
        more=more,
    )
    try:
        store.append(line)
    except OSError as error:
        raise RecordingsFull(
            f"{line.folder / store.LIST} could not be written ({error.strerror})",
            "check its permissions and the room on the disk; everything recorded so far is kept",
        ) from error
    return line
