"""The table's ear: each seat's microphone or igloo port has a watchdog, and no failure can end the game."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from firmware_bridge.clock import Clock
from sensors.ear.errors import a_sensor
from sensors.ear.listener import Listener
from sensors.ear.profiles.profile import Profile
from sensors.ear.seats.listener import SeatListener
from sensors.ear.seats.together import STANDS_S, Seats
from sensors.ear.sources.bursts import LATE_S
from sensors.ear.sources.igloo_port import port_and_node
from sensors.evidence import Heard, Hearing
from table.config import Ear
from table.listening.why_lost import why_lost
from table.senses.at_table import at_table
from table.senses.ear_profiles import sensor_of, usable_profiles
from table.senses.igloo_dogs import IglooDogs
from table.senses.live import LiveEar
from table.senses.own_thread import in_own_thread
from table.senses.sound_losses import SoundLosses
from table.senses.watchdog import Change, Senses

RETRY_S = 2.0
FADES_S = 1.0  # a shake is reported three times a second, and one report may be missing


class EarWire:
    """One seat's microphone or igloo port, in its own thread since reading blocks; results go to the event loop."""

    def __init__(
        self,
        seat: str,
        device: str,
        profile: Profile,
        heard: Callable[[str, Heard], None],
        shaking: Callable[[str], None],
        live: LiveEar,
        senses: Senses,
        clock: Clock,
        table: Seats | None = None,
    ) -> None:
        """`table`: what it shares with the other seats' microphones, if there are any."""
        self._seat, self._device, self._profile, self._table = seat, device, profile, table
        # asked once: the device file of an unplugged port is gone
        self._felt = sensor_of(device) == "accelerometer"
        self._tell_heard, self._tell_shaking = heard, shaking
        self._live, self._clock = live, clock
        live.bands[seat] = profile.heads[0].band
        if self._felt:
            live.felt.add(seat)
        self._dog = senses.watch(
            f"{'igloos' if self._felt else 'microphone'} of {seat}",
            "look at its plug; see: polartable devices",
            clock.now(),
            "igloo-pop",
        )
        several = self._felt and port_and_node(device)[1] is None
        self._igloos = IglooDogs(device, self._dog, senses) if several else None
        # packets, or results from another seat, may come this late
        self._fades_s = FADES_S + (LATE_S if self._felt else 0.0 if table is None else STANDS_S)
        self._senses, self._losses = senses, SoundLosses(self._dog.source, senses)
        self._stop = threading.Event()

    async def run(self) -> None:
        """Run for ever; a missing device is looked for again."""
        loop = asyncio.get_running_loop()
        await in_own_thread(f"ear of {self._seat}", partial(self._listen, loop), self._stop)

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        alive = partial(self._tell, loop, self._block)
        while not self._stop.is_set():
            try:
                for said in self._events(alive):
                    self._tell(loop, self._take, said)
            except Exception as error:  # whatever the error is: it must not leave this seat deaf
                why = at_table(why_lost(self._device, error))
                self._tell(loop, self._dog.lost, self._clock.now(), why)
                self._stop.wait(RETRY_S)

    def _tell(self, loop: asyncio.AbstractEventLoop, what: Callable[..., None], *said: object) -> None:
        if not self._stop.is_set():  # after a stop nobody listens, and the loop may be closed
            loop.call_soon_threadsafe(what, *said)

    def _events(self, alive: Callable[[str, float], None]) -> Iterator[Heard | Hearing | dict[str, Any]]:
        from table.listening.igloo_nodes import hear_igloos
        from table.listening.live import hear_live

        device, profile, clock, stopped = self._device, self._profile, self._clock, self._stop.is_set
        if self._felt:
            return hear_igloos(device, profile, True, clock, None, self._wait, alive, stopped)
        lives = partial(alive, device)
        return hear_live(
            device, profile, True, clock, None, self._wait, lives, stopped, self._ear, port=False
        )

    def _ear(self, rate: float, channels: int) -> Listener:
        """An ear for a microphone of that rate; its head says how strong a shake should be."""
        if self._table is None:
            ear = Listener(self._profile, rate, channels, self._device, partial=True)
        else:
            table = self._table
            args = self._profile, rate, channels, self._device, table, self._seat
            ear = SeatListener(*args, lambda: table.since(self._clock.now()), partial=True)
        self._live.bands[self._seat] = ear.head.band
        return ear

    def _wait(self, seconds: float) -> None:
        self._stop.wait(seconds)

    def _block(self, source: str, level_db: float) -> None:
        """A block of sound of that level arrived."""
        now = self._clock.now()
        if self._igloos is not None:
            self._igloos.alive(source, now)
        else:
            self._dog.alive(now, None if self._felt else level_db)
        self._live.at_level(self._seat, source, level_db)
        self._live.fade(now)

    def _take(self, said: Heard | Hearing | dict[str, Any]) -> None:
        now = self._clock.now()
        if isinstance(said, Heard):
            # hide which igloo it was: that would reveal its count next time
            heard = replace(said, source=self._device)
            self._live.hear(self._seat, said.source, heard)
            self._tell_heard(self._seat, heard)
        elif isinstance(said, Hearing):
            if self._live.goes_on(self._seat, said, now + self._fades_s):
                self._tell_shaking(self._seat)
        elif said["event"] == "overflow":
            if not self._felt:  # lost node packets are bridged, and a lost hello does not matter
                self._losses.told(now)
        elif said["event"] == "sensor":  # the sensor is still heard, but badly
            which = self._dog.source if self._igloos is None else self._igloos.called(said["source"])
            self._senses.told(Change(now, which, "healthy", said["why"], said["mend"]))
        elif said["event"] == "node":
            if said["level"] != "info":
                self._senses.told(Change(now, self._dog.source, "healthy", said["why"], said["mend"]))
        elif said["event"] == "link" and said["state"] == "lost":
            self._live.drop(self._seat, said["source"])
            why = at_table(str(said["why"]))
            if self._igloos is not None:
                self._igloos.lost(said["source"], why, now)
            else:
                self._dog.lost(now, why)


def ear_wires(
    ear: Ear,
    trains: bool,
    heard: Callable[[str, Heard], None],
    shaking: Callable[[str], None],
    live: LiveEar,
    senses: Senses,
    clock: Clock,
) -> Iterator[EarWire]:
    """One wire for each source.

    Microphones of seats share what one hears of the others; igloos' own sensors feel only their own. `trains`: the ear
    trainer has the person's own recordings. A named profile that cannot be used is reported and replaced by the shipped
    one.
    """
    profiles, fault = usable_profiles(ear, trains)
    if fault is not None:
        senses.told(Change(clock.now(), "profile of the ear", "failed", str(fault), ""))
    for of, known in profiles.items():
        if (outdated := known.outdated(f"the profile for {a_sensor(of)}")) is not None:
            senses.told(Change(clock.now(), "profile of the ear", "healthy", outdated, ""))
    microphones = [seat for seat, device in ear.sources.items() if sensor_of(device) == "microphone"]
    heard_with = profiles.get("microphone")
    apart = heard_with is None or heard_with.fixed
    together = Seats(tuple(microphones), one_clock=False) if len(microphones) > 1 and not apart else None
    for seat, device in ear.sources.items():
        shared = together if seat in microphones else None
        yield EarWire(
            seat=seat,
            device=device,
            profile=profiles[sensor_of(device)],
            heard=heard,
            shaking=shaking,
            live=live,
            senses=senses,
            clock=clock,
            table=shared,
        )
