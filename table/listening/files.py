"""Listening to a sound file or a recordings folder, and the choice of the profile."""

from __future__ import annotations

import math
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from calibration.recordings import folder as store
from calibration.recordings.folder import Complain, Recording
from calibration.testing.lately import Source, source_of
from calibration.words import many
from firmware_bridge.errors import PolartableError, UsageError
from firmware_bridge.host.shown import shown
from sensors.ear.errors import ProfileError, SoundError, a_sensor, of_a_kind
from sensors.ear.frames.frontend import Array, Sensor
from sensors.ear.listener import Listener
from sensors.ear.profiles import profile as profiles
from sensors.ear.profiles.profile import Profile
from sensors.ear.sources.at_rest import Fault
from sensors.ear.sources.extent import Extent, check_extent
from sensors.ear.sources.in_g import check_in_g, gravity_of
from sensors.ear.sources.packed import too_little
from sensors.ear.sources.sound_file import SoundFile, open_sound
from sensors.ear.verdicts import lacking
from sensors.ear.verdicts.drift import Lately
from sensors.evidence import Heard, Hearing
from table.listening.gestures import other_gesture, refusals

Event = dict[str, Any]
SLOW_RATE = 8000.0  # Hz: three channels below this rate come from an accelerometer
# in the file's own unit: a microphone's mean is far below this, a shaken accelerometer's in g, m/s² or milli-g above
LEAST_GRAVITY = 0.15
TAKEN_FOR = (
    "it was taken for a microphone's: if it is an accelerometer's, write its three axes in g, as three channels of "
    "floats, and nothing else"
)
SUFFIXES = (".wav", ".flac", ".ogg", ".mp3", ".aiff", ".aif", ".au", ".w64", ".caf")


class Hears(Protocol):
    """Anything that listens to blocks of float32[samples, channels]."""

    def push(self, block: Array) -> Iterator[Heard | Hearing]: ...

    def finish(self) -> Iterator[Heard | Hearing]: ...


def choose_profile(name: str | None, sensor: str) -> Profile:
    """The named profile (a file, or a shipped one by name), or the shipped one for a sensor. Raises ProfileError."""
    if name is None:
        return profiles.load_shipped(sensor)
    if name in profiles.SHIPPED and not Path(name).exists():
        return profiles.load_shipped(name)
    known = profiles.load(Path(name))
    if (outdated := known.outdated(name)) is not None:
        _tell_once(outdated)
    return known


@cache
def _tell_once(sentence: str) -> None:
    """Cached: a folder's profile is chosen more than once."""
    _tell(sentence)


def _tell(sentence: str) -> None:
    """A notice, not an error: what was heard stands, and so does the exit code."""
    print(f"polartable: {shown(sentence)}", file=sys.stderr)


def sensor_of(file: SoundFile, profile: Profile | None = None) -> Sensor:
    """The kind of sensor that recorded a file.

    Three channels come from an accelerometer if they are slow, or contain floats and show gravity. If both are
    possible, a profile for an accelerometer decides.
    """
    slow = file.rate < SLOW_RATE
    if profile is not None and profile.sensor == "accelerometer" and (slow or file.channels == 3):
        return "accelerometer"
    if file.channels != 3:
        return "microphone"
    felt = slow or (file.floats and gravity_of(file) > LEAST_GRAVITY)
    return "accelerometer" if felt else "microphone"


def looks_like_path(source: str) -> bool:
    return "/" in source or source.lower().endswith(SUFFIXES)


def hear_file(
    path: Path,
    profile: Profile,
    source: str,
    partial: bool,
    sensor: str | None = None,
    seconds: float | None = None,
    lately: Lately | None = None,
    tell_lack: Callable[[Path, Fault], None] = lambda path, lacks: _tell(f"of {path}, {lacks}"),
) -> Iterator[Heard | Hearing]:
    """Everything heard in one file, or in its first `seconds`.

    `sensor`: what recorded it, if known. `lately`: what was heard before in the same sitting. `tell_lack` gets what its
    sensor gives too little of to count by. Raises SoundError or ProfileError.
    """
    file = open_sound(path)
    guessed, sensor = sensor is None, sensor or sensor_of(file, profile)
    if profile.sensor != sensor:
        raise ProfileError(
            f"{path} is of {a_sensor(sensor)}, and the profile was made for {a_sensor(profile.sensor)}",
            f"take a profile for {a_sensor(sensor)} (--profile {sensor})",
        )
    lacks = check_in_g(file) if sensor == "accelerometer" else too_little(file)
    if lacks is not None:
        tell_lack(path, lacks)
    why = lacks.reason if lacks is not None else None
    try:
        ear = Listener(
            profile, file.rate, file.channels, source, partial=partial, fine=file.fine, lately=lately
        )
    except (SoundError, ProfileError) as error:
        doubtful = guessed and sensor == "microphone" and file.rate < SLOW_RATE
        raise type(error)(
            f"{path}: {error.cause}", f"{error.mend}; {TAKEN_FOR}" if doubtful else error.mend
        ) from error
    for said in hear_out(file, ear, seconds):
        yield lacking.judge(said, why, profile) if isinstance(said, Heard) else said


