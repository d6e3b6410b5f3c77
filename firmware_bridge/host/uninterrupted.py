"""Delays Ctrl-C while compiled code runs.

numba calls Python when it enters and leaves compiled code (a named tuple is built by its class) and goes on with the
result. If a signal's handler raises an exception there, the process ends with a segmentation fault, or the exception
comes out as a SystemError. When soundfile writes into memory, libsndfile calls back into Python, and cffi swallows what
is raised there: the sound comes out short.
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
    """Signals that arrive inside this block are handled when it is left. Only the main thread hears signals."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {number: signal.getsignal(number) for number in HELD}
    # handlers that end the process at once, or ignore the signal, raise nothing
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
