"""Checks before `polartable listen` starts: sources, profiles, and what their list says."""

from __future__ import annotations

import json
import stat
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from calibration.recordings.folder import Recording
from calibration.recordings.one_shake import united
from firmware_bridge.errors import UsageError
from firmware_bridge.host.shown import shown
from sensors.ear.errors import SoundError
from sensors.ear.profiles.profile import Profile
from sensors.ear.sources.sound_file import SoundFile
from sensors.gesture.profile import is_gesture_profile
from table.listening.files import not_rejected, sensor_of
from table.listening.own_line import listed


def check_source(source: str) -> None:
    """Raises UsageError for an invalid source, or one that only a shell would expand; SoundError without permission."""
    if not source.strip():
        raise UsageError("the source has no name", "name a device, a file, a folder, or mock")
    try:
        kind = Path(source).stat().st_mode
    except PermissionError as error:
        raise SoundError(f"{source} cannot be read ({error.strerror})", "check its permissions") from error
    except OSError:  # not a file: whoever opens it knows what it is
        kind = 0
    if source == "-" or stat.S_ISFIFO(kind) or source in ("/dev/stdin", "/dev/fd/0"):
        raise UsageError(
            f"{source} is a pipe, and sound is not heard from one",
            "record to a WAV file first, and name that",
        )


def check_device(device: str | None, profiles: list[str] | None) -> None:
    """Raises UsageError if a set is named without a seat's profile."""
    if device is not None and not (profiles and is_gesture_profile(Path(profiles[0]))):
        raise UsageError(
            "--device names a set of a seat's profile",
            "leave it out, or name such a profile: --profile seat.profile",
        )


def tell(why: str) -> None:
    """A notice, not an error: what was heard stands, and so does the exit code."""
    print(f"polartable: {shown(why)}", file=sys.stderr)


def tell_place(recordings: Iterable[Recording], profile: Profile) -> None:
    """Say if a list places microphones elsewhere than the profile. One recording of each place is kept."""
    from table.commands.igloo_oddities import places_mixed

    places = {r.place: r for r in recordings if r.sensor == profile.sensor}
    if len(places) == 1 and (unlike := places_mixed([*places.values()], profile)) is not None:
        tell(unlike)


def tell_files(files: Sequence[SoundFile], profile: Profile) -> None:
    """Say if a profile was not made for the files that it is used for.

    Their microphones may be elsewhere according to the list (two seats may differ), or lack the bands by which beads
    are distinguished best.
    """
    from table.commands.igloo_oddities import too_slow

    lines = [listed(file.path) for file in files]
    for line in {line.place: line for line in lines if line is not None}.values():
        tell_place([line], profile)
    if profile.sensor != "microphone":
        return
    # for accelerometers, or rates too low for the profile, another sentence follows
    of = [line.sensor if line else sensor_of(file) for line, file in zip(lines, files, strict=True)]
    least = min(head.front.least_rate for head in profile.heads)
    rates = [
        f.rate for f, sensor in zip(files, of, strict=True) if sensor == "microphone" and f.rate >= least
    ]
    if (slow := too_slow(rates)) is not None:
        tell(slow)


def check_one_igloo(sources: list[str]) -> None:
    """Raises UsageError if a folder's list says that shakes are from several igloos."""
    folder = Path(sources[0])
    if not folder.is_dir():
        return
    kept = list(not_rejected(folder))
    held = {(r.device, r.igloo): r.beads for r in kept if r.beads is not None}
    # a count that a line leaves open makes no second igloo
    counts = (held.get((r.device, r.igloo)) if r.beads is None else r.beads for r in kept)
    names = [json.dumps((r.device, r.igloo, n)) for r, n in zip(kept, counts, strict=True)]
    # one igloo has two names where its two sensors are listed as two devices
    igloos = set(united(kept, names))
    if len(igloos) > 1:
        raise UsageError(
            f"the list of {folder} has {len(igloos)} igloos, and --same-igloo adds up shakes of one",
            "leave it out, or see what several shakes of each tell: polartable calibrate igloos evaluate",
        )


def only_one(sources: list[str]) -> str:
    """The only source. Raises UsageError if several are named."""
    if len(sources) > 1:
        raise UsageError(
            f"there are {len(sources)} sources",
            "listen to one after the other, name the seats of files that began together (--seats red,blue), or give "
            "two files of one igloo, by an accelerometer and a microphone",
        )
    return sources[0]


def one_profile(names: list[str] | None) -> str | None:
    """The only profile. Raises UsageError if several are named."""
    if names and len(names) > 1:
        raise UsageError(
            f"there are {len(names)} profiles",
            "two are for two files of one igloo, by an accelerometer and a microphone",
        )
    return names[0] if names else None
