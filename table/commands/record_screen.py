"""What the wizard shows and asks in a terminal."""

from __future__ import annotations

import contextlib
import errno
import shutil
import sys
import termios
from collections.abc import Iterator
from typing import get_args

import numpy as np

from calibration.recordings.recorder import Coaching, Meter

BAR, LEAST_BAR = 24, 8
WORD = max(map(len, get_args(Coaching)))


def tell(text: str) -> None:
    with _nobody_need_look():
        print(text, file=sys.stderr, flush=True)


@contextlib.contextmanager
def _nobody_need_look() -> Iterator[None]:
    """Where the terminal was closed nobody is told anything, and what is in hand is to be written all the same."""
    try:
        yield
    except OSError as error:
        if error.errno != errno.EIO:
            raise


def draw(meter: Meter, band: tuple[float, float]) -> None:
    """The live meter: level, what to do, and where the strength lies in its band. It covers the line that was there.

    The word comes before the figures, and the bar is as short as a narrow terminal wants: what is cut off is not it.
    """
    if not sys.stderr.isatty():
        return
    width = shutil.get_terminal_size().columns - 1  # a line that wraps cannot be covered
    room = width - LEAST_BAR - WORD - len("[]    ")
    told, aim = f"{meter.strength or 0.0:.1f}", f"{band[0]:.1f}–{band[1]:.1f}"
    strength = f"strength {told} (aim for {aim})"
    if len(strength) > room:
        strength = f"{told} (aim {aim})"
    # as long before there is a strength: what was there does not jump
    bar = int(np.clip(LEAST_BAR + room - len(strength), LEAST_BAR, BAR))
    filled = int(np.clip((meter.level_db + 48) / 48 * bar, 0, bar))
    line = f"[{'#' * filled:<{bar}}]  {meter.advice:<{WORD}}  {'' if meter.strength is None else strength}"
    with _nobody_need_look():
        print(f"\r{line[:width]:<{width}}", end="", file=sys.stderr, flush=True)


def ask_person(question: str) -> str:
    """A question on standard error. What was typed on a terminal before it stood there is no answer to it. Raises
    EOFError where the input has ended: nobody answered."""
    if sys.stdin.isatty():
        with contextlib.suppress(termios.error):  # it was closed just now: reading tells
            termios.tcflush(sys.stdin, termios.TCIFLUSH)
    tell(question)
    line = ""  # of a terminal that was closed
    with _nobody_need_look():
        line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.strip().lower()
