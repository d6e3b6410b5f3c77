"""Live sound from an input device, through PortAudio (`sounddevice`, imported only where the device is opened).

The callback copies a block and its time into a bounded queue and does nothing else: no arithmetic, no printing. A full
queue blocks it for a moment (a device without a clock of its own, such as a file, then waits for us). Blocks lost after
that, and losses reported by PortAudio, are counted. A device that goes away ends the stream with CaptureLost; the
caller decides whether to reopen it.
"""

from __future__ import annotations

import queue
import re
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from time import monotonic
from types import TracebackType
from typing import Any

from sensors.ear.errors import CaptureLost, NoSuchInput
from sensors.ear.frames.frontend import Array
from sensors.ear.sources.sound_server import hears_the_default, is_served, server_rate
from sensors.ear.sources.system_words import alsa_cause, kept_apart

BLOCK_S = 0.02
QUEUED_S = 4.0  # a machine that lags by more loses sound, and reports it
HELD_UP_S = 0.5
STALLED_S = 2.0  # without a block for this long, the device is gone
# what one wait for a block may count for: while a process is stopped time passes, and nobody waits
LOOK_S = 0.25
RATES = (48000.0, 44100.0)
NO_SOUND = "is the sound system (ALSA, PulseAudio, PipeWire) up? see: polartable doctor"
CARD = re.compile(r" \(hw:\d+,\d+\)$")  # ALSA may give a card a new number each time it is plugged in
# PortAudio is global to the process, and a search for new devices closes all its streams.
_PORTAUDIO = threading.RLock()
_OPEN: set[int] = set()


@dataclass(frozen=True, slots=True)
class InputDevice:
    """One device that PortAudio can record from."""

    number: int
    name: str
    channels: int
    rate: float


def _portaudio() -> Any:
    try:
        import sounddevice
    except OSError as error:  # the wheel is installed, the system's library is not
        raise CaptureLost("PortAudio is not on this machine", "apt-get install libportaudio2") from error
    return sounddevice


def input_devices() -> list[InputDevice]:
    """All devices that can be recorded from. Raises CaptureLost where PortAudio is missing or not initialised."""
    sd = _portaudio()
    with _PORTAUDIO:
        try:
            there = list(sd.query_devices())
        except sd.PortAudioError as error:
            raise CaptureLost(f"PortAudio tells of no devices ({_short(error)})", NO_SOUND) from error
    return [
        InputDevice(number, str(d["name"]), int(d["max_input_channels"]), float(d["default_samplerate"]))
        for number, d in enumerate(there)
        if d["max_input_channels"] > 0
    ]


def find_input(name: str) -> InputDevice:
    """The device with that number, name, or part of a name; `default` is the system's. Raises NoSuchInput."""
    devices = input_devices()
    if name == "default" and not any(d.name == "default" for d in devices):
        number = _portaudio().default.device[0]
        found = [d for d in devices if d.number == number]
    elif name.isdecimal():
        found = [d for d in devices if d.number == int(name)]
    else:
        found = [d for d in devices if d.name == name] or [
            d for d in devices if name.lower() in d.name.lower()
        ]
    if not found:
        there = ", ".join(f"{d.number} {d.name}" for d in devices) or "none"
        raise NoSuchInput(
            f"there is no input device {name!r} (there are: {there})",
            "name one of these, or plug the device in",
        )
    return found[0]


def find_again(name: str, known: InputDevice, others: Collection[str]) -> InputDevice:
    """The device that `name` found before, wherever it is in PortAudio's list now (numbers shift when another device
    goes away); or its replacement, which is the same in another slot, or one that fits a part of the name as well.
    Never one of `others`, which were there beside it (by their own names). Raises NoSuchInput."""
    # of two devices with one name, prefer the same position
    devices = sorted(input_devices(), key=lambda d: d.number != known.number)
    new = [d for d in devices if d.name not in others]
    found = (
        [d for d in devices if d.name == known.name]
        or [d for d in new if CARD.sub("", d.name) == CARD.sub("", known.name)]
        or [d for d in new if not name.isdecimal() and name.lower() in d.name.lower()]
    )
    if not found:
        raise NoSuchInput(f"{known.name} is not there", "plug it in again")
    return found[0]


def opens_at(device: InputDevice) -> float:
    """Hz at which it will be opened, if possible: PortAudio reports a wrong rate for a sound server's devices."""
    if not is_served(device.name, device.channels):
        return device.rate
    return server_rate(of_default=hears_the_default(device.name)) or device.rate


