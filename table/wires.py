"""The real senses of a table: cubes on ports, microphones at seats, buttons; each watched, none can end the game."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from firmware_bridge.clock import Clock
from firmware_bridge.errors import PolartableError
from firmware_bridge.node_words import NodeTold
from firmware_bridge.samples import LinkChange
from rules.ice_cult.turns import AXIS
from sensors.buttons import Buttons
from sensors.cubes import quats, turns
from sensors.cubes.follow import Seat
from sensors.cubes.reader import CubeReader
from sensors.ear.bursts import LATE_S
from sensors.ear.igloo_port import is_port, port_and_node
from sensors.ear.listener import Listener
from sensors.ear.lost_sound import CLOSE_OTHERS, LOST_ON_THE_WAY
from sensors.ear.profile import Profile
from sensors.ear.seat_listener import SeatListener
from sensors.ear.seats import Seats
from sensors.evidence import Heard, Hearing, Pressed
from table.desk.cube_watch import SLOTS, CubeWatch
from table.igloo_dogs import IglooDogs
from table.own_thread import in_own_thread
from table.page.live import LiveCubes, LiveEar, Matrix
from table.watchdog import Change, Senses, Watchdog
from table.why_lost import why_lost

PUMP_S = 0.02
RETRY_S = 2.0
LOST_AGAIN_S = 60.0  # a busy machine loses sound again and again: how often that is said
FADES_S = 1.0  # a shake is heard three times a second, and a time may be left out


def drawn(watch: CubeWatch, slot: str, felt: quats.Quat) -> Matrix:
    """The game's body axes (east, north, up face) in the world, as columns; rounded to what a screen shows."""
    axes = [quats.rotate(felt, AXIS[watch.felt_name(slot, face)]) for face in ("E", "N", "U")]
    x, y, z = ((round(axes[0][i], 3), round(axes[1][i], 3), round(axes[2][i], 3)) for i in range(3))
    return (x, y, z)


def feel(watch: CubeWatch, trackers: Mapping[str, Any], live: LiveCubes) -> None:
    """Let the page show how the trackers feel the cubes now."""
    for slot, tracker in trackers.items():
        felt = tracker.orientation
        if felt is not None and slot in SLOTS:
            live.feel(slot, drawn(watch, slot, felt))


def lying_as(
    seats: Mapping[tuple[str, int] | str, Seat], cubes: Mapping[str, Any]
) -> dict[tuple[str, int] | str, Seat]:
    """The taught seats, with how each cube is expected to lie at first.

    Gravity tells which face looks up, but nothing tells where north is: the first rest is turned about the vertical
    until it lies as near to this as it can. What is still different was done while nobody looked.
    """
    out = {}
    for key, seat in seats.items():
        cube = cubes.get(seat.slot)
        lies = turns.IDENTITY if cube is None else turns.turn_named(cube["up"], cube["north"])
        out[key] = replace(seat, start=lies)
    return out


class CubeWire:
    """Four cubes on serial ports. `calibrated`: their poses are the game's; else the set-up says how they lie."""

    def __init__(
        self,
        reader: CubeReader,
        calibrated: bool,
        watch: Callable[[], CubeWatch | None],
        live: LiveCubes,
        senses: Senses,
        clock: Clock,
    ) -> None:
        self._reader = reader
        self._watch = watch
        self._live = live
        self._clock = clock
        self._senses = senses
        self._dogs = {
            link.port: senses.watch(
                f"cubes on {link.port}", "look at the cable and the cube's battery", clock.now()
            )
            for link in reader.bridge.links
        }
        self._frames: dict[str, int] = {}
        self._cubes: dict[
            str, tuple[Watchdog, float]
        ] = {}  # slot → its watchdog, and when its cube was last heard
        self._registered = calibrated

    async def run(self) -> None:
        """For ever; a port that cannot be opened is tried again."""
        while True:
            try:
                self._reader.bridge.open()
                break
            except PolartableError as error:
                for dog in self._dogs.values():
                    dog.lost(self._clock.now(), str(error))
                await self._clock.sleep(RETRY_S)
        try:
            while True:
                self._pump()
                await self._clock.sleep(PUMP_S)
        finally:
            await asyncio.to_thread(self._reader.close)

    def _pump(self) -> None:
        now, watch, batch = self._clock.now(), self._watch(), []
        for event in self._reader.poll():
            if isinstance(event, LinkChange):
                if event.state == "lost":
                    self._dogs[event.port].lost(now, event.why)
            elif isinstance(event, NodeTold):
                if event.level != "info":
                    self._senses.told(
                        Change(now, f"cubes on {event.port}", "healthy", event.text, event.mend)
                    )
            else:
                batch.append(event)
        for count in self._reader.counts():
            if count.frames != self._frames.get(count.port, 0):
                self._frames[count.port] = count.frames
                self._dogs[count.port].alive(now)
        self._look_after_cubes(now)
        if watch is None:
            return
        if batch:
            watch.saw(batch)
        if not self._registered and len(watch.poses) == len(SLOTS):
            watch.register()
            self._registered = True
            watch.desk.tell(
                "The cubes are taken to lie as the game stands; look whether they do.", "registered"
            )
        if self._registered:
            watch.tick(now)
        feel(watch, self._reader.follower.trackers, self._live)

    def _look_after_cubes(self, now: float) -> None:
        """A port that brings several cubes lives on when one of them falls silent: each is watched by itself."""
        follower = self._reader.follower
        for (port, _), seat in follower.seats.items():
            heard = follower.heard_at.get(seat.slot)
            if heard is None or sum(other == port for other, _ in follower.seats) < 2:
                continue
            dog, last = self._cubes.get(seat.slot) or (
                self._senses.watch(
                    f"cube {seat.cube} ({seat.slot})", "look at its battery, and bring it nearer", now
                ),
                heard,
            )
            if heard > last:
                dog.alive(now)
            self._cubes[seat.slot] = dog, max(heard, last)


