"""The cubes on their ports: each port and each cube has a watchdog, and no failure can end the game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from firmware_bridge.clock import Clock
from firmware_bridge.errors import PolartableError
from firmware_bridge.node_words import NodeTold
from firmware_bridge.samples import LinkChange
from rules.ice_cult.turns import AXIS
from sensors.cubes import quats, turns
from sensors.cubes.follow import Seat
from sensors.cubes.reader import CubeReader
from sensors.cubes.turns import SLOTS
from sensors.evidence import CubeEvidence, CubePose
from table.desk.cube_watch import CubeWatch
from table.games import GAMES
from table.journal.fold import Sitting
from table.listening.why_lost import why_lost
from table.senses.live import LiveCubes, Matrix
from table.senses.watchdog import Change, Senses, Watchdog

PUMP_S = 0.02
RETRY_S = 2.0
PORT_MEND = "look at the cable and the cube's battery"
CUBE_MEND = "look at its battery, and bring it nearer"
OTHERS_MEND = "tilt them, which wakes them, and look at their batteries"
OTHERS_S = 5.0  # from the first cube that is heard behind a dongle to when the others are missed


def drawn(watch: CubeWatch, slot: str, felt: quats.Quat) -> Matrix:
    """The game's body axes (east, north, up face) in the world, as columns; rounded to what a screen shows."""
    axes = [quats.rotate(felt, AXIS[watch.felt_name(slot, face)]) for face in ("E", "N", "U")]
    x, y, z = ((round(axes[0][i], 3), round(axes[1][i], 3), round(axes[2][i], 3)) for i in range(3))
    return (x, y, z)


def feel(watch: CubeWatch, trackers: Mapping[str, Any], live: LiveCubes) -> None:
    """Update the page's view of how the trackers feel the cubes now."""
    for slot, tracker in trackers.items():
        felt = tracker.orientation
        if felt is not None and slot in SLOTS:
            live.feel(slot, drawn(watch, slot, felt))


def cubes_lie(sitting: Sitting) -> Mapping[str, Any]:
    """How Ice Cult's cubes lie: as in the game on the table, else as at the set-up."""
    game, state = GAMES["ice-cult"], sitting.state
    if sitting.game.name != game.name:
        state, _ = game.new(("yellow", "red"), 0, {})
    return dict(game.view(state, None)["cubes"] or {})


def turned_since_set_up(sitting: Sitting) -> dict[str, int]:
    """Slot → the turn from how its cube lay when the game was set up to how the game stands.

    Without a saved calibration the sensors' axes are taken to have pointed east, north and up at the set-up. A table
    that starts in mid-game finds them turned as the cubes were turned since.
    """
    if sitting.game.name != GAMES["ice-cult"].name:
        return {}
    now, then = (sitting.game.view(state, None)["cubes"] or {} for state in (sitting.state, sitting.start))
    lay = {cube["cube"]: turns.turn_named(cube["up"], cube["north"]) for cube in then.values()}
    return {
        slot: turns.difference(lay[cube["cube"]], turns.turn_named(cube["up"], cube["north"]))
        for slot, cube in now.items()
    }


def lying_as(
    seats: Mapping[tuple[str, int] | str, Seat], cubes: Mapping[str, Any]
) -> dict[tuple[str, int] | str, Seat]:
    """The taught seats, with how each cube is expected to lie at first.

    Gravity tells which face looks up, but nothing tells where north is. So the first rest is turned about the vertical
    until it is as near to this as possible. What still differs was done while nobody watched.
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
            link.port: senses.watch(f"cubes on {link.port}", PORT_MEND, clock.now(), "ice-cult")
            for link in reader.bridge.links
        }
        self._packets: dict[str, int] = {}
        self._cubes: dict[
            str, tuple[Watchdog, float]
        ] = {}  # slot → its watchdog, and when its cube was last heard
        self._first_heard: float | None = None  # behind a dongle
        self._others: Watchdog | None = None  # of cubes that were never heard
        self._registered = calibrated
        # the watch of the last known game, which may still be on the table
        self._met: CubeWatch | None = None
        self._lie: dict[str, CubePose] = {}  # slot → the last rest of its cube

    async def run(self) -> None:
        """Run for ever; a port that cannot be opened is retried."""
        while True:
            try:
                self._reader.bridge.open()
                break
            except Exception as error:  # whatever the error is: it must not leave the cubes without a reader
                known = isinstance(error, PolartableError)
                why = str(error) if known else why_lost("the cubes", error)
                for dog in self._dogs.values():
                    dog.lost(self._clock.now(), why)
                await self._clock.sleep(RETRY_S)
        try:
            while True:
                self._pump()
                await self._clock.sleep(PUMP_S)
        finally:
            await asyncio.to_thread(self._reader.close)

    def _pump(self) -> None:
        now, watch = self._clock.now(), self._watch()
        batch = self._polled(now)
        for count in self._reader.counts():
            if count.packets != self._packets.get(count.port, 0):  # frames alone may hold no readings
                self._packets[count.port] = count.packets
                self._dogs[count.port].alive(now)
        self._look_after_cubes(now)
        if watch is not None:
            self._hand_on(watch, batch, now)

    def _polled(self, now: float) -> list[CubeEvidence]:
        """The new evidence of the cubes; news of ports and nodes goes to the watchdogs."""
        batch = list[CubeEvidence]()
        for event in self._reader.poll():
            if isinstance(event, LinkChange):
                if event.state == "lost" or event.deaf:
                    self._dogs[event.port].lost(now, event.why)
            elif isinstance(event, NodeTold):
                if event.level != "info":
                    self._senses.told(
                        Change(now, f"cubes on {event.port}", "healthy", event.text, event.mend)
                    )
            else:
                batch.append(event)
                if isinstance(event, CubePose):
                    self._lie[event.slot] = event
        return batch

    def _hand_on(self, watch: CubeWatch, batch: list[CubeEvidence], now: float) -> None:
        """Pass the evidence to the game on the table; before the first set-up nothing that the cubes show counts."""
        if watch is not self._met:
            # before the first set-up a cube may lie anyhow, in its box: it counts only once it was laid
            watch.take_over(self._met, self._lie if self._registered else {})
            self._met = watch
        watch.reorient = self._reader.follower.reorient
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
        """A port with several cubes stays alive when one of them falls silent, so each cube has its own watchdog."""
        follower = self._reader.follower
        for (port, _), seat in follower.seats.items():
            heard = follower.heard_at.get(seat.slot)
            if heard is None or sum(other == port for other, _ in follower.seats) < 2:
                continue
            dog, last = self._cubes.get(seat.slot) or (
                self._senses.watch(f"cube {seat.cube} ({seat.slot})", CUBE_MEND, now, "ice-cult"),
                heard,
            )
            if heard > last:
                dog.alive(now)
            self._cubes[seat.slot] = dog, max(heard, last)
        self._miss_others(now)

    def _miss_others(self, now: float) -> None:
        """Behind a dongle nothing but the cubes that speak tells of those that do not."""
        if not self._cubes:
            return
        follower = self._reader.follower
        there = sum(seat.slot in follower.heard_at for seat in follower.seats.values())
        self._first_heard = now if self._first_heard is None else self._first_heard
        if there == len(SLOTS):
            if self._others is not None:
                self._others.alive(now)
        elif self._others is None and now - self._first_heard >= OTHERS_S:
            self._others = self._senses.watch("the other cubes", OTHERS_MEND, now, "ice-cult")
            self._others.lost(now, f"only {there} of four are heard")
