"""What the commands of `calibrate igloos` share: options, complaints, and reading a folder."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from calibration import bulk
from calibration.bulk import Hands
from calibration.fitting.asked import LEAST_COUNTS
from calibration.recordings import folder as store
from calibration.recordings.folder import Recording
from calibration.seat.taps import GESTURE, is_tap
from calibration.takes.features import Row, fronts_of, rows
from calibration.words import many
from firmware_bridge.errors import PolartableError, UsageError
from firmware_bridge.host.shown import shown
from firmware_bridge.host.spelling import on_disk
from sensors.ear.frames.frontend import FrontEnd
from sensors.ear.profiles.profile import Profile
from sensors.interrupted import interrupted
from table.commands.igloo_choice import check_sensor, chosen_of, nothing_chosen, shake_profile
from table.commands.key_oddities import nearly_ours
from table.commands.ranges import with_hyphens
from table.commands.record_screen import tell
from table.steps import progress

Folder = Annotated[
    Path,
    # the reader reports files without permission
    typer.Argument(
        help="A folder with recordings.jsonl beside its sound files.", readable=False, callback=on_disk
    ),
]
Counts = Annotated[
    str | None,
    typer.Option(help="Counts to tell apart, such as 2-13 or 2,4,6 (default: those recorded of 2-13)."),
]
Sensor = Annotated[str | None, typer.Option(help="microphone or accelerometer, where a folder holds both.")]
Only = Annotated[
    list[str] | None,
    typer.Option(help="Only recordings that fit, such as place=shell or player=P0*; may be repeated."),
]
StartFrom = Annotated[
    str | None,
    typer.Option(
        help="A profile to start from, or `nothing` (default: the shipped one where sessions are few)."
    ),
]
Jobs = Annotated[int, typer.Option(min=1, help="Processes that work at the same time.")]
Dask = Annotated[
    str | None,
    typer.Option(
        help="A Dask scheduler whose workers do it instead: tcp://HOST:8786. The result is the same."
    ),
]

WHAT = "give either --profile FILE or --leave-out session|device|player"
MOST_COUNTS = 200  # each uses memory, and nobody can hear 200 from 201


class Complaints:
    """Reports each fault of the input once, in one sentence on standard error. The rest goes on; the exit code shows
    it."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    @property
    def count(self) -> int:
        return len(self._told)

    def __call__(self, error: PolartableError) -> None:
        if f"{error}" not in self._told:  # a folder may be read once for each of several profiles
            print(f"polartable: {error}", file=sys.stderr)
        self._told.add(f"{error}")

    def leave(self) -> None:
        if self.count:
            raise typer.Exit(2)


def parse_counts(text: str | None) -> tuple[int, ...] | None:
    """Parse `2-13`, `2,4,6` or a mixture. Raises UsageError."""
    if text is None:
        return None
    parts: list[tuple[int, int]] = []
    try:
        for part in with_hyphens(text).split(","):
            low, _, high = part.strip().partition("-")
            parts.append((int(low), int(high or low)))
    except ValueError as error:
        raise _no_range(text) from error
    if any(first > last for first, last in parts):
        raise _no_range(text)
    if not all(first >= 1 and last <= store.MOST_BEADS for first, last in parts):
        raise UsageError(
            f"{text!r} has counts that cannot be told", f"counts go from 1 to {store.MOST_BEADS}"
        )
    out = {count for first, last in parts for count in range(first, last + 1)}
    if len(out) > MOST_COUNTS:
        raise UsageError(
            f"{text!r} are {len(out)} counts, too many to tell apart", f"ask for {MOST_COUNTS} at most"
        )
    if len(out) < 2:
        raise UsageError(f"{text!r} leaves nothing to tell apart", f"give at least {LEAST_COUNTS} counts")
    return tuple(sorted(out))


def _no_range(text: str) -> UsageError:
    return UsageError(f"{text!r} is no range of counts", "write it like 2-13 or 2,4,6")


def workers(jobs: int, dask: str | None) -> AbstractContextManager[Hands]:
    """The workers; news of them goes to standard error. Raises ClusterAway."""
    return bulk.hands(jobs, dask, lambda text: print(f"polartable: {text}", file=sys.stderr))


@contextmanager
def broken_off(state: Callable[[], str]) -> Iterator[None]:
    """During the work: Ctrl-C is reported in one sentence with the `state` it leaves, and exits with 130."""
    try:
        yield
    except BaseException as error:
        if not interrupted(error):
            raise
        print(f"polartable: broken off by Ctrl-C; {shown(state())}", file=sys.stderr)
        raise typer.Exit(130) from None


def read_rows(
    folder: Path,
    complain: Complaints,
    sensor: str | None,
    hands: Hands,
    fronts: Sequence[FrontEnd] | None = None,
    only: list[str] | None = None,
    wanted: Callable[[Recording], bool] = lambda recording: True,
) -> list[list[Row]]:
    """Features of all usable recordings that are `wanted`; the sound itself is processed as a stream."""
    check_sensor(sensor)
    if hands.client is not None:
        folder = folder.resolve()  # workers have another working directory

    def chosen(say: store.Complain) -> Iterator[Recording]:
        return (r for r in chosen_of(folder, sensor, only, say) if not is_tap(r))

    total = 0
    silent: list[PolartableError] = []
    for _ in chosen(silent.append):
        total += 1
    if not total:
        for error in silent:
            complain(error)
        raise nothing_chosen(folder, sensor, only)
    total = sum(map(wanted, chosen(silent.append)))
    if fronts is None:
        fronts = fronts_of(filter(wanted, chosen(silent.append)))
    if taps := sum(is_tap(r) for r in chosen_of(folder, sensor, only, silent.append)):
        tell(
            f"{many(taps, 'recording')} of {GESTURE} {'is' if taps == 1 else 'are'} left out: choose "
            f"{'it' if taps == 1 else 'them'} with --only gesture={GESTURE}"
        )
    with progress(total, "listening") as step:
        return list(rows(filter(wanted, chosen(complain)), complain, fronts, hands, step))


def some(heard: list[list[Row]], done: str) -> list[list[Row]]:
    """The same rows. Raises UsageError if no recording could be heard.

    Otherwise complaints about missing counts and sessions would refer to nothing. `done`: what was to be done with the
    rows.
    """
    if not heard:
        raise UsageError(f"no recording could be {done}", "see the sentences above")
    return heard


def seat_taps(
    folder: Path, complain: Complaints, sensor: str | None, only: list[str] | None, wanted: bool = False
) -> list[Recording]:
    """The folder's recordings of the counting gesture, if the selection contains nothing else; else none.

    `wanted`: a seat's profile was named, so they are separated from other recordings.
    """
    check_sensor(sensor)
    told: list[PolartableError] = []
    if not any(is_tap(r) for r in store.read(folder, told.append)):
        return []
    told.clear()
    chosen = list(chosen_of(folder, sensor, only, told.append))
    others = sum(not is_tap(r) for r in chosen)
    if len(chosen) == others or (others and not wanted):
        return []  # then the later reader reports what is wrong with its lines
    if others:
        tell(
            f"{many(others, 'recording')} of other gestures are left out: a seat's profile is of {GESTURE} alone"
        )
        chosen = [r for r in chosen if is_tap(r)]
    for error in told:
        complain(error)
    for misspelt in nearly_ours(chosen):
        tell(f"polartable: {misspelt}")
    return chosen


def starting_profile(name: str | None) -> Profile | None:
    """The profile that was asked for; None for `nothing`, and if the choice is ours."""
    return None if name in (None, "nothing") else shake_profile(str(name))
