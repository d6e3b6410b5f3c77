"""Seats of which nothing, or nothing more, was heard: what is said of them at the end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np

from calibration.recordings.folder import Complain
from sensors.ear.errors import SoundError
from sensors.ear.frames.frontend import Array
from sensors.ear.sources.sound_file import SoundFile

# To be named, a channel gave its last sound at least so long before the end of the last shake.
FALLEN_S = 1.0


class LastSound:
    """Until when each seat's channel gave anything: what keeps one value to the end is muted, or its cable came off."""

    def __init__(self, seats: int, rate: float) -> None:
        self._rate, self._samples = rate, 0
        self._before: Array | None = None
        self._last = np.zeros(seats, np.int64)

    @property
    def last_s(self) -> list[float]:
        """Seconds since the beginning, for each seat; 0: it never gave anything."""
        return [float(n) / self._rate for n in self._last]

    def push(self, block: Array) -> None:
        """Take float32[samples, seats]."""
        if not len(block):
            return
        changed = np.diff(block, axis=0, prepend=block[:1] if self._before is None else self._before) != 0
        at = len(block) - np.argmax(changed[::-1], axis=0)
        self._last = np.where(changed.any(axis=0), self._samples + at, self._last)
        self._before, self._samples = block[-1:].copy(), self._samples + len(block)


def tell_fallen(
    seats: Mapping[str, str], sound_s: Mapping[str, float], last_s: float, tell: Callable[[str], None]
) -> None:
    """Report seats (with the place of each) that gave nothing any more while others still shook, until `last_s`."""
    for seat, where in seats.items():
        if 0 < sound_s[seat] < last_s - FALLEN_S:
            tell(
                f"{where} (seat {seat}) gives nothing from {sound_s[seat]:.1f} s on, and shakes were heard until "
                f"{last_s:.1f} s: any of this seat after that were lost or told as a neighbour's; check that "
                "microphone's plug, and whether it was muted"
            )


def tell_ended(
    files: Sequence[SoundFile], seats: Sequence[str], last_s: float, complain: Complain
) -> set[str]:
    """Report files that ended before the last shake: only the other seats heard what was shaken there after that.

    Returns the seats reported here, and those whose break was reported before.
    """
    ended = set[str]()
    for file, seat in zip(files, seats, strict=False):  # one file of all seats ends for all of them
        if len(files) > 1 and file.breaks_off:
            ended.add(seat)
        elif len(files) > 1 and file.seconds < last_s:
            ended.add(seat)
            complain(
                SoundError(
                    f"{file.path.name} (seat {seat}) ends after {file.seconds:.1f} s, and shakes were heard until "
                    f"{last_s:.1f} s: any of this seat after its end are told as others', or not at all",
                    "let all recorders run until the last shake",
                )
            )
    return ended


def tell_unshaken(
    shaken: Collection[str | None], seats: Mapping[str, str], tell: Callable[[str], None]
) -> None:
    """Report seats (with the place of each) that had no shake while others had.

    Either nobody shook there, or that microphone hears almost nothing but hum, for example because a cable came off.
    """
    for seat, where in seats.items():
        if shaken and seat not in shaken:
            tell(
                f"no shake was heard at seat {seat} ({where}), and other seats had some: if anybody shook there, it "
                "was lost or told as a neighbour's; check that microphone's plug and gain, and whether it hums"
            )
