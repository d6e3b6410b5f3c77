"""What can be wrong with sound and profiles: each error is one sentence with a cause and a remedy."""

from __future__ import annotations

import math
from pathlib import Path

from firmware_bridge.errors import PolartableError


class SoundError(PolartableError, ValueError):
    """A file or stream that cannot be read as samples of a shake."""

    number = 201


class NoSuchInput(PolartableError, LookupError):
    """A source that names nothing that could be heard."""

    number = 202


class CaptureLost(PolartableError, OSError):
    """The input device could not be opened, or went away."""

    number = 203


class NotHeard(CaptureLost):
    """The port is there, but nobody who was asked for speaks on it."""

    number = 206


class NobodyShook(NotHeard):
    """Igloos may be there, but none was shaken while we waited: a pause, not a fault."""

    number = 205


class ProfileError(PolartableError, ValueError):
    """A profile that is damaged, foreign, or made for another sensor."""

    number = 401


class FitError(PolartableError, ValueError):
    """Recordings from which nothing can be fitted."""

    number = 402


def check_rate(rate: float) -> None:
    """Raises SoundError for a sample rate that is not a finite number."""
    if not math.isfinite(rate):
        raise SoundError(f"{rate:g} Hz is no rate", "say how many samples come in a second")


def check_channels(shape: tuple[int, ...], channels: int) -> None:
    """Raises SoundError where a block of that shape is not [samples, `channels`], as its source declared."""
    if shape[1:] != (channels,):
        raise SoundError(
            f"a block of shape {list(shape)} came from a source of {channels} channel{'s' if channels != 1 else ''}",
            f"give blocks [samples, {channels}], or say how many channels there are",
        )


def a_sensor(sensor: str) -> str:
    """`a microphone`, `an accelerometer`."""
    return f"{'an' if sensor[:1] in 'aeiou' else 'a'} {sensor}"


def of_a_kind(kind: str) -> str:
    """The same for the sensor of a recording: `a contact microphone` is a microphone on the shell."""
    return "a contact microphone" if kind == "contact" else a_sensor(kind)


def no_sound(path: Path) -> SoundError:
    """The error for a file that is not sound. Who gives a logger's table has an accelerometer's samples in it."""
    felt = "; an accelerometer's: three channels of floats, its axes in g, at its own rate"
    table = path.suffix.lower() in (".csv", ".txt", ".npy", ".npz")
    mend = "give a WAV or FLAC file" + (felt if table else "")
    return SoundError(f"{path} is no sound that can be read", mend)
