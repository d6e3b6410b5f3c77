"""What a profile of no takes was fitted on, and what it knows all the same."""

from __future__ import annotations

from typing import Any

from sensors.ear.profiles.fitted_on import FittedOn, WeighedOn


def knowing(**known: Any) -> FittedOn:
    """Of shakes."""
    return FittedOn(**{"takes": 0, "sessions": 0, "devices": 0, "players": 0} | known)


def weighing(**known: Any) -> WeighedOn:
    """Of the counting gesture."""
    return WeighedOn(**{"takes": 0, "devices": 0, "taps": 0} | known)
