"""The first Ctrl-C (or SIGTERM) asks a command to say its last words, the second one ends it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

ASKING = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def asked() -> Iterator[Callable[[], bool]]:
    """Gives what says whether the process was asked to leave. Only the main thread hears signals; elsewhere: never."""
    leave = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield leave.is_set
        return
    handlers = {number: signal.getsignal(number) for number in ASKING}
    # what a script in the background ignores stays ignored
    before = {n: h for n, h in handlers.items() if h not in (signal.SIG_IGN, None)}

    def put_back() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def ask(number: int, frame: Any) -> None:
        leave.set()
        put_back()

    for number in before:
        signal.signal(number, ask)
    try:
        yield leave.is_set
    finally:
        put_back()