def hear_out(file: SoundFile, ear: Hears, seconds: float | None = None) -> Iterator[Heard | Hearing]:
    """Feed a file's blocks to an ear, to the end or for that many `seconds`.

    Raises SoundError for a file that breaks off, contains values that no sensor gives, or is silent (a mere beginning
    may be silent).
    """
    extent, heard = Extent(), 0
    try:
        # as written: the ear bridges missing samples itself, and reports them
        blocks = file.blocks(math.inf if seconds is None else seconds, as_written=True)
        for block in beginning(blocks, file.rate, seconds):
            extent.push(np.where(np.isfinite(block), block, np.float32(0.0)))
            for said in ear.push(block):
                heard += isinstance(said, Heard)
                yield said
    except SoundError:
        yield from ear.finish()  # whatever was in progress was heard up to here
        raise
    for said in ear.finish():
        heard += isinstance(said, Heard)
        yield said
    if extent.too_far or not goes_on(file, seconds):
        check_extent(file.path, extent, heard > 0)


def goes_on(file: SoundFile, seconds: float | None) -> bool:
    """Whether a file goes on after that many seconds; None means all of it."""
    return seconds is not None and file.seconds > seconds


def beginning(blocks: Iterator[Array], rate: float, seconds: float | None) -> Iterator[Array]:
    """Of blocks float32[samples, channels], those of the first `seconds`; None: all."""
    samples = math.inf if seconds is None else seconds * rate
    left = samples if math.isinf(samples) else round(samples)  # an endless stream has no last sample
    for block in blocks:
        yield block if len(block) <= left else block[: int(left)]
        left -= len(block)
        if left <= 0:
            return


def hear_folder(
    folder: Path,
    profile: str | None,
    partial: bool,
    complain: Complain,
    unheard: Callable[[str], None],
    seconds: float | None = None,
) -> Iterator[Heard | Hearing]:
    """Every recording of a folder's list that was not rejected, or the first `seconds` of each.

    What cannot be heard is reported, and the rest goes on. The takes of a sitting follow one another like one stream's
    shakes. `unheard` gets each file in which nothing was heard. Raises ProfileError for a profile that cannot be used,
    UsageError if there is no recording to hear.
    """
    named = None if profile is None else choose_profile(profile, "microphone")
    shipped: dict[str, Profile] = {}
    of_other_sensors: Counter[str] = Counter()
    other_gestures: Counter[str] = Counter()
    refusing: Profile | None = None
    lately = defaultdict[Source, Lately](Lately)
    lacking_files: dict[Path, Fault] = {}
    for recording in kept(folder, complain):
        kind = recording.kind
        if named is None and kind not in shipped:
            shipped[kind] = choose_profile(None, kind)
        known = named or shipped[kind]
        if (gesture := other_gesture(recording, known)) is not None:
            other_gestures[gesture] += 1
            refusing = known  # any of them: all shipped profiles count shakes
            continue
        if known.sensor != recording.sensor:
            of_other_sensors[recording.kind] += 1
            continue
        before = lately[source_of(recording)]
        said = hear_file(
            recording.path,
            known,
            recording.file,
            partial,
            recording.sensor,
            seconds,
            before,
            lacking_files.__setitem__,
        )
        yield from hear_recording(said, recording, complain, unheard)
    for kind in sorted({fault.kind for fault in lacking_files.values()}):
        who = [path for path, fault in lacking_files.items() if fault.kind == kind]
        some = (
            f"{many(len(who), 'recording')} of {folder} ({who[0].name} and others)"
            if len(who) > 1
            else who[0]
        )
        _tell(f"of {some}, {lacking_files[who[0]]}")
    if refusing is not None:
        for refusal in refusals(folder, other_gestures, refusing):
            complain(refusal)
    for kind, n in of_other_sensors.items():
        called = of_a_kind(kind)
        complain(
            ProfileError(
                f"{many(n, 'recording')} of {folder} {'is' if n == 1 else 'are'} of {called}, and the "
                "profile was made for another sensor",
                f"take a profile for {called} (--profile {kind})",
            )
        )


def not_rejected(folder: Path) -> Iterator[Recording]:
    """Like `kept`, for a check in advance: others report what is wrong with the list."""
    return (r for r in store.read(folder, lambda _: None) if r.rejected is None)


def kept(folder: Path, complain: Complain) -> Iterator[Recording]:
    """The recordings of a folder's list that were not rejected. Raises UsageError at the end if there was none."""
    rejected = many_kept = faults = 0

    def told(error: PolartableError) -> None:
        nonlocal faults
        faults += 1
        complain(error)

    for recording in store.read(folder, told):
        if recording.rejected is not None:
            rejected += 1
            continue
        many_kept += 1
        yield recording
    if many_kept:
        return
    if faults:  # then the list has to be corrected, and nothing recorded again
        raise UsageError(f"no recording of {folder} can be used", "see the sentences above")
    if rejected:
        raise UsageError(f"every recording of {folder} was rejected", "record some of them again")
    raise UsageError(f"{folder} holds no recording that can be used", "record a sweep")


def hear_recording(
    saying: Iterator[Heard | Hearing],
    recording: Recording,
    complain: Complain,
    unheard: Callable[[str], None],
) -> Iterator[Heard | Hearing]:
    """The answers for one recording of many: whatever is wrong with it must not stop the others."""
    heard = 0
    try:
        for said in saying:
            heard += isinstance(said, Heard)
            yield said
    except (SoundError, ProfileError) as error:
        complain(error)
    else:
        if not heard:
            unheard(recording.file)
