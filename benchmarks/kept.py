"""The recordings of a folder that were not discarded: a discarded one is no valid take of anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from calibration.recordings import folder as store
from calibration.recordings.folder import Recording


def kept(folder: Path, complain: Callable[[Exception], object]) -> Iterator[Recording]:
    """The kept recordings in order; `complain` gets the errors of unreadable lines. Raises RecordingsError without a
    list."""
    return (recording for recording in store.read(folder, complain) if recording.rejected is None)
