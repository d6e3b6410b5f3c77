"""Recordings of the counting gesture (`"gesture":"seat-tap"`): read, fitted and tested, with the seat's own model.

A session of the owner's, every igloo once, is a calibration; other people's sessions test it. Sets of a device that the
fit has never seen are told as a whole (`in_set`), for what is loose grows as the count; one by one they are not.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from typing import Any

import numpy as np

from calibration.errors import NothingToTest
from calibration.folds import Unit, key_of
from calibration.honesty import flattered, known_prints
from calibration.recordings import Complain, Recording
from calibration.scores import Told
from calibration.whole_sets import SetMade, made_of
from firmware_bridge.errors import PolartableError
from sensors.ear.errors import FitError, ProfileError, SoundError, a_sensor
from sensors.ear.sets import join_set
from sensors.ear.sound_file import check_in_g, open_sound
from sensors.evidence import Heard
from sensors.gesture.collect import Gesture, collect, fullest
from sensors.gesture.fitting import RECORD, Labelled, fit_gesture
from sensors.gesture.judge import NO_EMPTY, judge
from sensors.gesture.model import Weighing
from sensors.gesture.profile import GestureProfile
from sensors.gesture.unknown_set import sort_set

GESTURE = "seat-tap"
COUNTS = tuple(range(2, 14))
LONGEST_S = 60.0


@dataclass(frozen=True, slots=True)
class Tapped:
    """One recording and the gesture in it; None where none was found."""

    recording: Recording
    gesture: Gesture | None


@dataclass(frozen=True, slots=True)
class Answered:
    """One recording and what was said of it."""

    tapped: Tapped
    counts: tuple[int, ...]
    heard: Heard
    in_set: int | None = None
    made: SetMade | None = None  # the set that gave it

    @property
    def best(self) -> int:
        p = self.heard.probabilities
        return max(p, key=lambda n: p[n])

    @property
    def counted(self) -> bool:
        return self.tapped.recording.rejected is None and self.tapped.recording.beads in self.counts

    def told(self) -> Told:
        r = self.tapped.recording
        assert r.beads is not None
        sure = self.heard.verdict == "sure"
        best = self.best, self.heard.probabilities[self.best]
        return Told(r.beads, *best, sure, self.in_set, r.occasion, made=self.made)

    def to_json(self) -> dict[str, Any]:
        """The line of docs/contracts.md 3."""
        r = self.tapped.recording
        more = {"file": r.file, "true_beads": r.beads, "best": self.best, "in_set": self.in_set}
        return Heard.to_json(self.heard) | more


def is_tap(recording: Recording) -> bool:
    """Was this the counting gesture, and no shake?"""
    return recording.more.get("gesture") == GESTURE


def hear_taps(recording: Recording) -> Tapped:
    """Read one recording, as a stream, at most a minute of it. Raises SoundError where it cannot be read."""
    file = open_sound(recording.path)
    if recording.sensor == "accelerometer":
        check_in_g(file)
    parts, read = [], 0
    for block in file.blocks():
        parts.append(block)
        read += len(block)
        if read > LONGEST_S * file.rate:
            break
    if not parts:
        raise SoundError(f"{recording.path} is empty", "record it again, or take it out")
    return Tapped(recording, fullest(collect(recording.sensor, file.rate, np.concatenate(parts))))


def listen(
    recordings: Iterable[Recording], complain: Complain, step: Callable[[], None] = lambda: None
) -> Iterator[Tapped]:
    """Each recording that can be read; what cannot is told and left out."""
    for recording in recordings:
        step()
        try:
            yield hear_taps(recording)
        except PolartableError as error:
            complain(error)


def counts_weighed(tapped: Iterable[Tapped]) -> tuple[int, ...]:
    """Those of 2–13 that some kept gesture has; all of them where that are too few to fit."""
    held = {t.recording.beads for t in tapped if t.recording.rejected is None and t.gesture is not None}
    known = tuple(n for n in COUNTS if n in held)
    return known if len(known) > 1 else COUNTS


def fit_taps(tapped: Sequence[Tapped], counts: tuple[int, ...] | None = None) -> GestureProfile:
    """A profile of every set that was recorded, for `counts` or those of 2–13 that were weighed. Raises FitError where
    there is none, or sensors are mixed."""
    usable = [
        t for t in tapped if t.recording.rejected is None and t.recording.beads is not None and t.gesture
    ]
    sensors = {t.recording.sensor for t in usable}
    if not usable:
        raise FitError("no recording holds a gesture of a known count", RECORD)
    if len(sensors) > 1:
        raise FitError("microphone and accelerometer are mixed", "choose one with --sensor")
    sets: dict[str, list[Labelled]] = defaultdict(list)
    for t in usable:
        assert t.gesture is not None
        assert t.recording.beads is not None
        sets[t.recording.device or "set"].append(Labelled(t.recording.beads, t.gesture, t.recording.occasion))
    profile = fit_gesture(sets, next(iter(sensors)), counts or counts_weighed(usable))
    told = {
        "sessions": len({t.recording.occasion for t in usable}),
        "beads": sorted({t.recording.beads or 0 for t in usable}),
        "fingerprints": "".join(sorted({p for t in usable if (p := fingerprint(t))})),
    }
    return replace(profile, fitted_on=profile.fitted_on | told)


def fingerprint(tapped: Tapped) -> str | None:
    """Eight hex digits of what was weighed: the same recording gives the same; None where nothing was."""
    if tapped.gesture is None or not tapped.gesture.weights:
        return None
    values = np.array([(w.upright, w.sideways) for w in tapped.gesture.weights])
    return hashlib.sha256(np.round(values, 6).tobytes()).hexdigest()[:8]


def flattering(profile: GestureProfile, tapped: Sequence[Tapped]) -> str | None:
    """One sentence where figures of this profile on these recordings would flatter, else None."""
    known = known_prints(profile.fitted_on)
    return flattered(sum(fingerprint(t) in known for t in tapped) / max(1, len(tapped)))


def answer(profile: GestureProfile, tapped: Tapped) -> Answered:
    """What the profile says of one recording. Raises ProfileError where it is of another kind of sensor."""
    r = tapped.recording
    if r.sensor != profile.sensor:
        raise ProfileError(
            f"{r.path}: the profile was made for {a_sensor(profile.sensor)}, and this is {a_sensor(r.sensor)}",
            f"fit one on gestures of {a_sensor(r.sensor)}",
        )
    device = r.device or ("set" if "set" in profile.sets else None)
    if tapped.gesture is None:
        nothing = {n: 1 / len(profile.counts) for n in profile.counts}
        said = Heard(r.file, 0.0, 0.0, "unsure", nothing, 0.0, False, profile.digest, NO_EMPTY)
    else:
        said = judge(tapped.gesture, profile, r.file, device)
    return Answered(tapped, profile.counts, said)


def join(answered: Sequence[Answered], profile: GestureProfile) -> list[Answered]:
    """Fill `in_set`: igloos of one `set` hold each count once; an unknown set is sorted by what is loose."""
    groups: dict[tuple[str | None, str], list[int]] = defaultdict(list)
    for i, a in enumerate(answered):
        r = a.tapped.recording
        if r.set is not None and r.rejected is None:
            groups[r.device, r.set].append(i)
    out = list(answered)
    for members in groups.values():
        igloos: dict[str, list[int]] = defaultdict(list)
        for i in members:
            r = answered[i].tapped.recording
            igloos[r.igloo or r.file].append(i)
        if len(igloos) > len(profile.counts):
            continue
        known = profile.set_for(answered[members[0]].tapped.recording.device) is not None
        best = _known(answered, igloos, profile) if known else _unknown(answered, igloos, profile)
        made = made_of(igloos, [a.tapped.recording for a in answered], profile.counts)
        for name, mine in igloos.items():
            for i in mine if name in best else ():
                out[i] = replace(out[i], in_set=best[name], made=made)
    return out


def _known(
    answered: Sequence[Answered], igloos: dict[str, list[int]], profile: GestureProfile
) -> dict[str, int]:
    heard = {name: [dict(answered[i].heard.probabilities) for i in mine] for name, mine in igloos.items()}
    return join_set(heard, profile.counts).best


def _unknown(
    answered: Sequence[Answered], igloos: dict[str, list[int]], profile: GestureProfile
) -> dict[str, int]:
    weighed = {}
    for name, mine in igloos.items():
        gesture = answered[mine[-1]].tapped.gesture
        if gesture is not None and gesture.weights:
            weighed[name] = Weighing.of(gesture.weights)
    try:
        return dict(sort_set(weighed, profile.counts).best)
    except ValueError:
        return {}


def evaluate_taps(profile: GestureProfile, tapped: Iterable[Tapped], complain: Complain) -> list[Answered]:
    """Every recording under one profile, sets joined."""
    out = []
    for t in tapped:
        try:
            out.append(answer(profile, t))
        except ProfileError as error:
            complain(error)
    return join(out, profile)


def evaluate_taps_left_out(
    tapped: Sequence[Tapped], unit: Unit, test_on: str | None = None, counts: tuple[int, ...] | None = None
) -> Iterator[list[Answered]]:
    """Fold by fold: fit on all other units, test this one. Raises NothingToTest or FitError."""
    counts = counts or counts_weighed(tapped)  # a fold that lacks one may be asked about it all the same
    names = sorted({key_of(t.recording, unit) for t in tapped})
    if len(names) < 2:
        raise NothingToTest(
            f"all recordings are of one {unit}, so none can be left out",
            f'record with another {unit}, and name it in "{unit}"',
        )
    tested = False
    for name in names:
        test = [t for t in tapped if key_of(t.recording, unit) == name]
        test = [t for t in test if test_on is None or fnmatch(t.recording.session or "", test_on)]
        if not test:
            continue
        tested = True
        chosen = {id(t) for t in test}
        try:
            profile = fit_taps([t for t in tapped if id(t) not in chosen], counts)
        except FitError as error:
            raise FitError(f"without {unit} {name}: {error.cause}", error.mend) from error
        yield join([answer(profile, t) for t in test], profile)
    if not tested:
        raise NothingToTest(f"no session is named like {test_on!r}", "look at the names in recordings.jsonl")
