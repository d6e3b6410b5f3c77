"""What the nearest list says about one sound file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from calibration.errors import RecordingsError
from calibration.recordings import folder as store
from calibration.recordings.folder import LIST, Complain, Recording
from calibration.recordings.json_line import loads
from calibration.recordings.listed_file import from_the_list
from firmware_bridge.host.spelling import alike, is_in

DEEPEST = 4  # folders between a list and its files


def listed(path: Path, complain: Complain = lambda _: None) -> Recording | None:
    """The line about a sound file in the nearest list; None if no list mentions it, or none can be read.

    `complain` gets what is wrong with the list, or with a line about this file; other lines are of no concern here.
    """
    whole = path.absolute()
    folder = next((there for there in islice(whole.parents, DEEPEST) if (there / LIST).is_file()), None)
    if folder is None:
        return None
    name = os.path.normpath(whole.relative_to(folder))
    found: list[Recording] = []
    try:
        for number, line in _mentioning(folder, Path(name).name):
            try:
                recording = store.parse_line(folder, number, line)
            except RecordingsError as error:
                if _is_about(folder, line, name):
                    complain(error)
            else:
                found += [recording] if alike(recording.below, name) else []
    except RecordingsError as error:
        complain(error)
        return None
    return next((r for r in found if r.below == name), found[0] if found else None)


def _mentioning(folder: Path, name: str) -> Iterator[tuple[int, str]]:
    """The lines of a list that may be about a file of that name, and perhaps some others.

    Lists have a hundred thousand lines and more, and parsing them takes far longer than to search them.
    """
    plain = name.isascii() and not {'"', "\\"} & set(name)
    for number, line in store.lines(folder):
        # JSON may write any letter as an escape, and letters beyond ASCII are spelled in two ways
        otherwise = "\\u" in line if plain else "\\" in line or not line.isascii()
        if otherwise or name in line:
            yield number, line


def _is_about(folder: Path, line: str, name: str) -> bool:
    """Whether an unusable line is about the file of that name below the folder."""
    try:
        entry = loads(line)
    except (ValueError, RecursionError):
        return is_in(f'"{name}"', line)
    file = entry.get("file") if isinstance(entry, dict) else None
    return isinstance(file, str) and alike(os.path.normpath(from_the_list(folder, file)), name)
