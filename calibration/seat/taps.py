"""Recordings of the counting gesture (`"gesture":"seat-tap"`): reading, fitting and testing with the seat's own model.

One session of the owner's with every igloo once is a calibration; other people's sessions test it. Sets of a device
unknown to the fit can be sorted as a whole (`in_set`), because the loose mass grows with the count, but not igloo by
igloo.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from calibration.recordings.folder import Complain, Recording
from calibration.recordings.folds import Unit, key_of
from calibration.recordings.whole_sets import Igloos, SetMade, made_of, once_each, sets_of
from calibration.scores import Told
from calibration.traps.fingerprints import TOO_MANY, known_prints
from calibration.traps.flattering import flattered
from calibration.traps.spelled_alike import spelled_alike
from calibration.traps.there_again import known_by_copies
from calibration.words import many
from firmware_bridge.errors import PolartableError
from sensors.ear.errors import ProfileError, SoundError, a_sensor
from sensors.ear.frames.frontend import Array
from sensors.ear.models.sets import join_set
from sensors.ear.sources.extent import SOFT_DB
from sensors.ear.sources.in_g import check_in_g
from sensors.ear.sources.sound_file import SoundFile, open_sound
from sensors.evidence import Heard
from sensors.gesture.collect import collect
from sensors.gesture.day import Day
from sensors.gesture.gathered import Gesture, fullest
from sensors.gesture.judge import NO_EMPTY, judge, probabilities, teaches
from sensors.gesture.model import Weighing
from sensors.gesture.profile import GestureProfile
from sensors.gesture.unknown_set import sort_set
from sensors.gesture.weigh import Weight

GESTURE = "seat-tap"
LONGEST_GESTURE_S = 60.0
AXES = 3
UNNAMED = "set"  # name given by `fit` to a set that the list does not name


@dataclass(frozen=True, slots=True)
class Tapped:
    """One recording and its gesture; None where none was found. cut: it is longer than what was read. faint: nothing
    was weighed in it, possibly because the gain is too low."""

    recording: Recording
    gesture: Gesture | None
    cut: bool = False
    faint: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """One recording and the answer to it."""

    tapped: Tapped
    counts: tuple[int, ...]
    heard: Heard
    in_set: int | None = None
    made: SetMade | None = None  # the set that gave it
    left_out: tuple[Unit, str] | None = None  # the unit that its fit did not know, and its name
    on_the_way: tuple[Heard, ...] = ()  # earlier answers, as in play
    # the gesture of `heard`, where the profile found it; None: that of `tapped`
    weighed: Gesture | None = None

    @property
    def gesture(self) -> Gesture | None:
        """The gesture that was answered."""
        return self.tapped.gesture if self.weighed is None else self.weighed

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
        return Told(r.beads, *best, sure, self.in_set, r.occasion, made=self.made, left_out=self.left_out)

    def to_json(self) -> dict[str, Any]:
        """The line of docs/contracts.md 3."""
        r = self.tapped.recording
        more = {"file": r.file, "true_beads": r.beads, "best": self.best, "in_set": self.in_set}
        return Heard.to_json(self.heard) | more


def is_tap(recording: Recording) -> bool:
    """Is it the counting gesture and not a shake?"""
    return recording.gesture == GESTURE


def check_axes(file: SoundFile) -> None:
    """Raises SoundError for a seat accelerometer's file whose channels are not its three axes."""
    if file.channels != AXES:
        raise SoundError(
            f"{file.path} has {many(file.channels, 'channel')}, and a seat's accelerometer has three axes",
            "record all three axes in g",
        )


