"""Ways of recording an igloo: shaken, with a maker's own gesture, or at a seat."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from calibration.recordings.folder import Recording, gesture_called
from calibration.recordings.recorder import TakeHeard, TakeRecorder
from calibration.recordings.sweep import Sweep
from calibration.seat.recorder import SeatTakeRecorder
from calibration.seat.taps import GESTURE as SEAT
from firmware_bridge.errors import UsageError
from sensors.ear.errors import CaptureLost, NobodyShook
from sensors.ear.frames.frontend import Sensor
from sensors.ear.profiles.profile import Profile
from sensors.ear.sources.at_rest import fault_of
from sensors.ear.sources.igloo_capture import IglooCapture
from sensors.ear.sources.igloo_port import is_port
from sensors.ear.sources.treble import no_treble
from sensors.ear.verdicts.lost_sound import PACKETS_LOST, SOUND_LOST
from sensors.gesture import profile as gestures
from table.commands.igloo_oddities import too_slow
from table.commands.record_again import as_before
from table.commands.record_moves import move_told, only_moved
from table.commands.record_screen import TERMINAL
from table.commands.record_source import Noted, OpenSource, Source
from table.commands.record_words import INTERRUPTED, MUTE
from table.listening.files import choose_profile
from table.recording.asking import Screen

PATIENCE_S = 60.0
WEIGHED_WITHIN_S = 180.0
ENDED = "the sound ended before a take was over", "check the input (polartable devices)"


class Way(Protocol):
    """A way of recording one igloo."""

    @property
    def sensor(self) -> Sensor: ...

    @property
    def more(self) -> dict[str, Any]:
        """Additional keys of its lines."""

    def asks(self) -> str:
        """The instruction to the person who has taken up the igloo."""

    def heard(self, take: TakeHeard) -> str:
        """A description of a take."""

    @property
    def nothing(self) -> str:
        """The message if no take came."""

    def one_take(self, stream: Source, screen: Screen = TERMINAL) -> TakeHeard | None:
        """The take; None if nothing came for long. Raises CaptureLost."""


@dataclass(frozen=True)
class Shaken:
    """Shaken for some seconds; or moved by the profile's own gesture, or by the named `gesture`."""

    profile: Profile
    seconds: float
    gesture: str | None = None

    @property
    def sensor(self) -> Sensor:
        return self.profile.sensor

    @property
    def named(self) -> str | None:
        return self.gesture or self.profile.gesture

    @property
    def more(self) -> dict[str, Any]:
        place = {"place": "shell"} if self.profile.fixed and self.sensor == "microphone" else {}
        return place | ({"gesture": self.named} if self.named else {})

    def asks(self) -> str:
        if self.named:
            return f"make the gesture ({self.named})"
        return f"shake it for {self.seconds:g} seconds"

    def heard(self, take: TakeHeard) -> str:
        return f"{take.shake.seconds if take.shake else 0.0:.1f} s recorded"

    @property
    def nothing(self) -> str:
        return "Nothing was heard for a minute: check that the right input is chosen (polartable devices)."

    def one_take(self, stream: Source, screen: Screen = TERMINAL) -> TakeHeard | None:
        head = self.profile.head_for(self.sensor, stream.rate)
        recorder = TakeRecorder(head, stream.rate, stream.channels, self.seconds, guided=bool(self.named))
        heard = 0.0
        for block in stream.blocks():
            screen.check()
            meter = recorder.push(np.asarray(block, np.float32))
            heard += len(block) / stream.rate
            screen.draw(meter, head.band)
            if recorder.take is not None:
                return recorder.take
            if meter.advice == "wait" and (heard > PATIENCE_S or _another_shaken(stream)):
                return None
        raise CaptureLost(*ENDED)


@dataclass(frozen=True)
class Weighed:
    """Set on a seat and tapped, three times, after the empty seat."""

    sensor: Sensor
    more: dict[str, Any] = field(default_factory=lambda: {"place": "seat", "gesture": SEAT})

    def asks(self) -> str:
        return "do what is said; the seat is empty at first"

    def heard(self, take: TakeHeard) -> str:
        return "weighed"

    @property
    def nothing(self) -> str:
        return (
            "The igloo was not weighed: no tap for a minute, or none that told enough for three; check that the right "
            "input is chosen (polartable devices), and begin with the empty seat."
        )

    def one_take(self, stream: Source, screen: Screen = TERMINAL) -> TakeHeard | None:
        recorder = SeatTakeRecorder(self.sensor, stream.rate, stream.channels)
        told: tuple[str, int] | None = None
        still, heard = 0.0, 0  # seconds, samples
        for block in stream.blocks():
            screen.check()
            taps = recorder.taps
            recorder.push(np.asarray(block, np.float32))
            still = 0.0 if recorder.taps != taps else still + len(block) / stream.rate
            heard += len(block)
            if recorder.samples is not None:  # they end with this block
                return TakeHeard(recorder.samples, None, recorder.problem, heard - len(recorder.samples))
            advice = recorder.advice
            if (advice.words, advice.done) != told:
                told = advice.words, advice.done
                screen.advise(advice)
            if still > PATIENCE_S or heard > WEIGHED_WITHIN_S * stream.rate:
                return None
        raise CaptureLost(*ENDED)


def _another_shaken(stream: Source) -> bool:
    return isinstance(stream, Noted) and stream.another_shaken


def whole(take: TakeHeard | None, stream: Noted, source: str) -> TakeHeard | None:
    """The take; marked as incomplete if sound was lost in it.

    If the program was not running meanwhile, that explains any other fault of the take as well.
    """
    if take is None or not stream.lost_since(take.before):
        return take
    if stream.interrupted_since(take.before):
        return replace(take, problem=INTERRUPTED)
    if take.problem is not None:
        return take
    if is_port(source):
        return replace(take, problem=PACKETS_LOST)
    return replace(take, problem=SOUND_LOST)


