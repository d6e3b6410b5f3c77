"""Recordings to features: each sound file is read as a stream, once a front end, and kept as a row of numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from calibration.bulk import Hands, Lost, each, lost
from calibration.recordings.folder import Complain, Recording
from calibration.takes.clipped import Clipped
from calibration.takes.course import Course
from calibration.takes.loudest import Loudest
from calibration.takes.shaken import Cut, cuts_in_play, where_shaken
from firmware_bridge.errors import PolartableError
from firmware_bridge.host.spelling import is_in
from sensors.bridged import Bridged
from sensors.ear.errors import SoundError
from sensors.ear.frames.frontend import (
    FRONT_ENDS,
    LIMIT,
    Envelopes,
    Floats,
    Frames,
    FrontEnd,
    front_ends_for,
    join_frames,
)
from sensors.ear.frames.levels import decibels
from sensors.ear.shakes.moves import move_of
from sensors.ear.shakes.shake import Shake, shake_of
from sensors.ear.shakes.takes import lead_s
from sensors.ear.sources.at_rest import Fault
from sensors.ear.sources.extent import Extent, check_extent
from sensors.ear.sources.in_g import check_in_g
from sensors.ear.sources.packed import too_little
from sensors.ear.sources.sound_file import open_sound
from sensors.ear.verdicts.lost_sound import NO_NUMBERS, LostSound
from sensors.ear.verdicts.no_shake import KNOCK_S

LONGEST_TAKE_S = 60.0  # of one recording; the rest is not used
LENGTH_SLACK_S = 0.1  # tolerance of lengths that takes are cut to
QUIET_S, LEAST_QUIET = 0.05, 4  # blocks outside the shake, and how many suffice for a room's level


@dataclass(frozen=True, slots=True)
class Row:
    """One recording as numbers, through one front end."""

    recording: Recording
    rate: float  # Hz
    shake: Shake
    snr_db: float
    clipped: bool
    background_db: float  # of the quiet parts, wide band; for the check on confounded folders
    longer: bool = False  # than LONGEST_TAKE_S: the rest was not heard
    loudest: str = ""  # identifies the samples around its loudest one (calibration.takes.loudest)
    missing: LostSound | None = None  # where samples are missing (NaN); None: nowhere in the shake
    course: bytes = b""  # the envelope around its loudest moments (calibration.takes.course)
    lacks: Fault | None = None  # what its sensor lacks for counting
    # of quiet moments in which nobody shook, where there were enough, so that no rattling beads are included
    quiet_db: float | None = None
    # the shakes that the ear in play cuts out of it; None where it is not asked: of gestures, and of beginnings
    in_play: tuple[Cut, ...] | None = None

    @property
    def front(self) -> FrontEnd:
        return self.shake.front

    @property
    def whole(self) -> bool:
        """Is no sample of the shake missing?"""
        return self.missing is None


# for each recording one row for each front end
Takes = Sequence[Sequence[Row]]


@dataclass(frozen=True, slots=True)
class _Listened:
    """A recording's frames, with checks on its samples."""

    recording: Recording
    front: FrontEnd
    rate: float  # Hz
    frames: Frames
    clipped: Clipped
    extent: Extent
    longer: bool
    loudest: str
    missing: LostSound  # samples that are not numbers
    course: bytes
    lacks: Fault | None
    fine: bool  # more than 16 bits

    def measure(self, frames: Frames, like: Shake | None = None) -> Shake | None:
        if self.recording.gesture is not None:
            return move_of(self.front, frames)
        return shake_of(self.front, frames, like=like)

    def shake(self, like: Shake | None) -> Shake | None:
        """The shake in it, however long the recording is."""
        at, guided = self.front.frame_rate, self.recording.gesture is not None
        first, end = where_shaken(self.front, self.frames, self.fine, guided)
        if end - first == len(self.frames.energy):
            return self.measure(self.frames, like)
        cut = self.measure(self.frames.cut(self.front, first, end), like)
        return cut and replace(cut, start_s=first / at + cut.start_s, end_s=first / at + cut.end_s)

    def row(self, shake: Shake) -> Row:
        """The row for this shake among the frames."""
        wide, at = self.frames.energy[:, -1].astype(np.float64), self.front.frame_rate
        begin, end = round(shake.start_s * at), round(shake.end_s * at)
        outside = np.concatenate([wide[:begin], wide[end:]])
        quiet = float(np.median(outside)) if len(outside) > 50 else float(np.quantile(wide, 0.02))
        level, background = decibels(float(wide[begin:end].mean())), decibels(quiet)
        snr = min(99.0, max(0.0, level - background))
        whole = self.missing.whole(shake.start_s, shake.end_s)
        return Row(
            recording=self.recording,
            rate=self.rate,
            shake=shake,
            snr_db=snr,
            clipped=self.clipped.during(shake.start_s, shake.end_s),
            background_db=background,
            longer=self.longer,
            loudest=self.loudest,
            missing=None if whole else self.missing,
            course=self.course,
            lacks=self.lacks,
            quiet_db=_quiet_db(wide[:begin], wide[end:], at),
        )


