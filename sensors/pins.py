"""Why a pin fails, in words for people.

gpiozero passes on what its drivers raise, and these errors have no common base class: lgpio has its own, RPi.GPIO
raises RuntimeError, mock pins raise whatever gpiozero has. So code that opens or sets a pin catches them all.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager


def words_of(error: Exception) -> str:
    """The driver's message without numbers and Python's brackets; the error's name where there is no message."""
    if _no_library(error):
        return "no library can drive this machine's pins"
    said = error.strerror if isinstance(error, OSError) else None
    return said or str(error) or type(error).__name__


def mend_of(error: Exception, section: str, otherwise: str) -> str:
    """What to do about it, where the pin is named in that section of the settings."""
    if _no_library(error):
        return (
            f"on a Raspberry Pi: pipx inject polartable lgpio; elsewhere take [{section}] out of the settings"
        )
    return otherwise


@contextmanager
def opening() -> Iterator[None]:
    """While a pin is opened: gpiozero warns of every library that it tries in vain, and the last error says it all."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Falling back from ")
        yield


def _no_library(error: Exception) -> bool:
    # by its name: gpiozero is imported where pins are opened, and only there
    return type(error).__name__ == "BadPinFactory"
