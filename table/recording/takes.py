"""The takes in the folder's list, of which pages throw out what went wrong."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from calibration.recordings import folder as store
from calibration.recordings.folder import Recording
from calibration.recordings.throw_out import throw_out
from firmware_bridge.errors import PolartableError
from table.recording.desk import RecordingDesk

# what asks for a take's igloo again: the take, the list without it, and the sweep that is being recorded
Again = Callable[[Recording, list[Recording], str | None], str]


class Takes:
    """Read and thrown out by all pages. Other runs and other programs change the list too."""

    def __init__(self, folder: Path, desk: RecordingDesk, again: Again) -> None:
        self._folder, self._desk, self._again = folder, desk, again
        self._one = threading.Lock()
        self._read: tuple[object, list[Recording]] | None = None

    def stamp(self) -> object:
        """Another one for every change of the list."""
        try:
            found = (self._folder / store.LIST).stat()
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def read(self) -> list[Recording]:
        """The takes, in the list's order. Raises RecordingsError if it cannot be read."""
        stamp = self.stamp()
        if stamp is None:
            return []
        if self._read is None or self._read[0] != stamp:
            self._read = stamp, list(store.read(self._folder, lambda _: None))
        return self._read[1]

    def may_throw_out(self) -> bool:
        """Whether a take may be thrown out now: not while it listens, for whoever shakes has no hand free."""
        return self._desk.phase in ("idle", "asks")

    def throw_out(self, file: str) -> None:
        """Throw that take out, and tell everybody what asks for its igloo again; nothing if somebody did so before.

        It waits for the disk, and for a run that writes into the same list.
        """
        with self._one:
            try:
                if any(take.file == file and take.rejected is not None for take in self.read()):
                    return
                take, *_ = throw_out(self._folder, [file])
                have = self.read()
            except PolartableError as error:
                self._desk.tell(str(error))
                return
        at = self._desk.shown()
        under_way = at.turn.sweep if at.turn is not None and at.phase != "idle" else None
        self._desk.tell(f"{take.file}: thrown out; {self._again(take, have, under_way)}.")
        self._desk.ask_anew(take.set)
