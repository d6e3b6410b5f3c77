"""Ctrl-C is for a command, not for the processes that work for it; but a terminal sends it to all of them."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker

from firmware_bridge.host.uninterrupted import uninterrupted


@contextmanager
def deaf() -> Iterator[None]:
    """A process that is started inside this block never hears Ctrl-C: whoever started it ends it. This process hears a
    Ctrl-C that comes meanwhile right after the block.

    The child inherits the blocked signal. It could not block it by itself in time: it loads for a second before any
    code of ours runs.
    """
    # begun in the midst of a first process, it would let the signals through again
    resource_tracker.ensure_running()
    with uninterrupted():  # what this thread holds back, another thread of ours may still take
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