def felt_rightly(take: TakeHeard | None, stream: Source, way: Way) -> TakeHeard | None:
    """The take, with the fault of an accelerometer whose files are refused.

    The take itself may ask for another way of shaking, but that would not help. It is checked for each take, since a
    chip may fail between two. Coarse steps are reported (`TakeHeard.doubt`) and recorded: a set's own profile may count
    by them.
    """
    if take is None or way.sensor != "accelerometer":
        return take
    # for a node only the chip's own samples: its stream is padded while it lies still, without gravity, dead axis or
    # step
    fault = stream.sensor.now() if isinstance(stream, IglooCapture) else fault_of(take.samples, stream.rate)
    if fault is None:
        return take
    return replace(take, doubt=str(fault)) if fault.kind == "coarse" else replace(take, problem=str(fault))


def of_numbers(take: TakeHeard | None, stream: Noted) -> TakeHeard | None:
    """The take; marked if too many of its samples are invalid, which may explain any other fault of it."""
    if take is None:
        return None
    lacks = stream.no_numbers.told(take.before, take.before + len(take.samples))
    return take if lacks is None else replace(take, problem=lacks)


def taken(stream: Source, way: Way, source: str, screen: Screen = TERMINAL) -> tuple[TakeHeard | None, str]:
    """The take with its fault, and the message if there is none because nothing came for long. Raises CaptureLost."""
    noted = Noted(stream)
    try:
        one = way.one_take(noted, screen)
    except CaptureLost:
        if not noted.broken_off:
            raise
        return None, f"{INTERRUPTED[0].upper()}{INTERRUPTED[1:]}."
    take = of_numbers(felt_rightly(whole(one, noted, source), stream, way), noted)
    if lacks := noted.no_numbers.told():
        return take, f"Nothing was heard for a minute: {lacks}."
    return take, MUTE if noted.one_value else way.nothing


def one_take(
    opened: OpenSource, beads: int, way: Way, source: str, screen: Screen = TERMINAL
) -> tuple[TakeHeard | None, float, str]:
    """The take, its rate, and the message if there is none because nothing came for long. Raises CaptureLost."""
    try:
        times = 0
        while True:
            times += 1
            with opened(beads) as stream:
                take, nothing = taken(stream, way, source, screen)
                moved = only_moved(take, stream, way)
                if take is not None and moved is not None:
                    if told := move_told(moved, take.shake, times, way):
                        screen.tell("")
                        screen.tell(told)
                elif take is not None or not Noted(stream).another_shaken:
                    return of_node(take, stream), stream.rate, nothing
    except NobodyShook:  # an igloo's port is opened when it is shaken
        return None, 0.0, way.nothing


def of_node(take: TakeHeard | None, stream: Source) -> TakeHeard | None:
    """The take, with the node that felt it if several of a port could have; a seat's node feels all igloos."""
    if take is None or not isinstance(stream, IglooCapture) or not stream.whichever:
        return take
    return replace(take, node=stream.node)


def doubt_of(take: TakeHeard, rate: float, way: Way) -> str | None:
    """Why a sensor is probably useless for counting, although it is recorded."""
    if way.sensor != "microphone":
        return take.doubt
    fault = no_treble([take.samples], rate) if isinstance(way, Shaken) else None
    return too_slow([rate]) or (None if fault is None else str(fault))


def way_of(profile: str | None, source: str, gesture: str | None, seconds: float) -> Way:
    """How igloos are recorded. Raises UsageError or ProfileError if profile, source and gesture do not fit together."""
    usual = "accelerometer" if is_port(source) else "contact" if source == "mock" else "microphone"
    named = gesture_called(gesture)
    of_seat = profile is not None and gestures.is_gesture_profile(Path(profile))
    if of_seat and gesture is not None and named != SEAT:
        raise UsageError(
            f"{profile} is a seat's profile, and --gesture is {gesture!r}", "leave --gesture out"
        )
    if of_seat or named == SEAT:
        return Weighed(
            gestures.load(Path(str(profile))).sensor if of_seat else choose_profile(profile, usual).sensor
        )
    chosen = choose_profile(profile, usual)
    if gesture is not None and chosen.gesture not in (None, named):
        raise UsageError(
            f"the profile is of the gesture {chosen.gesture}, and --gesture is {gesture!r}",
            "leave --gesture out",
        )
    return Shaken(chosen, seconds, named)


def check_same_way(sweep: Sweep, have: list[Recording], way: Way) -> None:
    """Check that a sweep keeps its sensor, place and gesture. Raises UsageError."""
    now = Recording(Path(), "", way.sensor, more=way.more)
    lines = (r for r in have if r.set == sweep.name and r.rejected is None)
    # older mock sweeps, whose lines had no source, did not record the place
    for one in (r for r in lines if "source" in r.more or not r.more.get("simulated")):
        if (one.sensor, one.place, one.gesture) != (now.sensor, now.place, now.gesture):
            options = " ".join(f"--{key} {value}" for key, value in as_before(one) if value)
            raise UsageError(
                f"the sweep {sweep.name} was begun otherwise: {_said(one)}, and this is {_said(now)}",
                f"go on with {options or 'neither --profile nor --gesture'}, or begin another: --session NAME",
            )


def _said(one: Recording) -> str:
    """`microphone, place shell, gesture knock`."""
    more = [f"{key} {value}" for key, value in (("place", one.place), ("gesture", one.gesture)) if value]
    return ", ".join([one.sensor, *more])
