"""Opens and closes the devices of a running table: cubes, ears, buttons, lights, the counting seat, a voice."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from typing import Any

from firmware_bridge.clock import Clock
from sensors.buttons import Buttons
from sensors.cubes.reader import CubeReader
from sensors.ear.shakes.shake import load_filters
from sensors.evidence import Heard, Pressed
from table.config import Settings
from table.desk.cube_watch import CubeWatch
from table.desk.desk import Desk
from table.desk.said import Said, Tone
from table.desk.voice import Listener
from table.room.without_screen import WithoutScreen
from table.room.written_down import all_the_same, write_down
from table.senses.cube_wire import CubeWire, cubes_lie, lying_as, turned_since_set_up
from table.senses.ear_wire import ear_wires
from table.senses.live import LiveCubes, LiveEar
from table.senses.saved_cubes import saved_seats
from table.senses.tap_wire import LiveTaps, taps_of
from table.senses.watchdog import Change, Senses


class Devices(ABC):
    """The devices named in the settings, each watched. The room has the game, and receives what was sensed."""

    desk: Desk
    watch: CubeWatch | None = None  # of the game on the table, if it is played with cubes
    taps: LiveTaps | None = None

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self.settings, self.clock = settings, clock
        self.ear, self.cubes = LiveEar(), LiveCubes()
        self.profile_faults: list[str] = []  # named profiles that cannot be used
        self.profile_notes: list[str] = []  # named profiles that work but should be fitted again
        self.senses = Senses(self._sense_changed)
        self._tasks: list[asyncio.Task[Any]] = []
        self._close: list[Callable[[], None]] = []
        self._without_screen = WithoutScreen(clock, self.listen, lambda said: self.desk.say(said))

    def open_devices(self) -> None:
        """Open all devices; a missing one is reported, and looked for again. Raises `LightError` or `ButtonError`."""
        settings = self.settings
        if settings.ear.sources or settings.taps.source is not None:
            load_filters()  # slow: load it before a watchdog counts an ear's silence
        if settings.cubes.ports:
            self._open_cubes()
        # the trainer's profile is reported, too
        if settings.ear.sources or settings.trainer.recordings is not None:
            self._open_ears()
        if settings.buttons:
            self._open_buttons()
        if settings.lights.light is not None or settings.lights.buzzer is not None:
            self._without_screen.open_lights(settings.lights)
        if settings.taps.source is not None and settings.taps.profile is not None:
            told = taps_of(settings.taps.source, settings.taps.profile, self.senses, self.clock)
            if told is not None:
                wire, self.taps = told
                self._begin(wire.run())
        if settings.speech.language is not None:
            self._without_screen.speak(settings.speech.language, settings.speech.program)

    async def close_devices(self) -> None:
        """Close what was opened; a device that fails to close does not keep the others open."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for close in self._close:
            with all_the_same("a part of the table could not be closed"):
                close()
        await self._without_screen.close()

    def _open_cubes(self) -> None:
        wired = self.settings.cubes
        seats = lying_as(saved_seats(), cubes_lie(self.desk.sitting))
        starts = {} if seats else turned_since_set_up(self.desk.sitting)
        reader = CubeReader(wired.ports, wired.protocol, clock=self.clock, seats=seats, starts=starts)
        wire = CubeWire(reader, bool(seats), lambda: self.watch, self.cubes, self.senses, self.clock)
        self._begin(wire.run())

    def _open_ears(self) -> None:
        trains = self.settings.trainer.recordings is not None
        told = self._heard, self._shaking, self.ear, self.senses, self.clock
        for wire in ear_wires(self.settings.ear, trains, *told):
            self._begin(wire.run())

    def _open_buttons(self) -> None:
        loop = asyncio.get_running_loop()

        def pressed(press: Pressed) -> None:  # runs on its own thread
            loop.call_soon_threadsafe(self._pressed, press)

        self._close.append(Buttons(self.settings.buttons, self.clock, pressed).close)

    def _begin(self, work: Coroutine[Any, Any, object]) -> None:
        """Run a task beside everything else. If it fails, its watchdog barks, and the error is logged."""
        task = asyncio.create_task(work)
        task.add_done_callback(write_down)
        self._tasks.append(task)

    def _sense_changed(self, change: Change) -> None:
        tone: Tone = "notice" if change.state == "healthy" else "fault"
        text = f"{change.source}: {change.why}" + (f" – {change.mend}" if change.mend else "")
        if change.source.startswith("profile of "):  # no watchdog will repeat it
            (self.profile_faults if change.state == "failed" else self.profile_notes).append(text)
        if change.state in ("healthy", "alarmed", "failed"):
            self.desk.say(Said(change.t, tone, "source", text, data=change.to_json()))

    @abstractmethod
    def listen(self, listener: Listener) -> Callable[[], None]:
        """Subscribe to every sentence of every game on this table; the returned function unsubscribes."""

    @abstractmethod
    def _heard(self, seat: str, heard: Heard) -> None:
        """A shake at that seat is over."""

    @abstractmethod
    def _shaking(self, seat: str) -> None:
        """A shake at that seat begins."""

    @abstractmethod
    def _pressed(self, press: Pressed) -> None:
        """Somebody pressed the button at his seat."""
