"""Ctrl-C waits while compiled code runs, and is heard right after it.

numba calls Python on the way into what it compiled and out of it (a named tuple is made by its class), and goes on with
what it was given: an exception that a signal's handler raised there ends the process with a segmentation fault, or is
found as a SystemError. soundfile, asked to write into memory, is called back by libsndfile, and cffi swallows what is
raised there: the sound comes out short.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

HELD = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """What would be done about a signal meanwhile is done when it is over. Only the main thread hears signals."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {number: signal.getsignal(number) for number in HELD}
    # what ends the process at once, or is ignored, raises nothing
    before = {number: handler for number, handler in handlers.items() if callable(handler)}
    came: list[tuple[int, FrameType | None]] = []
    try:
        for number in before:
            signal.signal(number, lambda *signalled: came.append(signalled))
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for signalled in came[:1]:
            before[signal.Signals(signalled[0])](*signalled)
