"""Ends a start that is in progress: on Ctrl-C, SIGTERM or a closed terminal, until the page is up.

A start works for seconds, on a slow card for a minute, without a pause in which an event loop could see a signal. So
until then a signal interrupts it wherever it is; once the page is up, `table.service.web_service.run` handles signals.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType

from table.leaving import ends


class Ended(BaseException):
    """Somebody ended this start. A BaseException: code that catches errors on the way must not swallow it."""


class Ending:
    """What was asked for so far."""

    def __init__(self) -> None:
        self.asked = False
        self._at_once = False
        self._closing = False

    def at_once(self) -> None:
        """From now on raise `Ended` wherever the start is; at once, if the end was asked for before."""
        self._at_once = True
        if self.asked:
            self._raise()

    def _take(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
        # a second Ctrl-C must not interrupt the closing of ports and helpers
        if self._at_once and not self._closing:
            self._raise()

    def _raise(self) -> None:
        self._closing = True
        raise Ended

    def _lost(self, lost: sys.UnraisableHookArgs) -> None:
        """It was raised where nothing can be raised, such as in a finalizer: then the next signal counts."""
        if lost.exc_type is Ended:
            self._closing = False
        else:
            sys.__unraisablehook__(lost)


@contextlib.contextmanager
def ending() -> Iterator[Ending]:
    """Handle the signals within the block. Outside the main thread, where Python delivers none, nothing is handled."""
    taken = Ending()
    if threading.current_thread() is not threading.main_thread():
        yield taken
        return
    before = {number: signal.signal(number, taken._take) for number in ends()}
    hook, sys.unraisablehook = sys.unraisablehook, taken._lost
    try:
        yield taken
    finally:
        sys.unraisablehook = hook
        for number, handler in before.items():
            signal.signal(number, handler)
