"""Tests recordings of the counting gesture in the order in which they were made.

As in play, one profile answers each with what earlier ones taught about its day.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from calibration.recordings.folder import Complain
from calibration.recordings.taken import taken_at
from calibration.seat.taps import Answered, Tapped, answer, join, set_called
from firmware_bridge.errors import PolartableError
from sensors.gesture.day import Day, another_day
from sensors.gesture.judge import learned
from sensors.gesture.profile import GestureProfile


@dataclass(frozen=True, slots=True)
class Today:
    """The state of a set's day in one session: the model of the day (None: unknown set), the files that taught it, and
    when the last of them was made, Unix s, where known."""

    day: Day | None
    files: frozenset[str] = frozenset()
    last: float | None = None

    def after(self, file: str, day: Day | None, at: float | None) -> Today:
        """The state after one more recording, which leaves `day`. A file that is listed twice teaches only once."""
        known = self.day if file in self.files else day
        return Today(known, self.files | {file}, self.last if at is None else at)


# (profile, recording, state of the day) → (answer, state of the day after it)
Answering = Callable[[GestureProfile, Tapped, Day | None], tuple[Answered, Day | None]]


def as_it_stands(profile: GestureProfile, tapped: Tapped, day: Day | None) -> tuple[Answered, Day | None]:
    """The answer to the single gesture found in the recording, and the day after it. Raises ProfileError for another
    kind of sensor."""
    answered, gesture = answer(profile, tapped, day), tapped.gesture
    if day is not None and gesture is not None:
        day = learned(day, gesture, answered.heard)
    return answered, day


def evaluate_taps(
    profile: GestureProfile,
    tapped: Iterable[Tapped],
    complain: Complain,
    answering: Answering = as_it_stands,
) -> list[Answered]:
    """All recordings under one profile, sets joined. `answering`: by the gesture found in each, or by hearing it anew
    as `listen` does (`as_played`)."""
    days, all_of_it = dict[tuple[str | None, str], Today](), list(tapped)
    out: list[Answered | None] = [None] * len(all_of_it)
    for i in _as_made(all_of_it):
        t = all_of_it[i]
        name = set_called(t.recording.device, profile)
        known, at, sitting = profile.set_for(name), taken_at(t.recording), (name, t.recording.occasion)
        today = days.get(sitting)
        if today is None or another_day(today.last, at):
            today = Today(known.day if known is not None else None)
        try:
            out[i], day = answering(profile, t, today.day)
        except PolartableError as error:
            complain(error)
            continue
        days[sitting] = today.after(t.recording.file, day, at)
    return join([one for one in out if one is not None], profile)


def _as_made(tapped: Sequence[Tapped]) -> list[int]:
    """Indices in the order of recording, where all lines have a time; else in the order of the list."""
    times = [at for t in tapped if (at := taken_at(t.recording)) is not None]
    order = range(len(tapped))
    return sorted(order, key=lambda i: times[i]) if len(times) == len(tapped) else list(order)
