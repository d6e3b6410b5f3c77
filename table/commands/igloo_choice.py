"""Chooses recordings and profile as asked for, or explains in one sentence why that is impossible."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from calibration.errors import NothingToTest
from calibration.recordings import folder as store
from calibration.recordings.folder import Recording
from calibration.recordings.named_as import fits
from calibration.seat.taps import is_tap
from calibration.traps.flattering import unit_of
from calibration.words import many, ranges
from firmware_bridge.errors import PolartableError, UsageError
from sensors.ear.errors import ProfileError, a_sensor
from sensors.ear.frames.frontend import Sensor
from sensors.ear.profiles import profile as ears
from sensors.ear.profiles.profile import Profile
from sensors.gesture import profile as gestures
from sensors.gesture.profile import GestureProfile, is_gesture_profile

SENSORS = ("microphone", "accelerometer")
# keys of a line that may be used in any folder, whether or not one of its lines has them
KEYS = (
    "file", "sensor", "beads", "igloo", "device", "player", "session", "set", "pair", "taken", "place", "gesture",
)  # fmt: skip
MOST_VALUES = 8


def check_sensor(sensor: str | None) -> None:
    """Raises UsageError for an unknown sensor of recordings."""
    if sensor in (None, *SENSORS):
        return
    mend = "say microphone or accelerometer"
    if sensor == "contact":
        mend = "a microphone on the shell is chosen by --sensor microphone --only place=shell"
    elif sensor == "near":
        mend = "a microphone near the igloo is chosen by --sensor microphone"
    raise UsageError(f"{sensor!r} is no sensor of a recording", mend)


def check_others(devices: int, of_seat: bool) -> None:
    """Check that a fit for other sets of igloos than the folder's is possible. Raises UsageError."""
    if of_seat:
        raise UsageError("a seat's profile is for all igloos as it is", "leave --for-others out")
    if devices < 2:
        raise UsageError(
            "all recordings are of one set of igloos, so nothing tells what it has in common with others",
            'name each set in "device", or leave --for-others out',
        )


def check_no_start(start_from: str | None) -> None:
    """For a seat: its model is small, and its own recordings suffice. Raises UsageError for a starting profile."""
    if start_from not in (None, "nothing"):
        raise UsageError("a seat's profile is fitted from its own recordings alone", "leave --start-from out")


def matches(recording: Recording, word: str) -> bool:
    """Whether a recording matches `key=pattern`, for any key of its line, even unknown ones. Raises UsageError."""
    key, equals, pattern = word.partition("=")
    if not equals:
        raise UsageError(f"{word!r} is no choice of recordings", "write it like place=shell or player=P0*")
    value = recording.place if key == "place" else recording.to_json().get(key)
    return fits(_as_listed(value), pattern)


def _as_listed(value: object) -> str:
    """A key's value as the list has it: `true`, not Python's `True`. Empty where it is missing."""
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


def chosen_of(
    folder: Path, sensor: str | None, only: Sequence[str] | None, say: store.Complain
) -> Iterator[Recording]:
    """The selected recordings that were not rejected, both shakes and counting gestures."""
    for recording in store.read(folder, say):
        kept = sensor in (None, recording.sensor) and recording.rejected is None
        if kept and all(matches(recording, word) for word in only or ()):
            yield recording


def shakes_of(
    folder: Path, sensor: str | None, only: Sequence[str] | None, say: store.Complain = lambda _: None
) -> list[Recording]:
    """The selected shakes, by the list alone."""
    return [r for r in chosen_of(folder, sensor, only, say) if not is_tap(r)]


def nothing_chosen(folder: Path, sensor: str | None, only: Sequence[str] | None) -> PolartableError:
    """Why the selection contains no shake of the folder, and what could be selected."""
    silent: list[PolartableError] = []
    keys: set[str] = set(KEYS)  # plus any other keys of the lines that a terminal can show
    values: dict[str, Counter[str]] = {word.partition("=")[0]: Counter() for word in only or ()}
    of_sensor: Counter[str] = Counter()
    rejected = taps = 0
    for recording in store.read(folder, silent.append):
        line = recording.to_json()
        keys |= {key for key in line if key.isprintable()}
        of_sensor[recording.sensor] += 1
        rejected += recording.rejected is not None
        taps += is_tap(recording)
        for key, seen in values.items():
            if line.get(key) is not None:
                seen[_as_listed(line[key])] += 1
    total = sum(of_sensor.values())
    # then the list has to be corrected, and nothing selected or recorded
    if silent and rejected == total:
        return UsageError(f"no recording of {folder} can be used", "see the sentences above")
    for key, seen in values.items():
        if key not in keys:
            return UsageError(
                f"no recording of {folder} has a {key!r} to choose by",
                f"the keys there are {', '.join(sorted(keys - {'rejected'}))}",
            )
        if not any(
            fits(v, w.partition("=")[2]) for v in seen for w in only or () if w.partition("=")[0] == key
        ):
            some = ", ".join(v for v, _ in seen.most_common(MOST_VALUES)) or "nothing"
            return UsageError(
                f"no recording of {folder} has a {key} as asked for",
                f"{some}{' and others' if len(seen) > MOST_VALUES else ''} is what there is",
            )
    if sensor is not None and total and sensor not in of_sensor:
        (other, n), *_ = of_sensor.most_common()
        return UsageError(
            f"no recording of {folder} is of {a_sensor(sensor)}",
            f"it holds {many(n, 'recording')} of {a_sensor(other)}",
        )
    if total and rejected == total:
        return UsageError(f"every recording of {folder} was rejected", "record some of them again")
    if taps and not only:
        return UsageError(
            f"{folder} holds the counting gesture (seat-tap), and shakes are wanted",
            "name a seat's profile, or a folder of shakes",
        )
    if total:
        return UsageError(f"no recording of {folder} fits all that was asked for", "ask for less with --only")
    return UsageError(f"{folder} holds no recording that can be used", "record a sweep")


