"""Ctrl-C, a request to end, a terminal that is closed: from before a start has begun until its page is up.

A start works for seconds, on a slow card for a minute, without a pause in which an event loop could look at a signal.
So until then a signal ends it where it stands; once the page is up, `table.service.web_service.run` takes signals.
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
    """Somebody ended this start. No error: whatever catches errors on the way must not take it for one."""


class Ending:
    """What was asked for so far."""

    def __init__(self) -> None:
        self.asked = False
        self._at_once = False
        self._closing = False

    def at_once(self) -> None:
        """From now on `Ended` is raised wherever the start stands. Raises it where that was asked for before."""
        self._at_once = True
        if self.asked:
            self._raise()

    def _take(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
        # a second Ctrl-C does not break off what closes ports and helpers
        if self._at_once and not self._closing:
            self._raise()

    def _raise(self) -> None:
        self._closing = True
        raise Ended

    def _lost(self, lost: sys.UnraisableHookArgs) -> None:
        """Raised where nothing can be raised, as in what Python does about objects that go: the next one counts."""
        if lost.exc_type is Ended:
            self._closing = False
        else:
            sys.__unraisablehook__(lost)


@contextlib.contextmanager
def ending() -> Iterator[Ending]:
    """Take the signals meanwhile. In another thread than the main one, where Python has none, nothing is taken."""
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
