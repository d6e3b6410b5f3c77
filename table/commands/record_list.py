"""A folder's list during the recording: others may add to it, break it, or remove it in the meantime."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from calibration.errors import RecordingsError
from calibration.recordings import folder as store
from calibration.recordings.folder import Recording
from calibration.recordings.sweep import Sweep, counts_of, of_its_run
from calibration.words import many
from firmware_bridge.errors import PolartableError, UsageError
from table.commands.record_screen import TERMINAL
from table.commands.record_way import Way, check_same_way
from table.recording.asking import Screen

LEAST_BROKEN = 2  # lines; a power cut may truncate a single one, and its igloo is asked for again


class Listed:
    """Reads the list again before each take; a fault of a line is reported once."""

    def __init__(self, folder: Path, screen: Screen = TERMINAL) -> None:
        self._folder, self._path = folder, folder / store.LIST
        self._screen = screen
        self._there = False
        self._seen: set[str] = set()  # files in the sweeps of this run
        self._told: set[str] = set()

    def read(self, sweep: Sweep | None = None) -> list[Recording]:
        """The recordings in the list. Raises RecordingsError if it is gone, is broken, or lacks takes that it had.

        Otherwise new takes would get names that are in use.
        """
        if not self._path.exists():
            if self._there:
                raise self._changed("is gone, removed or renamed while it was recorded into")
            return []
        self._there = True
        wrong: list[PolartableError] = []
        have = list(store.read(self._folder, wrong.append))
        if len(wrong) >= LEAST_BROKEN and len(wrong) > len(have):
            raise RecordingsError(
                f"of {self._path} {len(wrong)} of {many(len(wrong) + len(have), 'line')} cannot be used, so nothing is "
                f"added to a broken list (the first: {wrong[0].cause})",
                "put back the copy from before, or mend the lines: a spreadsheet or an editor may have saved them",
            )
        for error in wrong:
            if str(error) not in self._told:
                self._told.add(str(error))
                self._screen.tell(str(error))
        if lost := self._seen - {r.file for r in have}:
            raise self._changed(f"names {many(len(lost), 'take')} of the sweep no more")
        if sweep is not None:
            self._seen |= {r.file for r in have if r.set == sweep.name}
        return have

    def added(self, line: Recording) -> None:
        """A line was added."""
        self._there = True
        self._seen.add(line.file)

    def alone(self) -> AbstractContextManager[None]:
        """A lock: within it no other run reads and adds."""
        return store.alone(self._folder)

    def _changed(self, how: str) -> RecordingsError:
        return RecordingsError(
            f"{self._path} {how}, so recording stops; what was kept is where it was moved to",
            "put it back, and the same command goes on from here",
        )


def check_still_ours(sweep: Sweep, have: Sequence[Recording], way: Way, player: str) -> None:
    """Check that no other run has begun the same sweep with another sensor or person. Raises UsageError."""
    check_same_way(sweep, [*have], way)
    lines = of_its_run(sweep, have)
    if any(r.player != player or counts_of(r) not in (None, sweep.counts) for r in lines):
        raise UsageError(
            f"the sweep {sweep.name} was begun meanwhile by another run, for another person or other igloos",
            "give the same command again: it begins a sweep of its own",
        )
