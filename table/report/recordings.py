"""Recordings in a report, only when asked: people, devices and evenings become numbers, unknown keys stay at home."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from calibration.recordings import Complain, Recording, read


class Pseudonyms:
    """The same name is the same number everywhere in one report, and tells nothing outside it."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], str] = {}

    def of(self, kind: str, name: str | None) -> str | None:
        if name is None:
            return None
        number = 1 + sum(k == kind for k, _ in self._known)
        return self._known.setdefault((kind, name), f"{kind}{number:02}")


def without_names(recordings: Iterator[Recording]) -> Iterator[tuple[Recording, dict[str, Any]]]:
    """Each recording, and its line in the report."""
    known = Pseudonyms()
    for number, recording in enumerate(recordings, 1):
        told = replace(
            recording,
            file=f"r{number:05}{Path(recording.file).suffix.lower()}",
            device=known.of("D", recording.device),
            player=known.of("P", recording.player),
            session=known.of("s", recording.session),
            set=known.of("set", recording.set),
            pair=known.of("pair", recording.pair),
            taken=None if recording.taken is None else recording.taken[:7],
            rejected=None if recording.rejected is None else "rejected",
            more={"gesture": recording.gesture} if recording.gesture else {},
        )
        yield recording, told.to_json()


def of_folder(folder: Path, complain: Complain) -> Iterator[tuple[Recording, dict[str, Any]]]:
    """The recordings of a folder for a report. Raises RecordingsError where it has no list."""
    return without_names(read(folder, complain))
