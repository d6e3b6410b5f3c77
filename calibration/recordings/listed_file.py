"""The sound file that a line of a list names, as it is seen from the list's folder, whoever wrote the list."""

from __future__ import annotations

import os
from pathlib import Path

from calibration.errors import RecordingsError


def inside(where: str, folder: Path, file: str) -> str:
    """The name as it is seen from the list's folder: links may lead elsewhere, names may not. Raises RecordingsError,
    which begins with `where`."""
    file = from_the_list(folder, file)
    if Path(file).is_absolute() or Path(os.path.normpath(file)).parts[:1] == ("..",):
        raise RecordingsError(
            f"{where} points outside its folder ({file})", "keep sound files beside the list"
        )
    return file


def from_the_list(folder: Path, file: str) -> str:
    """A whole path, as some programs write it, seen from the list's folder; as it is where it leads elsewhere. One with
    the backslashes of Windows is the file of that name, where there is one, else what Windows means by it."""
    if "\\" in file and not os.path.lexists(folder / file):
        file = file.replace("\\", "/")
    if not Path(file).is_absolute():
        return file
    whole = Path(os.path.normpath(file))
    near = next((one for one in (folder.absolute(), folder.resolve()) if whole.is_relative_to(one)), None)
    return file if near is None else str(whole.relative_to(near))
