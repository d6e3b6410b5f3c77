"""Why a pin fails, in words.

gpiozero hands on what its drivers raise, and those have no error in common: lgpio has one of its own, RPi.GPIO raises
RuntimeError, mock pins whatever gpiozero has. So whoever opens or moves a pin catches them all.
"""

from __future__ import annotations


def words_of(error: Exception) -> str:
    """The driver's words without numbers and Python's brackets; where it has none, its name."""
    said = error.strerror if isinstance(error, OSError) else None
    return said or str(error) or type(error).__name__