def hear_taps(recording: Recording, profile: GestureProfile | None = None) -> Tapped:
    """Read at most a minute of one recording, as a stream. `profile`: gives the empty seat's tones, if the set is one
    of its own. Raises SoundError where it cannot be read."""
    file = open_sound(recording.path)
    if recording.sensor == "accelerometer":
        check_axes(file)
        check_in_g(file)
    parts, read, cut = [], 0, False
    for block in file.blocks():
        parts.append(block)
        read += len(block)
        if cut := read > LONGEST_GESTURE_S * file.rate:
            break
    if not parts:
        raise SoundError(f"{recording.path} is empty", "record it again, or take it out")
    known = profile.set_for(set_called(recording.device, profile)) if profile is not None else None
    samples = np.concatenate(parts)
    gesture = fullest(
        collect(recording.sensor, file.rate, samples, known.empty if known is not None else None)
    )
    unheard = (gesture is None or not gesture.weights) and recording.sensor == "microphone"
    return Tapped(recording, gesture, cut, unheard and _too_faint(samples, file.rate))


def _too_faint(samples: Array, rate: float) -> bool:
    """Would a disc's gesture without weighed taps be weighed if it were louder, or is it practically silent?"""
    loudest = float(np.abs(samples).max())
    if loudest < 10 ** (SOFT_DB / 20):
        return True
    louder = fullest(collect("microphone", rate, samples / loudest))
    return louder is not None and bool(louder.weights)


def set_called(device: str | None, profile: GestureProfile) -> str | None:
    """The set of the profile that is meant by `device` in a list, or none."""
    return device or (UNNAMED if UNNAMED in profile.sets else None)


def listen(
    recordings: Iterable[Recording],
    complain: Complain,
    step: Callable[[], None] = lambda: None,
    profile: GestureProfile | None = None,
) -> Iterator[Tapped]:
    """All readable recordings, for `profile` if one is to be tested; unreadable ones are reported and left out."""
    for recording in recordings:
        step()
        try:
            tapped = hear_taps(recording, profile)
        except PolartableError as error:
            complain(error)
            continue
        if tapped.cut:
            complain(
                SoundError(
                    f"{recording.path}: only the first {LONGEST_GESTURE_S:.0f} seconds are read, and it is longer",
                    "cut it to one gesture, from the taps on the empty seat on",
                )
            )
        yield tapped


def fingerprint(tapped: Tapped) -> str | None:
    """Eight hex digits of what was weighed: equal for the same recording; None where nothing was weighed."""
    if tapped.gesture is None or not tapped.gesture.weights:
        return None
    values = np.array([(w.upright, w.sideways) for w in tapped.gesture.weights])
    return hashlib.sha256(np.round(values, 6).tobytes()).hexdigest()[:8]


def flattering(profile: GestureProfile, tapped: Sequence[Tapped]) -> str | None:
    """One sentence where figures of this profile on these recordings would flatter, else None."""
    known = known_prints(profile.fitted_on.fingerprints)
    return flattered(sum(fingerprint(t) in known for t in tapped) / max(1, len(tapped)))


def not_left_out(tapped: Sequence[Tapped], unit: Unit, tested: Sequence[Tapped]) -> str | None:
    """One sentence where many of the `tested` recordings exist again under another `unit`, which is fitted on when they
    are left out, or a unit under another spelling, else None."""
    if spelled := spelled_alike((t.recording for t in tapped), unit, (t.recording for t in tested)):
        return spelled
    of_print: dict[str, dict[str, Recording]] = {}
    for t in tapped:
        if (told := fingerprint(t)) is not None:
            of_print.setdefault(told, {}).setdefault(key_of(t.recording, unit), t.recording)
    copies = []
    for t in tested:
        own, told = key_of(t.recording, unit), fingerprint(t)
        others = of_print[told] if told is not None else {}
        copies += [(t.recording, copy) for other, copy in others.items() if other != own][:1]
    share = len(copies) / max(1, len(tested))
    return known_by_copies(share, *copies[0], unit) if share > TOO_MANY else None


