"""The time of a take by its line: `taken`, from a clock that may never have been set."""

from __future__ import annotations

import datetime

from calibration.recordings.folder import Recording

WITHIN_S = 30 * 60.0  # takes closer together are of one occasion, as far as a clock tells
DAY = "2026-11-20"


def unread(recording: Recording) -> bool:
    """Is its time unreadable (docs/contracts.md 3: `2026-11-20T18:00:00Z`)?"""
    return bool(str(recording.taken or "").strip()) and taken_at(recording) is None


def taken_at(recording: Recording) -> float | None:
    """Unix seconds; a time without zone is UTC, wherever this runs. None for an unreadable time."""
    try:
        taken = datetime.datetime.fromisoformat(str(recording.taken))
        return round(taken.replace(tzinfo=taken.tzinfo or datetime.UTC).timestamp(), 3)
    except (ValueError, OverflowError):
        return None  # other programs may write anything there
