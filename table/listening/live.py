"""Listens to an input device or an igloo node, which may go away and come back."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, runtime_checkable

from firmware_bridge.clock import Clock
from firmware_bridge.errors import UsageError
from sensors.ear.errors import CaptureLost, NoSuchInput, NotHeard, ProfileError, SoundError
from sensors.ear.listener import Listener
from sensors.ear.profiles.profile import Profile
from sensors.ear.shakes.shake import get_ready
from sensors.ear.sources.capture import (
    Capture,
    InputDevice,
    find_again,
    find_input,
    input_devices,
    look_again,
    open_input,
)
from sensors.ear.sources.igloo_capture import IglooCapture
from sensors.ear.sources.igloo_port import Felt, is_port, port_and_node
from sensors.ear.sources.taken_at import ByArrival, ByStamps, TakenAt
from sensors.ear.verdicts.lost_sound import LostSound
from sensors.evidence import Heard, Hearing
from table.listening.files import Event, Hears
from table.listening.microphone_lacks import MicrophoneLacks

RETRY_S = 1.0
_NUMBER = re.compile(r"\d+")
# how a device may be unusable when it comes back: at another rate, or another one sits there now
UNFIT = (ProfileError, SoundError, UsageError, NotHeard)


class Ear(Hears, Protocol):
    """… and reports its level.

    `leaves_out_losses`: whether it ignores parts in which sound was lost, so that it may be sure of the rest. Then it
    has to ask where sound was lost (`AsksWhole`).
    """

    @property
    def leaves_out_losses(self) -> bool: ...

    @property
    def level_db(self) -> float: ...

    def finish(self) -> Iterator[Heard]: ...


@runtime_checkable
class AsksWhole(Protocol):
    """… and asks where sound was lost, as `Listener` does."""

    def ask_whole(self, whole: Callable[[float, float], bool]) -> None: ...


def hear_live(  # noqa: PLR0913 - a source, whose ear it has, and what the listener hands it
    source: str,
    profile: Profile,
    partial: bool,
    clock: Clock,
    seconds: float | None,
    wait: Callable[[float], None],
    alive: Callable[[float], None] = lambda level_db: None,
    stopped: Callable[[], bool] = lambda: False,
    at_seat: Callable[[float, int], Ear] | None = None,
    seats: Sequence[str] = (),
    port: bool | None = None,
    felt: Felt = "igloo",
) -> Iterator[Heard | Hearing | Event]:
    """Listen to a device until `seconds` have passed (None: for ever).

    A lost device is an event, and the same device is opened again; while it is unusable (a headset that comes back at 8
    kHz) it stays lost. Times count from the first opening, and go on while it is away; `Heard.ended_at` is by `clock`.
    A fault of an igloo's accelerometer, of a microphone's rate or of its treble is an event, once.

    `source`: an input device, or a serial port with an igloo node (`igloo_nodes` hears several of them). `port`: which
    of the two the profile was chosen for; None: as it is now, since a port may come up at this moment. `felt`: whose
    node is heard at a port.

    `wait` waits that many seconds between two tries. `alive` gets the level of each block; `stopped` is called after
    each, so that a silent device does not delay the end. `at_seat` makes the ear for a rate and a number of channels,
    if the source is one of several at a table, or has the microphones of several `seats` on its channels.

    Raises NoSuchInput, CaptureLost, or the error of making an ear, if the first try fails.
    """
    get_ready(profile.sensor)
    end = math.inf if seconds is None else clock.now() + seconds
    lost: str | None = None
    was_unfit = False  # another device sat there, or it was unusable, when its loss was last told
    if port is None:
        port = is_port(source)  # asked once: the device file of an unplugged port is gone
    place, kept = _Place(source), _Kept()

    def over() -> bool:
        return clock.now() >= end or stopped()

    while not over():
        try:
            if lost is not None and not port:
                look_again()
            with (
                IglooCapture(*port_and_node(source), kind=felt)
                if port
                else open_input(place.found, max(1, len(seats)))
            ) as capture:
                ear: Ear
                if at_seat is None:
                    ear = Listener(profile, capture.rate, capture.channels, source, partial=partial)
                else:
                    ear = at_seat(capture.rate, capture.channels)
                if not port and not kept.opened:
                    place.keep(capture.device)
                yield _link(source, kept.open(clock.now()), f"{capture.device.name}, {capture.rate:g} Hz")
                lost = None
                lacks = MicrophoneLacks(source, profile, capture.rate, kept.faults, seats)
                yield from lacks.begin()
                yield from _Opening(source, capture, ear, lacks, kept, clock).hear(alive, over)
        except (CaptureLost, NoSuchInput, *UNFIT) as error:
            if not kept.opened:
                raise
            unfit = isinstance(error, UNFIT)
            why = f"{error.cause} – {error.mend}" if unfit else error.cause
            # numbers that grow from one try to the next are no news, nor is in which way it is not there
            news = _NUMBER.sub("", why)
            if lost is None or (news != lost and (unfit or was_unfit)):
                lost, was_unfit = news, unfit
                yield _link(source, "lost", why)
            wait(RETRY_S)
    yield {"event": "count", "source": source, "overflows": kept.overflows}


@dataclass(slots=True)
class _Kept:
    """State that lasts from one opening of a source to the next."""

    opened: bool = False
    began: float = 0.0  # on the clock
    since: float = 0.0  # seconds from `began` to the last opening
    overflows: int = 0
    faults: set[str] = field(default_factory=set)  # faults of its sensor that were reported

    def open(self, now: float) -> str:
        """Note an opening; returns the word for it."""
        if self.opened:
            self.since = max(self.since, now - self.began)
            return "back"
        self.opened, self.began = True, now
        return "open"


class _Opening:
    """One opening of a source: what is heard in it, and where sound was lost."""

    def __init__(
        self,
        source: str,
        capture: Capture | IglooCapture,
        ear: Ear,
        lacks: MicrophoneLacks,
        kept: _Kept,
        clock: Clock,
    ) -> None:
        self._source, self._capture, self._ear, self._lacks = source, capture, ear, lacks
        self._kept, self._clock = kept, clock
        self._before = kept.overflows
        self._came = 0  # samples so far
        self._splices = LostSound()
        self._arrivals, self._stamps = ByArrival(), ByStamps()
        self._taken: TakenAt = self._stamps if isinstance(capture, IglooCapture) else self._arrivals
        if isinstance(ear, AsksWhole):
            ear.ask_whole(self._splices.whole)
        # an ear that leaves out losses counts only by whole sound: nothing more is checked
        self._judge = LostSound() if ear.leaves_out_losses else self._splices

    def hear(
        self, alive: Callable[[float], None], over: Callable[[], bool]
    ) -> Iterator[Heard | Hearing | Event]:
        """What is heard until the end. Raises CaptureLost."""
        capture = self._capture
        try:
            for block in capture.blocks():
                yield from self._overflowed()
                if isinstance(capture, IglooCapture):
                    yield from self._ails(capture)
                self._came += len(block)
                self._lacks.push(block)
                if isinstance(capture, IglooCapture):
                    for given, ago_s in capture.stamps():
                        self._stamps.stamp(given / capture.rate, self._clock.now() - ago_s)
                else:
                    self._arrivals.came(self._came / capture.rate, self._clock.now() - capture.age_s)
                yield from self._judged(self._ear.push(block))
                alive(self._ear.level_db)
                if over():
                    break
        except CaptureLost:
            # whatever was in progress was heard up to here
            if not self._ear.leaves_out_losses:
                self._judge.went_away(self._came / capture.rate)
            yield from self._judged(self._ear.finish())
            self._kept.since += self._came / capture.rate
            raise
        yield from self._judged(self._ear.finish())

    def _overflowed(self) -> Iterator[Event]:
        """Report blocks that were not read in time."""
        kept, capture = self._kept, self._capture
        if self._before + capture.overflows <= kept.overflows:
            return
        kept.overflows = self._before + capture.overflows
        if not isinstance(capture, IglooCapture):
            self._splices.lost(self._came / capture.rate)
            self._arrivals.lost(self._came / capture.rate)
        yield {"event": "overflow", "source": self._source, "blocks": kept.overflows}

    def _ails(self, capture: IglooCapture) -> Iterator[Event]:
        """Note gaps in a node's packets, and report faults of its sensor."""
        for first, last in capture.holes():
            self._splices.bridged(first / capture.rate, last / capture.rate)
        for fault in capture.sensor.look():
            if fault.kind not in self._kept.faults:
                self._kept.faults.add(fault.kind)
                yield {"event": "sensor", "source": self._source, "why": fault.cause, "mend": fault.mend}
        self._splices.two_boards = capture.two_boards

    def _judged(self, saying: Iterator[Heard | Hearing]) -> Iterator[Heard | Hearing | Event]:
        """The ear's results, converted from this opening's times."""
        since = self._kept.since
        for said in saying:
            start_s = said.start_s + since
            if isinstance(said, Heard):
                at = self._taken.at(said.end_s)
                # a result never ends in the future
                ended_at = None if at is None else min(at, self._clock.now())
                line = yield from self._lacks.judge(self._judge.judge(said))
                yield replace(line, start_s=start_s, end_s=said.end_s + since, ended_at=ended_at)
            else:
                yield replace(said, start_s=start_s, now_s=said.now_s + since)


class _Place:
    """Finds a source: by its name at first, then the very same device when it comes back.

    `default` always means the system's choice.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self._known: InputDevice | None = None
        self._others: frozenset[str] = frozenset()

    def keep(self, device: InputDevice) -> None:
        """Look for this device from now on."""
        if self._source != "default":
            self._known = device
            self._others = frozenset(d.name for d in input_devices())

    def found(self) -> InputDevice:
        """The device. Raises NoSuchInput."""
        try:
            return self._look()
        except (NoSuchInput, CaptureLost):
            if not look_again():
                raise
            return self._look()  # it may have been plugged in since PortAudio's last scan

    def _look(self) -> InputDevice:
        if self._known is None:
            return find_input(self._source)
        return find_again(self._source, self._known, self._others)


def _link(source: str, state: str, why: str) -> Event:
    return {"event": "link", "source": source, "state": state, "why": why}
