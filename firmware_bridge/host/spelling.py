"""Names that look alike but differ: a letter with an accent is one code point, or two (Unicode's NFC and NFD).

Keyboards write the first, a Mac's disks and archives the second, so a list written here does not match files packed
there.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path


def alike(name: str, other: str) -> bool:
    """Do they look the same to a reader?"""
    return name == other or _one_sign(name) == _one_sign(other)


def is_in(name: str, text: str) -> bool:
    """Does a reader see that name in the text?"""
    return _one_sign(name) in _one_sign(text)


def on_disk(path: Path) -> Path:
    """The path itself where it exists, else the only existing one that looks like it; the path itself where there is
    none, or more than one."""
    found = [path] if os.path.lexists(path) else spelled_otherwise(path)
    return found[0] if len(found) == 1 else path


def spelled_otherwise(path: Path) -> list[Path]:
    """Existing paths that look like a missing one, through folders spelled in any way."""
    return [] if str(path).isascii() else _followed(path, _in)


def _in(folder: Path, name: str) -> Iterator[Path]:
    if os.path.lexists(folder / name):
        yield folder / name
    elif not name.isascii():
        # a folder that we may not read contains no candidates
        with suppress(OSError):
            yield from (there for there in sorted(folder.iterdir()) if alike(name, there.name))


def in_other_case(path: Path) -> list[Path]:
    """Existing paths that differ from a missing one only by the case of letters, through any folders. They may be
    different files: the result is for messages only."""
    return _followed(path, _in_any_case)


def _followed(path: Path, named: Callable[[Path, str], Iterator[Path]]) -> list[Path]:
    """Where `path` may lead, if in each folder all that counts as `named` like the next part is followed."""
    places = [Path(path.anchor)]
    for part in path.relative_to(path.anchor).parts:
        places = [there for place in places for there in named(place, part)]
    return places


def _in_any_case(folder: Path, name: str) -> Iterator[Path]:
    if os.path.lexists(folder / name):
        yield folder / name
    else:
        small = name.lower()
        # compare names only: a list may miss thousands of files in a folder of thousands
        with suppress(OSError), os.scandir(folder) as there:
            yield from (folder / one for one in sorted(e.name for e in there if e.name.lower() == small))


def _one_sign(name: str) -> str:
    return unicodedata.normalize("NFC", name)
