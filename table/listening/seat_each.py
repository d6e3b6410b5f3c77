"""Several microphones at one table, one per seat: channels of one file or sound card, or files that began together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

import numpy as np

from calibration.recordings.folder import Complain
from calibration.words import many
from firmware_bridge.clock import Clock
from firmware_bridge.errors import PolartableError, UsageError
from sensors.bridged import Bridged
from sensors.ear.errors import ProfileError, SoundError
from sensors.ear.frames.frontend import Array
from sensors.ear.frames.mixing import Mixer
from sensors.ear.profiles.profile import Profile
from sensors.ear.seats.listener import SeatListener, hear_together
from sensors.ear.seats.together import Seats
from sensors.ear.sources.extent import Extent, check_extent
from sensors.ear.sources.packed import poorly_written
from sensors.ear.sources.sound_file import SoundFile, open_sound
from sensors.evidence import Heard, Hearing
from table.listening.files import Event, beginning, goes_on
from table.listening.gestures import check_gesture
from table.listening.live import hear_live
from table.listening.narrow import NarrowSeats
from table.listening.silent_seats import LastSound, tell_ended, tell_fallen, tell_unshaken
from table.listening.twins import SAME_S, LiveTwins, twins

_NOTHING: Array = np.zeros((0, 1), np.float32)


def named_seats(text: str) -> tuple[str, ...]:
    """Names of seats, separated by commas. Raises UsageError."""
    names = tuple(name.strip() for name in text.split(","))
    if len(set(names)) != len(names) or "" in names or len(names) < 2:
        raise UsageError(
            f"{text!r} does not name seats", "write two or more different names, such as red,blue,yellow"
        )
    if not all(name.isprintable() for name in names):
        raise UsageError(
            f"{text!r} names a seat by what no terminal shows", "write letters, such as red,blue,yellow"
        )
    return names


def hear_seats(
    paths: Sequence[Path],
    seats: Sequence[str],
    profile: Profile,
    partial: bool,
    complain: Complain,
    seconds: float | None = None,
    tell: Callable[[str], None] = lambda why: None,
    tell_files: Callable[[Sequence[SoundFile], Profile], None] = lambda files, profile: None,
) -> Iterator[Heard | Hearing]:
    """Listen to one file with a channel per seat, or one file per seat, all of one rate and begun together.

    `seconds`: only their beginning. A file that breaks off and a silent seat go to `complain`, and the others are heard
    to their end. `tell` gets a sentence on each band-limited seat, and on each that had no shake while others had;
    `tell_files` the files, once they can be heard together, and the profile. Raises UsageError, SoundError or
    ProfileError if they cannot be heard together at all.
    """
    files = [open_sound(path) for path in paths]
    for path in paths:
        check_gesture(path, profile)
    channels = sum(f.channels for f in files) if len(files) == 1 else len(files)
    if channels != len(seats):
        have = (
            f"{paths[0]} has {many(channels, 'channel')}"
            if len(files) == 1
            else f"there are {channels} files"
        )
        raise UsageError(f"{have}, and {len(seats)} seats are named", "name a seat for each, in their order")
    rates = {f.rate for f in files}
    if len(rates) > 1:
        each = ", ".join(f"{f.path.name} {f.rate:g} Hz" for f in files)
        raise SoundError(f"files of one table have different rates ({each})", "record all seats at one rate")
    # separate recorders have separate clocks, and nobody starts two of them within a millisecond
    rate, table = rates.pop(), Seats(seats, one_clock=len(files) == 1)
    _check_apart(files)
    tell_files(files, profile)
    for file in files:
        if (poor := poorly_written(file)) is not None:
            tell(f"of {file.path}, {poor}")
    names = [f.path.name for f in files] * (len(seats) if len(files) == 1 else 1)
    try:
        ears = [
            SeatListener(
                profile, rate, 1, name, table, seat, partial=partial, fine=all(f.fine for f in files)
            )
            for name, seat in zip(names, seats, strict=True)
        ]
    except (SoundError, ProfileError) as error:  # of the rate, which all files have
        raise type(error)(f"{', '.join(map(str, paths))}: {error.cause}", error.mend) from error
    wheres = [f"channel {k + 1} of {name}" if len(files) == 1 else name for k, name in enumerate(names)]
    narrow = NarrowSeats(profile, rate, dict(zip(seats, wheres, strict=True)), tell)
    extents, last_s, shaken = [Extent() for _ in seats], 0.0, set[str | None]()
    sound = LastSound(len(seats), rate)
    for said in _all_of(
        ears, extents, sound, narrow.pushed(beginning(_blocks(files, complain), rate, seconds)), rate
    ):
        if isinstance(said, Heard) and said.verdict != "not-a-shake":
            last_s = max(last_s, said.end_s)
            shaken.add(said.seat)
        yield narrow.judge(said) if isinstance(said, Heard) else said
    named = tell_ended(files, seats, last_s, complain)
    cut = any(goes_on(file, seconds) for file in files)
    for where, seat, extent in zip(wheres, seats, extents, strict=True):
        if cut and not extent.too_far:
            continue  # a seat that is silent this long may still shake later
        try:
            check_extent(f"{where} (seat {seat})", extent, heard=True)
        except SoundError as error:
            complain(error)
            named.add(seat)
    left = {seat: at for seat, at in zip(seats, wheres, strict=True) if seat not in named}
    tell_unshaken(shaken, left, tell)
    tell_fallen(left, dict(zip(seats, sound.last_s, strict=True)), last_s, tell)


def _all_of(
    ears: Sequence[SeatListener],
    extents: Sequence[Extent],
    sound: LastSound,
    blocks: Iterator[Array],
    rate: float,
) -> Iterator[Heard | Hearing]:
    """All results for blocks float32[samples, seats], to their end."""
    for block in blocks:
        sound.push(block)
        for k, extent in enumerate(extents):
            extent.push(np.nan_to_num(block[:, k : k + 1], nan=0.0, posinf=0.0, neginf=0.0))
        yield from hear_together(ears, block, rate)
    for ear in ears:
        yield from ear.finish()


def _check_apart(files: Sequence[SoundFile]) -> None:
    """Raises SoundError if two seats begin with exactly the same sound: one microphone, recorded twice."""
    begun = [
        np.concatenate(list(beginning(_to_its_end(f, _later), f.rate, SAME_S)) or [_NOTHING]) for f in files
    ]
    if len(files) == 1:
        heard = list(begun[0].T)
        names = [f"channels {k + 1}" for k in range(len(heard))]
    else:
        heard = [Mixer().push(one) for one in begun]
        names = [str(f.path) for f in files]
    if (same := twins(heard)) is not None:
        one, other = names[same[0]], names[same[1]].removeprefix("channels ")
        raise SoundError(
            f"{one} and {other}{f' of {files[0].path}' if len(files) == 1 else ''} are the same sound, as of one "
            "microphone",
            "record each seat by its own, or leave --seats out",
        )


class _Table:
    """All seats as one ear for `hear_live`."""

    leaves_out_losses = False

    def __init__(
        self, ears: Sequence[SeatListener], rate: float, heard: Callable[[Array], None] = lambda block: None
    ) -> None:
        self._ears, self._rate, self._heard = ears, rate, heard

    @property
    def level_db(self) -> float:
        return max(ear.level_db for ear in self._ears)

    def ask_whole(self, whole: Callable[[float, float], bool]) -> None:
        for ear in self._ears:
            ear.ask_whole(whole)

    def push(self, block: Array) -> Iterator[Heard | Hearing]:
        self._heard(block[:, : len(self._ears)])
        return hear_together(self._ears, block, self._rate)

    def finish(self) -> Iterator[Heard]:
        for ear in self._ears:
            yield from ear.finish()


def hear_seats_live(
    source: str,
    seats: Sequence[str],
    profile: Profile,
    partial: bool,
    clock: Clock,
    seconds: float | None,
    wait: Callable[[float], None],
    stopped: Callable[[], bool] = lambda: False,
    tell: Callable[[str], None] = lambda why: None,
) -> Iterator[Heard | Hearing | Event]:
    """Listen to a sound card with one seat's microphone on each of its first channels; a lost one is opened again.

    `tell`: as in `hear_seats`. Raises UsageError, NoSuchInput, CaptureLost, ProfileError, or SoundError for two
    channels that are one microphone.
    """
    same = LiveTwins()

    def table(rate: float, channels: int) -> _Table:
        if channels < len(seats):
            raise UsageError(
                f"{source} has {many(channels, 'channel')}, and {len(seats)} seats are named",
                "name as many seats as it has microphones",
            )
        shared = Seats(seats)
        same.begin(rate)
        ears = [SeatListener(profile, rate, 1, source, shared, seat, partial=partial) for seat in seats]
        return _Table(ears, rate, same.push)

    shaken = set[str | None]()

    # not raised where the card is read: there it would be a fault of the device, which is opened again
    def over() -> bool:
        return stopped() or same.found is not None

    for said in hear_live(
        source, profile, partial, clock, seconds, wait, stopped=over, at_seat=table, seats=seats
    ):
        if isinstance(said, Heard) and said.verdict != "not-a-shake":
            shaken.add(said.seat)
        yield said
    if same.found is not None:
        one, other = (k + 1 for k in same.found)
        raise SoundError(
            f"channels {one} and {other} of {source} are the same sound, as of one microphone",
            "give each seat a microphone of its own, or leave --seats out",
        )
    tell_unshaken(shaken, {seat: f"channel {k} of {source}" for k, seat in enumerate(seats, 1)}, tell)


def _blocks(files: Sequence[SoundFile], complain: Complain) -> Iterator[Array]:
    """Blocks float32[samples, seats]; a file that ends before the others, or breaks off, is silent from then on.

    A sample that is not finite in any of a file's channels is NaN for its seat.
    """
    if len(files) == 1:
        yield from _to_its_end(files[0], complain)
        return
    mixers, bridged = [Mixer() for _ in files], [Bridged() for _ in files]
    for parts in zip_longest(*(_to_its_end(f, complain) for f in files)):
        out = np.zeros((max(len(p) for p in parts if p is not None), len(files)), np.float32)
        for k, part in enumerate(parts):
            if part is not None:
                mixed = mixers[k].push(bridged[k].push(part))
                out[: len(part), k] = np.where(np.isfinite(part).all(axis=1), mixed, np.float32(np.nan))
        yield out


def _later(_: PolartableError) -> None:
    """Ignored: it is reported when the file is heard."""


def _to_its_end(file: SoundFile, complain: Complain) -> Iterator[Array]:
    """Its blocks, as far as they can be read."""
    try:
        yield from file.blocks(as_written=True)  # each seat's ear reports which shakes have missing samples
    except SoundError as error:
        complain(error)