def open_input(find: Callable[[], InputDevice], microphones: int = 1) -> Capture:
    """Find a device and open it, under a lock against searches for new devices, which renumber all of them.

    One microphone may deliver two channels. In a stereo socket, a balanced one gives its sound twice, the second
    inverted, and a sound system that is asked for one channel mixes them to silence; an ear handles this better
    (`mixing`). Raises what `find` raises, and CaptureLost where the device cannot be opened.
    """
    with _PORTAUDIO:
        return Capture(find(), microphones, rather=max(2, microphones))


class Capture:
    """A running input stream; a context manager. `blocks()` yields float32[samples, channels] as they come.

    `overflows` counts blocks lost before the last yielded one, by PortAudio or because the queue was full.
    """

    def __init__(self, device: InputDevice, channels: int = 1, rather: int = 0) -> None:
        """Opens and starts the stream, with `rather` channels where the device offers them. Raises CaptureLost where
        that fails."""
        sd = _portaudio()
        self.device = device
        self.channels = min(channels, device.channels)
        self.overflows = 0
        self._lost = 0  # up to now; the reader may be seconds behind
        self._queue: queue.Queue[tuple[int, float, Array]] = queue.Queue(maxsize=round(QUEUED_S / BLOCK_S))
        self._came = monotonic()  # when the last yielded block came
        self._lag_s = 0.0  # from a sample to the arrival of its block, by the sound system's account
        self._stream: Any = None
        last: Exception | None = None
        cause: str | None = None  # in the system's words
        with _PORTAUDIO:
            # some devices offer fewer than they claim
            many = dict.fromkeys(min(n, device.channels) for n in (max(channels, rather), channels))
            rates = dict.fromkeys((opens_at(device), device.rate, *RATES))
            for rate, opened in product(rates, many):
                said: list[str] = []
                try:
                    with kept_apart() as said:
                        self._stream = sd.InputStream(
                            device=device.number,
                            samplerate=rate,
                            channels=opened,
                            dtype="float32",
                            blocksize=round(BLOCK_S * rate),
                            callback=self._callback,
                        )
                        self._stream.start()
                    _OPEN.add(id(self))
                    self.channels = opened
                    break
                except sd.PortAudioError as error:
                    last, cause = error, alsa_cause(said) or cause
                    self.close()
        if self._stream is None:
            why = _short(last) if cause is None else f"{_short(last)}; {_short(cause)}"
            raise CaptureLost(
                f"{device.name} cannot be opened ({why})",
                "is another program using it? then plug it in again",
            ) from last
        self.rate = float(self._stream.samplerate)
        # the latency refers to a block's first sample
        self._lag_s = max(0.0, float(getattr(self._stream, "latency", 0.0)) - BLOCK_S)

    def _callback(self, indata: Array, frames: int, time: Any, status: Any) -> None:
        came = monotonic()
        if status:
            self._lost += 1
        try:
            self._queue.put((self._lost, came, indata.copy()), timeout=HELD_UP_S)
        except queue.Full:
            self._lost += 1

    def blocks(self) -> Iterator[Array]:
        """Raises CaptureLost when the device stops delivering."""
        while self._stream is not None:
            yield self._next()

    def _next(self) -> Array:
        """Raises CaptureLost."""
        left = STALLED_S
        while True:
            try:
                self.overflows, self._came, block = self._queue.get(timeout=min(LOOK_S, left))
                return block
            except queue.Empty as error:
                left -= LOOK_S
                if left <= 0:
                    raise CaptureLost(f"{self.device.name} fell silent", "plug it in again") from error

    @property
    def age_s(self) -> float:
        """The age of the last sample of the last yielded block, which may have waited."""
        return monotonic() - self._came + self._lag_s

    def close(self) -> None:
        """Safe to call twice, and on a stream that was never opened."""
        stream, self._stream = self._stream, None
        if stream is not None:
            with _PORTAUDIO:
                _OPEN.discard(id(self))
                with kept_apart():
                    stream.close(ignore_errors=True)

    def __enter__(self) -> Capture:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()


def look_again() -> bool:
    """Reset PortAudio's list of devices, so that newly plugged-in ones are found.

    Returns False while anything in this process is being recorded, because the reset would end that as well. A card
    that comes back in its old place can be opened nevertheless. Raises CaptureLost where PortAudio does not initialise
    again; another call retries.
    """
    sd = _portaudio()
    with _PORTAUDIO:
        if _OPEN:
            return False
        with suppress(sd.PortAudioError):  # it did not initialise last time
            sd._terminate()
        try:
            sd._initialize()
        except sd.PortAudioError as error:
            raise CaptureLost(f"PortAudio does not start ({_short(error)})", NO_SOUND) from error
    return True


def _short(error: Exception | str | None) -> str:
    return " ".join(str(error).split())[:120] if error is not None else "no rate fits"
