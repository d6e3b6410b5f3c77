"""The counting seat, live: its sensor in its own thread, and the coach's advice on the page."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from firmware_bridge.clock import Clock
from sensors.ear.errors import ProfileError
from sensors.evidence import Heard, Hearing
from sensors.gesture.coach import Advice
from sensors.gesture.profile import GestureProfile, load
from table.listening.why_lost import why_lost
from table.senses.own_thread import in_own_thread
from table.senses.sound_losses import SoundLosses
from table.senses.watchdog import Change, Senses

if TYPE_CHECKING:
    from table.listening.counting_seat import SeatEar

RETRY_S = 2.0
COUNTING_SEAT = "sensor of the counting seat"  # its watchdog's name


@dataclass(slots=True)
class LiveTaps:
    """What the person at the counting seat has to do now, and the last igloo that was counted."""

    advice: Advice | None = None
    heard: Heard | None = None
    version: int = 0


class TapWire:
    """One seat's sensor: an input device by its PortAudio name, or a serial port with a seat's node."""

    def __init__(
        self, device: str, profile: GestureProfile, live: LiveTaps, senses: Senses, clock: Clock
    ) -> None:
        """`profile`: for the one set at the seat (`seat_profile`)."""
        self._device, self._live, self._clock = device, live, clock
        self._profile = profile
        self._dog = senses.watch(
            COUNTING_SEAT, "look at its plug; see: polartable devices", clock.now(), "igloo-pop"
        )
        self._losses = SoundLosses(self._dog.source, senses)
        self._stop = threading.Event()

    async def run(self) -> None:
        """Run for ever; a missing device is looked for again."""
        loop = asyncio.get_running_loop()
        await in_own_thread(f"taps at {self._device}", partial(self._listen, loop), self._stop)

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        from table.listening.counting_seat import SeatEar
        from table.listening.live import hear_live

        ears: list[SeatEar] = []

        def ear(rate: float, channels: int) -> Any:
            ears[:] = [SeatEar(self._profile, rate, channels, self._device, partial=True)]
            return ears[0]

        def alive(level_db: float) -> None:
            self._tell(loop, self._block, ears[0].advice)

        while not self._stop.is_set():
            try:
                profile = cast(Any, self._profile)
                stopped = self._stop.is_set
                heard = hear_live(
                    self._device,
                    profile,
                    True,
                    self._clock,
                    None,
                    self._wait,
                    alive,
                    stopped,
                    ear,
                    felt="seat",
                )
                for said in heard:
                    self._tell(loop, self.take, said)
            except Exception as error:  # whatever the error is: it must not leave this seat deaf
                self._tell(loop, self._lost, why_lost(self._device, error))
                self._stop.wait(RETRY_S)

    def _tell(self, loop: asyncio.AbstractEventLoop, what: Callable[..., None], *said: object) -> None:
        if not self._stop.is_set():  # after a stop nobody listens, and the loop may be closed
            loop.call_soon_threadsafe(what, *said)

    def _wait(self, seconds: float) -> None:
        self._stop.wait(seconds)

    def _block(self, advice: Advice) -> None:
        self._dog.alive(self._clock.now())
        self._advise(advice)

    def _lost(self, why: str) -> None:
        # what is done at the seat now is not felt, and the gesture begins anew when it is back
        self._advise(None)
        self._dog.lost(self._clock.now(), why)

    def _advise(self, advice: Advice | None) -> None:
        if advice != self._live.advice:
            self._live.advice = advice
            self._live.version += 1

    def take(self, said: Heard | Hearing | dict[str, Any]) -> None:
        """Handle what was heard at the seat; on the event loop."""
        if isinstance(said, Heard):
            self._live.heard = said
            self._live.version += 1
        elif isinstance(said, dict) and said["event"] == "overflow":
            self._losses.told(self._clock.now())
        elif isinstance(said, dict) and said["event"] == "link" and said["state"] == "lost":
            self._lost(str(said["why"]))


def taps_of(device: str, profile: Path, senses: Senses, clock: Clock) -> tuple[TapWire, LiveTaps] | None:
    """The counting seat; if its profile cannot be used: None, and that is reported. The others play on."""
    live = LiveTaps()
    try:
        return TapWire(device, seat_profile(profile), live, senses, clock), live
    except ProfileError as error:
        senses.told(Change(clock.now(), "profile of the counting seat", "failed", str(error), ""))
        return None


def seat_profile(file: Path) -> GestureProfile:
    """The profile named in the settings, for one set. Raises ProfileError that names the setting too."""
    # imports all the counting code: a table without such a seat starts without it
    from table.listening.seat_profile import chosen

    try:
        return chosen(load(file), None)
    except ProfileError as error:
        where = "" if str(file) in error.cause else f", {file}"
        raise ProfileError(
            f"profile in [taps]{where}: {error.cause}",
            f"{error.mend}; or take [taps] out of the settings, and igloos are counted by hand",
        ) from error
