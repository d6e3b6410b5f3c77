"""Names that look alike and are not: a letter with an accent is one sign, or two (Unicode's NFC and NFD).

Keyboards write one, and a Mac's disks and archives two: a list that was written here and files that were packed there
do not find one another.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def alike(name: str, other: str) -> bool:
    """Are they one name to whoever reads them?"""
    return name == other or _one_sign(name) == _one_sign(other)


def is_in(name: str, text: str) -> bool:
    """Is it named there, to whoever reads that?"""
    return _one_sign(name) in _one_sign(text)


def on_disk(path: Path) -> Path:
    """The path itself where it exists, else the one there is that looks like it; itself where there is none, or
    several."""
    found = [path] if os.path.lexists(path) else spelled_otherwise(path)
    return found[0] if len(found) == 1 else path


def spelled_otherwise(path: Path) -> list[Path]:
    """What there is, at whatever folders on the way, that looks like a path that does not exist."""
    if str(path).isascii():
        return []
    places = [Path(path.anchor)]
    for part in path.relative_to(path.anchor).parts:
        places = [there for place in places for there in _in(place, part)]
    return places


def _in(folder: Path, name: str) -> Iterator[Path]:
    if os.path.lexists(folder / name):
        yield folder / name
    elif not name.isascii():
        # a folder that may not be looked into has nothing that could be meant
        with suppress(OSError):
            yield from (there for there in sorted(folder.iterdir()) if alike(name, there.name))


def in_other_case(path: Path) -> list[Path]:
    """What there is, at whatever folders on the way, that differs from a path that does not exist by the case of
    letters alone. It may be another thing all the same: it is there to be told."""
    places = [Path(path.anchor)]
    for part in path.relative_to(path.anchor).parts:
        places = [there for place in places for there in _in_any_case(place, part)]
    return places


def _in_any_case(folder: Path, name: str) -> Iterator[Path]:
    if os.path.lexists(folder / name):
        yield folder / name
    else:
        small = name.lower()
        # names alone, for a list may miss thousands of files in a folder of thousands
        with suppress(OSError), os.scandir(folder) as there:
            yield from (folder / one for one in sorted(e.name for e in there if e.name.lower() == small))


def _one_sign(name: str) -> str:
    return unicodedata.normalize("NFC", name)
