"""The referee without a screen: light, buzzer, voice. If one fails that is reported, and the game goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from firmware_bridge.clock import Clock
from table.config import Lights
from table.desk.said import Said
from table.room.lights import LightError, Signal, Signals, open_buzzer, open_light
from table.room.speech import Speech, SpeechError
from table.room.written_down import all_the_same


class WithoutScreen:
    """Dark and silent until opened. `listen`: subscribes to every sentence of the table; `say`: tells everybody one."""

    def __init__(
        self,
        clock: Clock,
        listen: Callable[[Callable[[Said], None]], Callable[[], None]],
        say: Callable[[Said], None],
    ) -> None:
        self._clock, self._listen, self._say = clock, listen, say
        self._signals: Signals | None = None
        self._speech: Speech | None = None

    def open_lights(self, pins: Lights) -> None:
        """Open a light, a buzzer or both. Raises `LightError`."""
        loop = asyncio.get_running_loop()

        def failed(error: LightError) -> None:
            # later: it fails while a sentence is being said, and the other listeners come first
            loop.call_soon(self._dark, error)

        self._signals = Signals(
            self._clock,
            None if pins.light is None else open_light(pins.light),
            None if pins.buzzer is None else open_buzzer(pins.buzzer),
            failed,
        )
        self._listen(self._signals.said)

    def speak(self, language: str, program: str) -> None:
        """Let the referee speak aloud; if that is impossible here, it is reported, and the table plays on."""
        try:
            self._speech = Speech(language, program)
        except SpeechError as error:
            self._say(Said(self._clock.now(), "fault", "speech", str(error)))
        else:
            self._listen(self._speech.said)

    def play(self, signal: Signal) -> None:
        """Start a signal of light and buzzer, if there are any."""
        if self._signals is not None:
            self._signals.play(signal)

    async def close(self) -> None:
        """All dark and silent; one that fails to close does not keep the others open."""
        with all_the_same("a part of the table could not be closed"):
            if self._signals is not None:
                self._signals.close()
        with all_the_same("the voice could not be closed"):
            if self._speech is not None:
                await self._speech.close()

    def _dark(self, error: LightError) -> None:
        self._say(Said(self._clock.now(), "fault", "lights", str(error)))
