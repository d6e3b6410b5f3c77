"""The sound file named in a line, relative to the list's folder, whoever wrote the list."""

from __future__ import annotations

import os
from pathlib import Path

from calibration.errors import RecordingsError


def inside(where: str, folder: Path, file: str) -> str:
    """The name relative to the list's folder. Links may lead elsewhere, names may not. Raises RecordingsError, which
    begins with `where`."""
    file = from_the_list(folder, file)
    if Path(file).is_absolute() or Path(os.path.normpath(file)).parts[:1] == ("..",):
        raise RecordingsError(
            f"{where} points outside its folder ({file})", "keep sound files beside the list"
        )
    return file


def from_the_list(folder: Path, file: str) -> str:
    """An absolute path, as some programs write it, made relative to the list's folder; unchanged where it leads
    elsewhere. A name with backslashes is the file of that very name where it exists, else a Windows path."""
    if "\\" in file and not os.path.lexists(folder / file):
        file = file.replace("\\", "/")
    if not Path(file).is_absolute():
        return file
    whole = Path(os.path.normpath(file))
    near = next((one for one in (folder.absolute(), folder.resolve()) if whole.is_relative_to(one)), None)
    return file if near is None else str(whole.relative_to(near))
