"""When a take was made, as its line says it: `taken`, a time by a clock that may never have been set."""

from __future__ import annotations

import datetime

from calibration.recordings.folder import Recording

WITHIN_S = 30 * 60.0  # what was made nearer together is of one occasion, as far as a clock tells
DAY = "2026-11-20"


def unread(recording: Recording) -> bool:
    """Is something noted as its time that is none (docs/contracts.md 3: `2026-11-20T18:00:00Z`)?"""
    return bool(str(recording.taken or "").strip()) and taken_at(recording) is None


def taken_at(recording: Recording) -> float | None:
    """Unix seconds; without a zone it is UTC, wherever this is read. None for what is no time."""
    try:
        taken = datetime.datetime.fromisoformat(str(recording.taken))
        return round(taken.replace(tzinfo=taken.tzinfo or datetime.UTC).timestamp(), 3)
    except (ValueError, OverflowError):
        return None  # what others write there is theirs