class EarWire:
    """One seat's microphone, or its port with igloo nodes, in a thread of its own (reading waits); what is heard comes
    to the event loop."""

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
        """`table`: what it shares with the microphones of the other seats, where there are any."""
        self._seat, self._device, self._profile, self._table = seat, device, profile, table
        self._felt = is_port(device)  # asked once: the device file of a port that was pulled is gone
        self._tell_heard, self._tell_shaking = heard, shaking
        self._live, self._clock = live, clock
        live.bands[seat] = profile.heads[0].band
        if self._felt:
            live.felt.add(seat)
        self._dog = senses.watch(
            f"{'igloos' if self._felt else 'microphone'} of {seat}",
            "look at its plug; see: polartable devices",
            clock.now(),
        )
        several = self._felt and port_and_node(device)[1] is None
        self._igloos = IglooDogs(device, self._dog, senses) if several else None
        self._fades_s = FADES_S + (LATE_S if self._felt else 0.0)  # packets may be as late
        self._senses, self._lost_said_at = senses, -math.inf
        self._stop = threading.Event()

    async def run(self) -> None:
        """For ever; a device that is not there is looked for again."""
        loop = asyncio.get_running_loop()
        await in_own_thread(f"ear of {self._seat}", partial(self._listen, loop), self._stop)

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        alive = partial(self._tell, loop, self._block)
        while not self._stop.is_set():
            try:
                for said in self._events(alive):
                    self._tell(loop, self._take, said)
            except Exception as error:  # whatever it is: this seat must not stay deaf by it
                self._tell(loop, self._dog.lost, self._clock.now(), why_lost(self._device, error))
                self._stop.wait(RETRY_S)

    def _tell(self, loop: asyncio.AbstractEventLoop, what: Callable[..., None], *said: object) -> None:
        if not self._stop.is_set():  # nobody listens any more, and the loop may be closed
            loop.call_soon_threadsafe(what, *said)

    def _events(self, alive: Callable[[str, float], None]) -> Iterator[Heard | Hearing | dict[str, Any]]:
        from table.ear_live import hear_live
        from table.igloo_sources import hear_igloos

        device, profile, clock, stopped = self._device, self._profile, self._clock, self._stop.is_set
        if self._felt:
            return hear_igloos(device, profile, True, clock, None, self._wait, alive, stopped)
        lives = partial(alive, device)
        return hear_live(device, profile, True, clock, None, self._wait, lives, stopped, self._ear)

    def _ear(self, rate: float, channels: int) -> Listener:
        """For a microphone of that rate; its head says how strong a shake should be."""
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
        """A block of sound came, of that level."""
        now = self._clock.now()
        if self._igloos is not None:
            self._igloos.alive(source, now)
        else:
            self._dog.alive(now, None if self._felt else level_db)
        if self._live.seat == self._seat:
            self._live.level_db = level_db
        self._live.fade(now)

    def _take(self, said: Heard | Hearing | dict[str, Any]) -> None:
        now = self._clock.now()
        if isinstance(said, Heard):
            # not which igloo: that would betray its count next time
            heard = replace(said, source=self._device)
            self._live.hear(self._seat, said.source, heard)
            self._tell_heard(self._seat, heard)
        elif isinstance(said, Hearing):
            if self._live.goes_on(self._seat, said, now + self._fades_s):
                self._tell_shaking(self._seat)
        elif said["event"] == "overflow":
            self._lost_some(now)
        elif said["event"] == "link" and said["state"] == "lost":
            self._live.drop(self._seat, said["source"])
            if self._igloos is not None:
                self._igloos.lost(said["source"], str(said["why"]), now)
            else:
                self._dog.lost(now, str(said["why"]))

    def _lost_some(self, now: float) -> None:
        """Sound was lost, and the microphone lives: it is said where it would be said that it does not."""
        if self._felt or now - self._lost_said_at < LOST_AGAIN_S:
            return  # nodes' packets are bridged, and a lost hello is no loss
        self._lost_said_at = now
        self._senses.told(Change(now, self._dog.source, "healthy", LOST_ON_THE_WAY, CLOSE_OTHERS))


def open_buttons(
    pins: Mapping[str, int | str],
    clock: Clock,
    pressed: Callable[[Pressed], None],
    loop: asyncio.AbstractEventLoop,
) -> Buttons:
    """The buttons of the table; presses come to the event loop. Raises `ButtonError`."""
    return Buttons(pins, clock, lambda press: void(loop.call_soon_threadsafe(pressed, press)))


def void(_: object) -> None:
    return None
