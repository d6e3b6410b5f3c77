"""Which counting seat's profile is meant, and which of its sets stands there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from calibration.seat.taps import set_called
from sensors.ear.errors import ProfileError
from sensors.gesture.profile import GestureProfile, is_gesture_profile, load


def named(profile: str | None) -> GestureProfile | None:
    """The named profile if it is a seat's; None for another kind, or without a name. Raises ProfileError."""
    return load(Path(profile)) if profile is not None and is_gesture_profile(Path(profile)) else None


def chosen(profile: GestureProfile, device: str | None, where: str = "") -> GestureProfile:
    """The profile of the one set at the seat: `device`, or the only one.

    Raises ProfileError if it is not clear which one, or there is no such set.
    """
    names = " and ".join(profile.sets)
    if device is not None and device not in profile.sets:
        raise ProfileError(
            f"the profile holds no set {device}, but {names or 'none'}", "name one that it holds"
        )
    if device is None and len(profile.sets) > 1:
        raise ProfileError(
            f"{where}the profile holds {names}, and nobody said which set this is",
            f"name it (listen --device {next(iter(profile.sets))}), or fit a profile of one set: "
            f"--only device={next(iter(profile.sets))}",
        )
    return profile if device is None else replace(profile, sets={device: profile.sets[device]})


def listed_set(profile: GestureProfile, device: str | None, where: str) -> GestureProfile:
    """The profile for a recording whose list names `device`. Raises ProfileError.

    As in `evaluate`, it knows nothing of a set that it does not contain.
    """
    named_set = set_called(device, profile)
    if named_set is not None and named_set not in profile.sets:
        return replace(profile, sets={})
    return chosen(profile, named_set, where)
