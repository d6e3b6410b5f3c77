"""The wizard's display and prompts in a terminal."""

from __future__ import annotations

import contextlib
import errno
import sys
import termios
from collections.abc import Iterator
from typing import get_args

import numpy as np

from calibration.recordings.recorder import Coaching, Meter
from firmware_bridge.host.shown import shown
from sensors.gesture.coach import Advice
from table.recording.asking import Question
from table.terminal.answering import read_answer
from table.terminal.width import at_spaces, columns_of

BAR, LEAST_BAR = 24, 8
WORD = max(map(len, get_args(Coaching)))
SHOWN = {"wait": "begin"}  # the recorder waits; the reader has to shake


def tell(text: str) -> None:
    with _nobody_need_look():
        shown_text = "\n".join(map(shown, text.split("\n")))
        print(at_spaces(shown_text, sys.stderr), file=sys.stderr, flush=True)


@contextlib.contextmanager
def _nobody_need_look() -> Iterator[None]:
    """A closed terminal: nobody sees messages, but the take in progress still has to be written."""
    try:
        yield
    except OSError as error:
        if error.errno != errno.EIO:
            raise


def draw(meter: Meter, band: tuple[float, float]) -> None:
    """The live meter: level, what to do, and the strength in its band. It overwrites the previous line.

    The word comes before the figures, and the bar is as short as a narrow terminal requires: the word is never cut off.
    """
    if not sys.stderr.isatty():
        return
    width = columns_of(sys.stderr) - 1  # a line that wraps cannot be overwritten
    room = width - LEAST_BAR - WORD - len("[]    ")
    told, aim = _rounded(meter.strength or 0.0, band)
    strength = f"strength {told} (aim for {aim})"
    if len(strength) > room:
        strength = f"{told} (aim {aim})"
    # the same length before there is a strength, so that nothing jumps
    bar = int(np.clip(LEAST_BAR + room - len(strength), LEAST_BAR, BAR))
    filled = int(np.clip((meter.level_db + 48) / 48 * bar, 0, bar))
    word = SHOWN.get(meter.advice, meter.advice)
    line = f"[{'#' * filled:<{bar}}]  {word:<{WORD}}  {'' if meter.strength is None else strength}"
    with _nobody_need_look():
        print(f"\r{line[:width]:<{width}}", end="", file=sys.stderr, flush=True)


def _rounded(strength: float, band: tuple[float, float]) -> tuple[str, str]:
    """The strength and its band to one decimal if that shows on which side of a bound it is, else to two."""
    low, high = band
    near = round(strength, 1)
    alike = (strength < low) == (near < round(low, 1)) and (strength > high) == (near > round(high, 1))
    digits = 1 if alike else 2
    return f"{strength:.{digits}f}", f"{low:.{digits}f}–{high:.{digits}f}"


class Terminal:
    """The wizard's screen in a terminal."""

    again = "the same command"
    who = "--player"
    fit: str | None = None

    def check(self) -> None:
        """Ctrl-C raises KeyboardInterrupt by itself."""

    def tell(self, text: str) -> None:
        tell(text)

    def write(self, line: str) -> None:
        print(line, flush=True)

    def draw(self, meter: Meter, band: tuple[float, float]) -> None:
        draw(meter, band)

    def advise(self, advice: Advice) -> None:
        tell((f"{advice.done} of {advice.wanted}: " if advice.done else "") + advice.words)


TERMINAL = Terminal()


def ask_person(question: Question) -> str:
    """Ask a question on standard error. Input typed before the question is discarded.

    Raises EOFError if the input has ended: nobody answered.
    """
    if sys.stdin.isatty():
        with contextlib.suppress(termios.error):  # it was closed just now: reading reports that
            termios.tcflush(sys.stdin, termios.TCIFLUSH)
    tell(str(question))
    line = ""  # the terminal was closed
    with _nobody_need_look():
        line = read_answer()
    if not line:
        raise EOFError
    return line.strip().lower()
