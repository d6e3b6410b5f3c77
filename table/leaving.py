"""The first Ctrl-C (or SIGTERM) asks a command to finish with its last output, the second ends it.

A command without last output still cleans up.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

ASKING = (signal.SIGINT, signal.SIGTERM)
ENDING = (signal.SIGTERM, signal.SIGHUP)


def ends() -> tuple[signal.Signals, ...]:
    """The signals that end a command which runs until somebody ends it, so that it closes what it opened.

    These are Ctrl-C, the service manager's request, and a closed terminal. A command that shall outlive its terminal
    (nohup) ignores that last one.
    """
    ignored = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return ASKING if ignored else (*ASKING, signal.SIGHUP)


@contextmanager
def asked(by: tuple[signal.Signals, ...] = ASKING) -> Iterator[Callable[[], bool]]:
    """Yields a function that says whether the process was asked to leave, `by` these signals. Outside the main thread
    always False: only that one receives signals."""
    leave = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield leave.is_set
        return
    handlers = {number: signal.getsignal(number) for number in by}
    # a signal that a background script ignores stays ignored
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


def _would_end() -> tuple[signal.Signals, ...]:
    """The signals of `ENDING` that would end the process at once and can be handled here; none in other threads."""
    if threading.current_thread() is not threading.main_thread():
        return ()
    # a signal that is ignored (nohup) or handled by others stays so
    return tuple(number for number in ENDING if signal.getsignal(number) is signal.SIG_DFL)


@contextmanager
def as_end_of_input() -> Iterator[None]:
    """Turn SIGTERM or SIGHUP into Ctrl-D first: EOFError, raised once, for a prompt with unsaved work. Then end.

    Only for signals that would end the process at once. Only the main thread receives them.
    """
    taken = _would_end()
    came: list[int] = []

    def end(number: int, frame: Any) -> None:
        if not came:
            came.append(number)
            raise EOFError
        # a second signal does not wait
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    for number in taken:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)
        for number in map(signal.Signals, came):
            os.kill(os.getpid(), number)


@contextmanager
def tidying(tidy: Callable[[], None]) -> Iterator[None]:
    """Call `tidy` before SIGTERM or SIGHUP ends the process within the block. Only the main thread receives them."""
    taken = _would_end()

    def put_back() -> None:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)

    def end(number: int, frame: Any) -> None:
        put_back()
        try:
            tidy()
        finally:
            os.kill(os.getpid(), number)

    for number in taken:
        signal.signal(number, end)
    try:
        yield
    finally:
        put_back()
