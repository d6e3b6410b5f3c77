"""The recordings of a folder that were not thrown out: those are no takes, of whatever."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from calibration.recordings import folder as store
from calibration.recordings.folder import Recording


def kept(folder: Path, complain: Callable[[Exception], object]) -> Iterator[Recording]:
    """In their order; `complain` hears of lines that cannot be read. Raises RecordingsError without a list."""
    return (recording for recording in store.read(folder, complain) if recording.rejected is None)
