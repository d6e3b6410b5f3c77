"""Recordings in a report, only on request and pseudonymized: people, devices, igloos and evenings become numbers.

Unknown keys are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from calibration.recordings.folder import Complain, Recording, read

PLACES = ("shell", "seat", "table")  # docs/contracts.md 3; other places may be named after somebody's room


class Pseudonyms:
    """The same name gets the same number everywhere in one report; outside it the number means nothing."""

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
        device = known.of("D", recording.device)
        told = replace(
            recording,
            file=f"r{number:05}{Path(recording.file).suffix.lower()}",
            # the wizard names them DEVICE-COUNT
            igloo=known.of("I" if device is None else f"{device}-I", recording.igloo),
            device=device,
            player=known.of("P", recording.player),
            session=known.of("s", recording.session),
            set=known.of("set", recording.set),
            pair=known.of("pair", recording.pair),
            taken=_month(recording.taken),
            rejected=None if recording.rejected is None else "rejected",
            more=_told_apart(recording, known),
        )
        yield recording, told.to_json()


def _month(taken: str | None) -> str | None:
    """The first day of its month, without a time of day: code that reads it knows that such a date orders no takes."""
    try:
        return None if taken is None else datetime.fromisoformat(taken).date().replace(day=1).isoformat()
    except ValueError:
        return None  # whatever is there may name somebody


def _told_apart(recording: Recording, known: Pseudonyms) -> dict[str, Any]:
    """Of the other keys, those that describe the take and reveal nothing about anybody."""
    out: dict[str, Any] = {}
    if recording.gesture:
        out["gesture"] = recording.gesture
    if recording.place:
        out["place"] = recording.place if recording.place in PLACES else known.of("place", recording.place)
    counts = recording.more.get("counts")
    if isinstance(counts, list) and all(type(n) is int for n in counts):
        out["counts"] = counts
    if recording.more.get("simulated"):
        out["simulated"] = True  # the receiver must not take it for a real igloo's
    return out


def of_folder(folder: Path, complain: Complain) -> Iterator[tuple[Recording, dict[str, Any]]]:
    """The recordings of a folder for a report. Raises RecordingsError if it has no list."""
    return without_names(read(folder, complain))