def check_sensor(profile: GestureProfile, r: Recording) -> None:
    """Raises ProfileError where a recording is of another kind of sensor than the profile."""
    if r.sensor != profile.sensor:
        raise ProfileError(
            f"{r.path}: the profile was made for {a_sensor(profile.sensor)}, and this is {a_sensor(r.sensor)}",
            f"fit one on gestures of {a_sensor(r.sensor)}",
        )


def answer(profile: GestureProfile, tapped: Tapped, day: Day | None = None) -> Answered:
    """The profile's answer to one recording; `day`: the state of its day (None: unknown). Raises ProfileError for
    another kind of sensor."""
    r = tapped.recording
    check_sensor(profile, r)
    if tapped.gesture is None:
        nothing = {n: 1 / len(profile.counts) for n in profile.counts}
        said = Heard(
            source=r.file,
            start_s=0.0,
            end_s=0.0,
            verdict="unsure",
            probabilities=nothing,
            snr_db=0.0,
            clipped=False,
            profile=profile.digest,
            reason=NO_EMPTY,
        )
    else:
        said = judge(tapped.gesture, profile, r.file, set_called(r.device, profile), day)
    return Answered(tapped, profile.counts, said)


def join(answered: Sequence[Answered], profile: GestureProfile) -> list[Answered]:
    """Fill `in_set`: igloos of one set hold each count once; an unknown set is sorted by its loose masses."""
    out, recordings = list(answered), [a.tapped.recording for a in answered]
    for igloos in sets_of(recordings, profile.counts):
        device = recordings[next(iter(igloos.values()))[0]].device
        known = profile.set_for(set_called(device, profile)) is not None
        try:
            best = (_known if known else _unknown)(answered, once_each(igloos, recordings), profile)
        except ValueError:  # too few igloos, or more than counts
            continue
        made = made_of(igloos, recordings, profile.counts)
        for name, mine in igloos.items():
            for i in mine if name in best else ():
                out[i] = replace(out[i], in_set=best[name], made=made)
    return out


def _known(answered: Sequence[Answered], igloos: Igloos, profile: GestureProfile) -> dict[str, int]:
    day = _by_the_others(answered, [i for mine in igloos.values() for i in mine], profile)
    heard = {name: [day[i] for i in mine] for name, mine in igloos.items()}
    return join_set(heard, profile.counts).best


def _by_the_others(
    answered: Sequence[Answered], mine: Sequence[int], profile: GestureProfile
) -> dict[int, dict[int, float]]:
    """Probabilities for each, given what all others of its set and session tell about the day, the later ones too."""
    out = {i: dict(answered[i].heard.probabilities) for i in mine}
    of_day = defaultdict[str, list[tuple[int, Gesture]]](list)
    for i in mine:
        gesture = answered[i].gesture
        if gesture is not None and teaches(answered[i].heard):
            of_day[answered[i].tapped.recording.occasion].append((i, gesture))
    for weighed in of_day.values():
        known = profile.set_for(set_called(answered[weighed[0][0]].tapped.recording.device, profile))
        assert known is not None  # else none of them teaches
        days = Day.by_the_others(known.model, [Weighing.of(gesture.weights) for _, gesture in weighed])
        for (i, gesture), day in zip(weighed, days, strict=True):
            out[i] = probabilities(gesture, profile, known, day)
    return out


def _unknown(answered: Sequence[Answered], igloos: Igloos, profile: GestureProfile) -> dict[str, int]:
    weighed = {}
    for name, mine in igloos.items():
        weights = all_weights([g for i in mine if (g := answered[i].gesture) is not None])
        if weights:
            weighed[name] = Weighing.of(weights)
    return dict(sort_set(weighed, profile.counts).best)


def all_weights(gestures: Iterable[Gesture]) -> list[Weight]:
    """The weights of one igloo, with the placings numbered through."""
    out: list[Weight] = []
    for gesture in gestures:
        before = max((w.placing for w in out), default=-1) + 1
        out += [replace(w, placing=before + w.placing) for w in gesture.weights]
    return out
