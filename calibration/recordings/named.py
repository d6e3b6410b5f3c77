"""Missing names of sessions and players: without them the number of sittings and hands is unknown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from calibration.recordings.folder import Recording
from calibration.words import many
from sensors.ear.profiles.fitted_on import FittedOn

Named = Literal["session", "player"]
UNITS: tuple[Named, ...] = ("session", "player")


def unnamed(recordings: Iterable[Recording]) -> list[Named]:
    """Which of the two no recording names; both for no recordings."""
    known = list(recordings)
    return [unit for unit in UNITS if not any(getattr(r, unit) for r in known)]


def name_them(units: Iterable[str]) -> str:
    """The remedy in words: `give "session" and "player" in recordings.jsonl`."""
    quoted = _both(f'"{unit}"' for unit in units)
    return f"give {quoted} in recordings.jsonl"


def of_whom(fitted_on: FittedOn, devices: bool = False) -> str:
    """The continuation of `36 takes` for a profile's `fitted_on`: ` of 3 sessions by 2 people`, or `, which name no
    session`. `devices`: say their number, too."""
    missing = fitted_on.unnamed or ()
    sessions = [] if "session" in missing else [many(fitted_on.sessions, "session")]
    people = [] if "player" in missing else [many(fitted_on.players, "person", "people")]
    if devices:
        parts = [*sessions, many(fitted_on.devices, "device"), *people]
        said = f" of {', '.join(parts[:-1])}{' and ' if parts[1:] else ''}{parts[-1]}"
    else:
        said = "".join(f" of {one}" for one in sessions) + "".join(f" by {one}" for one in people)
    return said + (f", which name {_both(f'no {unit}' for unit in missing)}" if missing else "")


def _both(words: Iterable[str]) -> str:
    return " and ".join(words)
