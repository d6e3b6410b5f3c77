"""Recordings of another gesture than the profile counts by, according to their list: reported instead of counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from shlex import quote

from calibration.recordings.folder import Recording
from calibration.seat.taps import GESTURE, is_tap
from calibration.words import many
from sensors.ear.errors import ProfileError
from sensors.ear.profiles.profile import Profile
from table.listening.own_line import listed


def other_gesture(recording: Recording, profile: Profile) -> str | None:
    """The gesture of a recording (`shake`: any way of shaking), if its list names one that is not the profile's."""
    if recording.more.get("gesture") is None or recording.gesture == profile.gesture:
        return None
    return GESTURE if is_tap(recording) else recording.gesture or "shake"


def refusals(folder: Path, left_out: Counter[str], profile: Profile) -> Iterator[ProfileError]:
    """A sentence for each gesture of a folder's recordings that were left out."""
    for gesture, n in left_out.items():
        yield _refusal(
            f"{many(n, 'recording')} of {folder} {'is' if n == 1 else 'are'}", gesture, profile, folder
        )


def check_gesture(path: Path, profile: Profile) -> None:
    """Raises ProfileError if the list of a sound file's folder says that it holds another gesture."""
    recording = listed(path)
    if recording is not None and (gesture := other_gesture(recording, profile)) is not None:
        raise _refusal(f"{path} is", gesture, profile, recording.folder)


def _refusal(are: str, gesture: str, profile: Profile, folder: Path) -> ProfileError:
    counts = "counts shakes" if profile.gesture is None else f"counts by the gesture {profile.gesture}"
    if gesture == GESTURE:
        return ProfileError(
            f"{are} of the counting gesture ({GESTURE}), and the profile {counts}",
            "name a seat's profile (--profile seat.profile), fitted on such recordings: "
            f"polartable calibrate igloos fit {folder} --only gesture={GESTURE} --out seat.profile",
        )
    if gesture == "shake":
        return ProfileError(
            f"{are} of shakes, and the profile {counts}", "leave --profile out, or name one of shakes"
        )
    return ProfileError(
        f"{are} of the gesture {gesture}, and the profile {counts}",
        f"name one (--profile) that was fitted on this gesture: polartable calibrate igloos fit {folder} "
        f"--only gesture={quote(gesture)} --out FILE.profile",
    )