def of_session(recording: Recording, named: str | None) -> bool:
    """Whether its session matches this pattern (None: any)."""
    return fits(recording.session, named)


def only_sessions(recordings: Sequence[Recording], named: str | None) -> list[bool]:
    """For each, whether its session matches the name (None: any). Raises NothingToTest if none does."""
    chosen = [of_session(r, named) for r in recordings]
    if chosen and not any(chosen):
        raise NothingToTest(f"no session is named like {named!r}", "look at the names in recordings.jsonl")
    return chosen


def shake_profile(name: str | Path) -> Profile:
    """A profile for shakes: a file, or the name of a shipped one. Raises ProfileError."""
    path = Path(name)
    if str(name) in ears.SHIPPED and not path.exists():
        return ears.load_shipped(str(name))
    if is_gesture_profile(path):
        raise ProfileError(
            f"{path} is a seat's profile (of the counting gesture), and a profile of shakes is wanted",
            f"name one that was fitted on shakes, or a shipped one ({', '.join(ears.SHIPPED)})",
        )
    return ears.load(path)


def seat_profile(path: Path) -> GestureProfile:
    """A seat's profile. Raises ProfileError."""
    shakes = str(path) in ears.SHIPPED and not path.exists()
    if not is_gesture_profile(path) and path.exists():
        try:
            ears.load(path)
            shakes = True
        except ProfileError:
            pass  # reported by the reader for seats
    if shakes:
        raise ProfileError(
            f"{path} is a profile of shakes, and these recordings are the counting gesture (seat-tap)",
            "name a seat's profile: one that was fitted on such a folder",
        )
    return gestures.load(path)


def sensors_of(folder: Path, sensor: str | None, only: Sequence[str] | None) -> set[Sensor]:
    """The sensors of the selected recordings, by the list alone."""
    silent: list[PolartableError] = []
    return {r.sensor for r in chosen_of(folder, sensor, only, silent.append)}


def check_same_sensor(folder: Path, made_for: str, sensor: str | None, only: Sequence[str] | None) -> None:
    """Check that some selected recording is from the sensor that a profile was made for.

    Raises ProfileError, or UsageError if `sensor` names another one.
    """
    silent: list[PolartableError] = []
    asked = list(chosen_of(folder, sensor, only, silent.append))
    seen = Counter(r.sensor for r in asked)
    others = [s for s in seen if s != made_for]
    if others and made_for not in seen:
        n, other = seen[others[0]], others[0]
        are = "the recording that was chosen is" if n == 1 else f"the {n} recordings that were chosen are"
        raise ProfileError(
            f"the profile was made for {a_sensor(made_for)}, and {are} of {a_sensor(other)}",
            f"take a profile for {a_sensor(other)} (--profile {Counter(r.kind for r in asked).most_common(1)[0][0]}), "
            "or fit one",
        )
    if sensor is not None and sensor != made_for:
        raise UsageError(
            f"the profile was made for {a_sensor(made_for)}, and --sensor asks for {a_sensor(sensor)}",
            "leave --sensor out",
        )


def check_as_it_is(profile: Profile, counts: Sequence[int] | None, start_from: str | None) -> None:
    """A profile tested as it is is not fitted. Raises UsageError for options of a fit."""
    if start_from is not None:
        raise UsageError(
            "--start-from is of a fit, and --profile is tested as it is",
            f"leave it out, or test a fit with --leave-out {unit_of(profile)}",
        )
    if counts is not None and tuple(counts) != profile.counts:
        raise UsageError(
            f"the profile tells {ranges(profile.counts)} apart, and --counts asks for {ranges(counts)}",
            f"leave --counts out, or test a fit for these with --leave-out {unit_of(profile)}",
        )
