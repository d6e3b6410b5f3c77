"""What the wizard shows and asks in a terminal."""

from __future__ import annotations

import shutil
import sys

import numpy as np

from calibration.recorder import Meter

BAR = 24


def tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def draw(meter: Meter, band: tuple[float, float]) -> None:
    """The live meter: level, and where the strength lies in its band. It covers the line that was there."""
    if not sys.stderr.isatty():
        return
    filled = int(np.clip((meter.level_db + 48) / 48 * BAR, 0, BAR))
    strength = ""
    if meter.strength is not None:
        strength = f" strength {meter.strength:.1f} (aim for {band[0]:.1f}–{band[1]:.1f})"
    width = shutil.get_terminal_size().columns - 1  # a line that wraps cannot be covered
    line = f"[{'#' * filled:<{BAR}}]{strength}  {meter.advice}"
    print(f"\r{line[:width]:<{width}}", end="", file=sys.stderr, flush=True)


def ask_person(question: str) -> str:
    """A question on standard error. Raises EOFError where the input has ended: nobody answered."""
    tell(question)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.strip().lower()