def _quiet_db(before: Floats, after: Floats, at: float) -> float | None:
    """The 25 % quantile of the blocks' levels; None for too few. After a shake, part of them contains rattling."""
    of_one = round(QUIET_S * at)
    whole = [
        side[: len(side) // of_one * of_one].reshape(-1, of_one).mean(axis=1) for side in (before, after)
    ]
    blocks = np.concatenate(whole)
    return decibels(float(np.quantile(blocks, 0.25))) if len(blocks) >= LEAST_QUIET else None


def _listen(recording: Recording, front: FrontEnd, course: bool = False) -> _Listened:
    """Read a recording through a front end. `course`: compute its envelope as well. Raises SoundError where it cannot
    be read."""
    file = open_sound(recording.path)
    lacks = check_in_g(file) if front.sensor == "accelerometer" else too_little(file)
    try:
        envelopes = Envelopes(front, file.rate, file.channels)
    except SoundError as error:
        raise SoundError(f"{recording.path}: {error.cause}", error.mend) from error
    parts, read = [], 0
    extent, around, clipped = Extent(), Loudest(), Clipped(front.sensor, file.rate)
    rising = Course(front.sensor, file.rate, file.channels) if course else None
    bridged, missing = Bridged(), LostSound(NO_NUMBERS)
    for written in file.blocks(LONGEST_TAKE_S, as_written=True):
        block = bridged.push(written)
        if block is not written:  # some samples were not numbers
            lost = np.concatenate([[False], ~np.isfinite(written).all(axis=1), [False]])
            for first, end in np.flatnonzero(lost[1:] != lost[:-1]).reshape(-1, 2).tolist():
                missing.bridged((read + first) / file.rate, (read + end) / file.rate)
        extent.push(block)
        block = np.clip(block, -LIMIT, LIMIT)
        around.push(block)
        if rising:
            rising.push(block)
        clipped.push(block)
        parts.append(envelopes.push(block))
        read += len(block)
    frames = join_frames(front, parts)
    longer = file.seconds > LONGEST_TAKE_S
    told = rising.told if rising else b""
    loudest = around.told
    return _Listened(
        recording=recording,
        front=front,
        rate=file.rate,
        frames=frames,
        clipped=clipped,
        extent=extent,
        longer=longer,
        loudest=loudest,
        missing=missing,
        course=told,
        lacks=lacks,
        fine=file.fine,
    )


def hear(recording: Recording, front: FrontEnd, like: Shake | None = None, course: bool = False) -> Row:
    """Read a recording through a front end. Raises SoundError where it cannot be read or holds no shake.

    like: the same shake through another front end; beads are imagined only once, as in play. course: to recognise near
    copies (`calibration.traps.near_copies`); it is the same through all front ends.
    """
    heard = _listen(recording, front, course)
    shake = heard.shake(like)
    what = recording.gesture or "shake"
    # after a silent minute the shake may still come
    if shake is None and heard.longer and not heard.extent.too_far:
        raise SoundError(
            f"{recording.path} holds nothing in its first {LONGEST_TAKE_S:g} s, and no more of it is heard",
            f"cut it to the {what}",
        )
    check_extent(recording.path, heard.extent, shake is not None)
    if shake is None or shake.seconds < KNOCK_S:
        raise SoundError(f"{recording.path} holds no {what}", "record it again, or take it out")
    row = heard.row(shake)
    if recording.gesture is not None:
        return row
    return replace(row, in_play=cuts_in_play(front, heard.frames, heard.fine))


def beginnings(of_one: Sequence[Row], lengths: Sequence[float]) -> dict[float, list[Row]]:
    """A recording's rows with only the first seconds of its shake, for each length that it lasts and in which every
    front end can measure a shake. Raises SoundError where it can no longer be read."""
    asked = [seconds for seconds in lengths if of_one[0].shake.seconds >= seconds - LENGTH_SLACK_S]
    out: dict[float, list[Row]] = {seconds: [] for seconds in asked}
    for row in of_one if asked else ():
        front, since = row.front, row.shake.start_s
        heard = _listen(row.recording, front)
        begin = max(0, round((since - lead_s(front)) * front.frame_rate))
        since_s = begin / front.frame_rate
        for seconds, before in out.items():
            like = before[0].shake if before and front.hand else None
            end = round((since + seconds) * front.frame_rate)
            cut = heard.measure(heard.frames.cut(front, begin, end), like)
            if cut is not None and KNOCK_S <= cut.seconds <= seconds + LENGTH_SLACK_S:
                cut = replace(cut, start_s=since_s + cut.start_s, end_s=since_s + cut.end_s)
                before.append(heard.row(cut))
    return {seconds: rows for seconds, rows in out.items() if len(rows) == len(of_one)}


def _both(recording: Recording, fronts: Sequence[FrontEnd]) -> list[Row] | PolartableError:
    try:
        rate = open_sound(recording.path).rate
        usual = _usual(recording, rate)
        wanted = [f for f in dict.fromkeys(fronts) if f.sensor == recording.sensor and f.least_rate <= rate]
        first, *others = wanted or usual
        row = hear(recording, first, course=True)
        like = row.shake if first.hand else None
        return [row, *(replace(hear(recording, front, like), course=row.course) for front in others)]
    except PolartableError as error:
        named = is_in(str(recording.path), error.cause)
        return error if named else type(error)(f"{recording.path}: {error.cause}", error.mend)


def _usual(recording: Recording, rate: float) -> tuple[FrontEnd, ...]:
    """Where nobody says where a microphone sits, it may be on the shell: a fit finds out (`fitting.prior`)."""
    on_shell = recording.place in (None, "shell")
    return front_ends_for(recording.sensor, rate, recording.gesture is not None, on_shell)


def rows(
    recordings: Iterable[Recording],
    complain: Complain,
    fronts: Sequence[FrontEnd] = (),
    jobs: int | Hands = 1,
    step: Callable[[], None] = lambda: None,
) -> Iterator[list[Row]]:
    """For each usable recording its rows, one for each of `fronts` that it fills (default: the usual ones).

    Unusable ones are reported and left out. `jobs` processes (or a cluster's hands) read in parallel; `step` is called
    once for each recording.
    """
    hands = jobs if isinstance(jobs, Hands) else Hands(jobs)
    for result in each(partial(_both, fronts=fronts), recordings, hands):
        step()
        if isinstance(result, PolartableError):
            complain(result)
        elif isinstance(result, Lost):
            complain(lost(str(result.piece.path)))
        else:
            yield result


def fronts_of(recordings: Iterable[Recording]) -> tuple[FrontEnd, ...]:
    """The front ends that some recording fills, the finest first; unreadable files are skipped."""
    names: set[str] = set()
    for recording in recordings:
        try:
            rate = open_sound(recording.path).rate
            names |= {front.name for front in _usual(recording, rate)}
        except PolartableError:
            continue
    return tuple(front for front in FRONT_ENDS if front.name in names)
