"""Why a pin fails, in words for people.

gpiozero passes on what its drivers raise, and these errors have no common base class: lgpio has its own, RPi.GPIO
raises RuntimeError, mock pins raise whatever gpiozero has. So code that opens or sets a pin catches them all.
"""

from __future__ import annotations


def words_of(error: Exception) -> str:
    """The driver's message without numbers and Python's brackets; the error's name where there is no message."""
    said = error.strerror if isinstance(error, OSError) else None
    return said or str(error) or type(error).__name__
