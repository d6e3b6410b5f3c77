"""Groups complaints that differ only in their file."""

from __future__ import annotations

from calibration.recordings.folder import Complain
from calibration.words import many
from firmware_bridge.errors import PolartableError


class Grouped:
    """Reports complaints that differ only in their file once, with their number. For loops with many similar errors."""

    def __init__(self, complain: Complain) -> None:
        self._complain = complain
        self._kinds: dict[tuple[type, str, str], list[str]] = {}

    def __call__(self, error: PolartableError) -> None:
        file, colon, cause = error.cause.partition(": ")
        key = (type(error), cause if colon else error.cause, error.mend)
        self._kinds.setdefault(key, []).append(file if colon else "")

    def tell(self) -> None:
        """Report everything that was collected, one sentence per kind."""
        for (kind, cause, mend), files in self._kinds.items():
            where = (
                files[0] if len(files) == 1 else f"{many(len(files), 'recording')} ({files[0]} and others)"
            )
            self._complain(kind(f"{where}: {cause}" if files[0] else cause, mend))
        self._kinds.clear()
