"""Recordings of the counting gesture under one profile, in the order in which they were made: each with what those
before it told of its day, as in play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from calibration.recordings.folder import Complain
from calibration.recordings.taken import taken_at
from calibration.seat.taps import Answered, Tapped, answer, join, set_called
from sensors.ear.errors import ProfileError
from sensors.gesture.day import Day, another_day
from sensors.gesture.judge import learned
from sensors.gesture.profile import GestureProfile


@dataclass(frozen=True, slots=True)
class Today:
    """What is known of the day of one set and session (None: the set is not known), by which files, and when the last
    of these was made, s, where that is known."""

    day: Day | None
    files: frozenset[str] = frozenset()
    last: float | None = None

    def after(self, answered: Answered, at: float | None) -> Today:
        """The same after one more gesture; a file that is listed twice teaches once."""
        file, gesture, day = answered.tapped.recording.file, answered.tapped.gesture, self.day
        if day is not None and gesture is not None and file not in self.files:
            day = learned(day, gesture, answered.heard)
        return Today(day, self.files | {file}, self.last if at is None else at)


def evaluate_taps(profile: GestureProfile, tapped: Iterable[Tapped], complain: Complain) -> list[Answered]:
    """Every recording under one profile, sets joined."""
    days, all_of_it = dict[tuple[str | None, str], Today](), list(tapped)
    out: list[Answered | None] = [None] * len(all_of_it)
    for i in _as_made(all_of_it):
        t = all_of_it[i]
        name = set_called(t.recording.device, profile)
        known, at, sitting = profile.set_for(name), taken_at(t.recording), (name, t.recording.occasion)
        today = days.get(sitting)
        if today is None or another_day(today.last, at):
            today = Today(Day.unknown(known.model) if known is not None else None)
        try:
            answered = out[i] = answer(profile, t, today.day)
        except ProfileError as error:
            complain(error)
            continue
        days[sitting] = today.after(answered, at)
    return join([one for one in out if one is not None], profile)


def _as_made(tapped: Sequence[Tapped]) -> list[int]:
    """Which was made before which: by the times of all, or as they are listed where one has none."""
    times = [at for t in tapped if (at := taken_at(t.recording)) is not None]
    order = range(len(tapped))
    return sorted(order, key=lambda i: times[i]) if len(times) == len(tapped) else list(order)
