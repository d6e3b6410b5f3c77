"""A vocabulary of lights and sounds, so that a game can be played without a screen.

| signal | light | buzzer | when |
|---|---|---|---|
| idle | dark | – | nothing happens |
| listening | breathing slowly | – | an igloo is being shaken |
| legal | one long blink | one high tone | a move was taken |
| illegal | three short blinks | two low tones | a rule forbids it |
| unsure | two long blinks | high, low | the referee asks |
| count | one short blink | one short tone | three, two, one: a round is counted in |
| over | five blinks | three rising tones | the game has ended |
| fault | quick blinking | one long low tone | a sense is gone, the journal cannot be written |

A later signal replaces the one that plays. Nothing here waits: patterns run on the table's clock.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import Any, Literal, Protocol

from firmware_bridge.clock import Clock
from firmware_bridge.errors import PolartableError
from sensors.pins import mend_of, opening, words_of
from table.desk.said import Said

Part = Literal["light", "buzzer"]
Signal = Literal["idle", "listening", "legal", "illegal", "unsure", "count", "over", "fault"]

# durations in s, on and off alternately
LIGHT: dict[Signal, tuple[float, ...]] = {
    "idle": (),
    "listening": (0.8, 0.8) * 3,
    "legal": (0.6, 0.1),
    "illegal": (0.12, 0.12) * 3,
    "unsure": (0.5, 0.3) * 2,
    "count": (0.15, 0.1),
    "over": (0.25, 0.2) * 5,
    "fault": (0.08, 0.08) * 12,
}
# pairs of Hz (None: silence) and s
SOUND: dict[Signal, tuple[tuple[float | None, float], ...]] = {
    "idle": (),
    "listening": (),
    "legal": ((880.0, 0.12),),
    "illegal": ((220.0, 0.18), (None, 0.06), (220.0, 0.18)),
    "unsure": ((660.0, 0.15), (440.0, 0.15)),
    "count": ((660.0, 0.1),),
    "over": ((523.0, 0.15), (659.0, 0.15), (784.0, 0.3)),
    "fault": ((165.0, 0.8),),
}
_OF_TONE: dict[str, Signal] = {
    "told": "legal",
    "refused": "illegal",
    "asks": "unsure",
    "over": "over",
    "fault": "fault",
}


class LightError(PolartableError):
    """The pin of a light or buzzer cannot be used."""

    number = 321


class Light(Protocol):
    def on(self) -> None: ...

    def off(self) -> None: ...

    def close(self) -> None: ...


class Buzzer(Protocol):
    def tone(self, hertz: float | None) -> None:
        """Play that tone; None: silence."""
        ...

    def close(self) -> None: ...


class PinBuzzer:
    """A passive piezo on a pin, through gpiozero's tonal buzzer."""

    def __init__(self, pin: int | str, factory: Any = None) -> None:
        from gpiozero import TonalBuzzer
        from gpiozero.tones import Tone

        self._buzzer = TonalBuzzer(pin, octaves=3, pin_factory=factory)
        self._of = Tone.from_frequency

    def tone(self, hertz: float | None) -> None:
        if hertz is None:
            self._buzzer.stop()
        else:
            self._buzzer.play(self._of(hertz))

    def close(self) -> None:
        self._buzzer.close()


def open_light(pin: int | str, factory: Any = None) -> Light:
    """An LED on a pin. Raises `LightError`."""
    try:
        from gpiozero import LED

        with opening():
            light: Light = LED(pin, pin_factory=factory)
    except Exception as error:
        raise _unusable(pin, "light", error) from error
    return light


def open_buzzer(pin: int | str, factory: Any = None) -> Buzzer:
    """A piezo on a pin. Raises `LightError`."""
    try:
        with opening():
            return PinBuzzer(pin, factory)
    except Exception as error:
        raise _unusable(pin, "buzzer", error) from error


def _unusable(pin: int | str, part: Part, error: Exception) -> LightError:
    no_tones = type(error).__name__ == "PinPWMUnsupported"  # which has no words
    why = "it can make no tones" if no_tones else words_of(error)
    return LightError(
        f"pin {pin} of the {part} cannot be opened ({why})",
        mend_of(
            error, "lights", "look at [lights] in the settings, and whether another program holds the pin"
        ),
    )


class Signals:
    """Plays signals on a light and a buzzer, whichever exist.

    A part that fails is disabled and reported to `failed`, once; the game goes on.
    """

    def __init__(
        self,
        clock: Clock,
        light: Light | None,
        buzzer: Buzzer | None,
        failed: Callable[[LightError], None] = lambda error: None,
    ) -> None:
        self.now: Signal = "idle"
        self._clock, self._light, self._buzzer = clock, light, buzzer
        self._failed = failed
        self._tasks: list[asyncio.Task[None]] = []

    def said(self, said: Said) -> None:
        """Play the signal for a sentence of the referee that everybody may hear."""
        if said.to is None and said.tone in _OF_TONE:
            self.play(_OF_TONE[said.tone])

    def play(self, signal: Signal) -> None:
        """Start a signal; it replaces the one that is playing. Call it on the event loop."""
        self._stop()
        self.now = signal
        if self._light is not None and LIGHT[signal]:
            self._tasks.append(asyncio.create_task(self._blink(self._light, signal)))
        if self._buzzer is not None and SOUND[signal]:
            self._tasks.append(asyncio.create_task(self._buzz(self._buzzer, signal)))

    def close(self) -> None:
        """Switch everything off and release the pins; idempotent."""
        self._failed = lambda error: None  # whoever closes us does not want failures reported any more
        self._stop()
        for part in (self._light, self._buzzer):
            if part is not None:
                with contextlib.suppress(Exception):  # a failed pin must not keep the other one open
                    part.close()
        self._light = self._buzzer = None

    def _stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._tasks.clear()
        self.now = "idle"
        if self._light is not None:
            with self._part("light"):
                self._light.off()
        if self._buzzer is not None:
            with self._part("buzzer"):
                self._buzzer.tone(None)

    async def _blink(self, light: Light, signal: Signal) -> None:
        with self._part("light"):
            for index, seconds in enumerate(LIGHT[signal]):
                light.off() if index % 2 else light.on()
                await self._clock.sleep(seconds)
            light.off()

    async def _buzz(self, buzzer: Buzzer, signal: Signal) -> None:
        with self._part("buzzer"):
            for hertz, seconds in SOUND[signal]:
                buzzer.tone(hertz)
                await self._clock.sleep(seconds)
            buzzer.tone(None)

    @contextlib.contextmanager
    def _part(self, part: Part) -> Iterator[None]:
        """Drive this part within the block; if that fails, go on without the part."""
        try:
            yield
        except Exception as error:
            gone: Light | Buzzer | None
            if part == "light":
                gone, self._light = self._light, None
            else:
                gone, self._buzzer = self._buzzer, None
            if gone is not None:
                with contextlib.suppress(Exception):
                    gone.close()
                mend = "look at its pin and wires, then start the table again; the game goes on without it"
                self._failed(LightError(f"the {part} fails ({words_of(error)})", mend))
