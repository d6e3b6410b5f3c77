"""Keeps Ctrl-C from worker processes: it is meant for the command, but a terminal sends it to all its processes."""

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
    # started along with the first worker, it would unblock the signals
    resource_tracker.ensure_running()
    with uninterrupted():  # signals that this thread blocks may still reach another thread of ours
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
