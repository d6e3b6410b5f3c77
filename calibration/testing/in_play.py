"""What the ear in play, which finds shakes by itself, says of a recording that figures cut as a single shake.

The two cut alike in most cases. But the cut of a whole recording may contain a second of handling beside the shake and
then be no shake as it stands, and of a shake hardly above its background a stream may find only parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from calibration.recordings.folder import Recording
from calibration.takes.features import LONGEST_TAKE_S, Row
from calibration.takes.shaken import Cut
from sensors.ear.errors import ProfileError, SoundError
from sensors.ear.listener import Listener
from sensors.ear.profiles.profile import Profile
from sensors.ear.sources.sound_file import open_sound
from sensors.ear.verdicts.drift import Lately
from sensors.ear.verdicts.mends import mends_of
from sensors.evidence import Heard

# Of takes whose bounds are this close, one in a thousand is called a shake by only one of the two. Closer bounds would
# have a third of all takes heard twice, which costs minutes for thousands of an accelerometer.
ALIKE_S = 0.2

Said = tuple[Heard, float | None]  # a line, and how odd it is: None where that says nothing about the profile


def cut_alike(row: Row) -> Cut | None:
    """The ear's own cut that is the row's as well; None where it cuts otherwise, or where that is not known."""
    shake = row.shake
    near = (
        c
        for c in row.in_play or ()
        if abs(c.start_s - shake.start_s) <= ALIKE_S and abs(c.end_s - shake.end_s) <= ALIKE_S
    )
    return next(near, None)


def in_play(profile: Profile, recording: Recording, as_cut: Said) -> Said:
    """What is said in play instead of `as_cut`: of the longest shake, else of the longest sound that is none. The same
    where it can no longer be read."""
    try:
        said = list(_heard(profile, recording))
    except (SoundError, ProfileError):
        return as_cut
    if said:
        return max(said, key=lambda one: (_is_shake(one[0]), one[0].end_s - one[0].start_s))
    line, _ = as_cut
    if _is_shake(line):
        head = profile.heads[0]
        line = replace(
            line,
            verdict="not-a-shake",
            probabilities={},
            reason=mends_of(profile.sensor, head.on_shell).hardly_heard,
            strength=None,
            doubt="",
        )
    return line, None


def _is_shake(line: Heard) -> bool:
    return line.verdict != "not-a-shake"


class _LastOne(Lately):
    """How odd the last shake was. It knows none before: takes follow one another in `calibration.testing.lately`."""

    def __init__(self) -> None:
        super().__init__()
        self._last: float | None = None

    def add(self, odd: float) -> None:
        self._last = odd

    def take(self) -> float | None:
        """Of each shake once."""
        odd, self._last = self._last, None
        return odd


def _heard(profile: Profile, recording: Recording) -> Iterator[Said]:
    file, last = open_sound(recording.path), _LastOne()
    ear = Listener(profile, file.rate, file.channels, recording.file, fine=file.fine, lately=last)
    for block in file.blocks(LONGEST_TAKE_S, as_written=True):
        for said in ear.push(block):
            if isinstance(said, Heard):
                yield said, last.take()
    for heard in ear.finish():
        yield heard, last.take()
