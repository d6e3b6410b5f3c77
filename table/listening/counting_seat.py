"""`listen` at a seat: samples of a device, a file or a folder, counted with the counting gesture's own profile."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from calibration.recordings.folder import Complain
from calibration.recordings.taken import taken_at
from calibration.seat.taps import check_axes, is_tap
from firmware_bridge.clock import Clock
from firmware_bridge.errors import UsageError
from sensors.ear.errors import ProfileError, a_sensor
from sensors.ear.frames.mixing import Mixer
from sensors.ear.sources.igloo_port import is_port
from sensors.ear.sources.in_g import check_in_g
from sensors.ear.sources.sound_file import open_sound
from sensors.evidence import Heard, Hearing
from sensors.gesture.coach import Advice
from sensors.gesture.counter import Counter
from sensors.gesture.day import Day, another_day
from sensors.gesture.profile import GestureProfile
from table import leaving
from table.listening.files import (
    SLOW_RATE,
    Event,
    hear_out,
    hear_recording,
    kept,
    looks_like_path,
    sensor_of,
)
from table.listening.live import hear_live
from table.listening.own_line import listed
from table.listening.seat_profile import chosen, listed_set

Said = Heard | Hearing


def revises(later: Heard, earlier: Heard) -> bool:
    """Whether `later` is a newer answer for the same gesture, after more taps."""
    return (later.source, later.start_s) == (earlier.source, earlier.start_s)


Days: TypeAlias = dict[tuple[str | None, str], Day]


class SeatEar:
    """Wraps a `Counter` as an ear for `hear_live`; a microphone's channels are mixed to one.

    tell: called with what to do next, in words, whenever that changes.
    """

    leaves_out_losses = True

    def __init__(
        self,
        profile: GestureProfile,
        rate: float,
        channels: int,
        source: str,
        *,
        partial: bool = False,
        tell: Callable[[str], None] | None = None,
        once: bool = False,
        day: Day | None = None,
    ) -> None:
        """once: yield only the last answer of each gesture, at its end. day: what is known of the day already.

        Raises ProfileError or SoundError if profile and source do not fit together.
        """
        self._mix = profile.sensor == "microphone"
        self._mixer = Mixer()
        self._counter = Counter(profile, rate, 1 if self._mix else channels, source, day=day)
        self._partial, self._tell, self._once = partial, tell, once
        self._held: Heard | None = None  # the last answer of the gesture in progress
        self._told: tuple[str, int] | None = None
        self._coach()

    def ask_whole(self, whole: Callable[[float, float], bool]) -> None:
        """Leave out a ring in which sound was lost, so that the others may still count the igloo with certainty."""
        self._counter.ask_whole(whole)

    @property
    def day(self) -> Day | None:
        """What is known of the day so far."""
        return self._counter.day

    @property
    def advice(self) -> Advice:
        """What to do next, and what was wrong with the last tap."""
        return self._counter.advice

    @property
    def level_db(self) -> float:
        return self._counter.level_db

    def push(self, block: npt.NDArray[np.float32]) -> Iterator[Said]:
        mono = self._mixer.push(block) if self._mix and block.ndim == 2 else block
        yield from self._wanted(self._counter.push(mono))
        self._coach()

    def finish(self) -> Iterator[Said]:
        yield from self._wanted(self._counter.finish())
        if self._held is not None:
            yield self._held
        self._held = None

    def _wanted(self, said: list[Said]) -> Iterator[Said]:
        for one in said:
            if not isinstance(one, Heard):
                if self._partial:
                    yield one
            elif not self._once:
                yield one
            else:
                if self._held is not None and not revises(one, self._held):
                    yield self._held
                self._held = one

    def _coach(self) -> None:
        advice = self._counter.advice
        now = advice.words, advice.done
        if self._tell is not None and now != self._told:
            done = f"{advice.done} of {advice.wanted}: " if advice.done else ""
            self._tell(done + advice.words)
        self._told = now


def hear_file(
    path: Path, profile: GestureProfile, source: str, partial: bool, sensor: str | None = None,
    device: str | None = None, days: Days | None = None, session: str = "", seconds: float | None = None,
) -> Iterator[Said]:  # fmt: skip
    """The last answer of every gesture in one file, or in its first `seconds`.

    device: the set that a list names. days: what was learned of each day so far, by set and `session`; updated here.
    Raises SoundError or ProfileError.
    """
    file = open_sound(path)
    # no microphone is that slow, whatever is wrong with its channels
    slow = profile.sensor == "accelerometer" and file.rate < SLOW_RATE
    sensor = sensor or ("accelerometer" if slow else sensor_of(file))
    if profile.sensor != sensor:
        raise ProfileError(
            f"{path} is of {a_sensor(sensor)}, and the profile was made for {a_sensor(profile.sensor)}",
            f"fit one on gestures of {a_sensor(sensor)}",
        )
    if sensor == "accelerometer":
        check_axes(file)
        check_in_g(file)
    known = listed_set(profile, device, f"{path}: ")
    days, sitting = {} if days is None else days, (device, session)
    day = days.get(sitting)
    ear = SeatEar(known, file.rate, file.channels, source, partial=partial, once=True, day=day)
    yield from hear_out(file, ear, seconds)
    if ear.day is not None:
        days[sitting] = ear.day


def hear_folder(
    folder: Path, profile: GestureProfile, partial: bool, complain: Complain, unheard: Callable[[str], None],
    device: str | None = None, seconds: float | None = None,
) -> Iterator[Said]:  # fmt: skip
    """Every gesture of a folder's list, or in the first `seconds` of each file; those of one set and session count as
    one day.

    What cannot be heard is reported, and the rest goes on. `unheard` gets each file in which nothing was heard.
    `device`: the set, even if the list names others. Raises UsageError if no gesture fits the profile.
    """
    gestures, days, last = 0, Days(), dict[tuple[str | None, str], float | None]()
    for recording in kept(folder, complain):
        if not is_tap(recording) or recording.sensor != profile.sensor:
            continue
        gestures += 1
        of_set = device or recording.device
        sitting, at = (of_set, recording.occasion), taken_at(recording)
        if another_day(last.get(sitting), at):
            days.pop(sitting, None)
        last[sitting] = last.get(sitting) if at is None else at
        said = hear_file(
            recording.path,
            profile,
            recording.file,
            partial,
            recording.sensor,
            of_set,
            days,
            recording.occasion,
            seconds,
        )
        yield from hear_recording(said, recording, complain, unheard)
    if not gestures:
        raise UsageError(
            f"{folder} holds no counting gesture (seat-tap) of {a_sensor(profile.sensor)}",
            "name a folder that does, or a profile for what it holds",
        )


def events(
    source: str,
    profile: GestureProfile,
    partial: bool,
    seconds: float | None,
    clock: Clock,
    wait: Callable[[float], None],
    complain: Complain,
    unheard: Callable[[str], None],
    device: str | None = None,
) -> Iterator[Said | Event]:
    """The output of `polartable listen SOURCE --profile seat.profile`.

    `device`: the set of the profile to use. For a device the coach speaks on standard error. Raises ProfileError if it
    is not clear which set.
    """
    path = Path(source)
    if device is not None:
        profile = chosen(profile, device)
    if path.is_dir():
        yield from hear_folder(path, profile, partial, complain, unheard, device, seconds)
        return
    if not is_port(source) and (path.exists() or looks_like_path(source)):
        line = listed(path)
        named_set = device or (line.device if line is not None else None)
        sensor = line.sensor if line is not None else None
        yield from hear_file(path, profile, path.name, partial, sensor, named_set, seconds=seconds)
        return
    profile = chosen(profile, None)

    def ear(rate: float, channels: int) -> Any:
        return SeatEar(
            profile, rate, channels, source, partial=partial, tell=lambda words: print(words, file=sys.stderr)
        )

    if source == "mock":
        if profile.sensor != "microphone":
            raise ProfileError(
                "the mock seat carries a piezo disc, and the profile is of an accelerometer",
                "record the mock set with it, and fit: polartable calibrate igloos record FOLDER --source mock "
                "--gesture seat-tap",
            )
        with leaving.asked() as stopped:
            yield from _mock(profile, ear, seconds, clock, wait, stopped)
        return
    with leaving.asked() as stopped:
        yield from hear_live(
            source,
            cast(Any, profile),
            partial,
            clock,
            seconds,
            wait,
            stopped=stopped,
            at_seat=ear,
            felt="seat",
        )


def _mock(
    profile: GestureProfile,
    ear: Callable[[float, int], Any],
    seconds: float | None,
    clock: Clock,
    wait: Callable[[float], None],
    stopped: Callable[[], bool],
) -> Iterator[Said]:
    """A simulated guest at a simulated seat, for `seconds` of `clock`, or until `stopped`."""
    from table.listening.mock_seat import guests

    with guests(profile.counts, clock, wait) as capture:
        seat, heard = ear(capture.rate, 1), 0.0
        for block in capture.blocks():
            yield from seat.push(block)
            heard += len(block) / capture.rate
            if stopped() or (seconds is not None and heard >= seconds):
                break
        yield from seat.finish()
