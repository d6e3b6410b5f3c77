"""The first Ctrl-C (or SIGTERM) asks a command to say its last words, the second one ends it. One that has none to say
is tidied up after all the same."""

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
    """By which whoever works until somebody ends it is ended, and closes what it opened: Ctrl-C, the service manager's
    request, a terminal that is closed. What shall outlive its terminal (nohup) ignores that one."""
    ignored = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return ASKING if ignored else (*ASKING, signal.SIGHUP)


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


def _would_end() -> tuple[signal.Signals, ...]:
    """Which of `ENDING` would end the process at once and may be heard here: none but in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        return ()
    # what is ignored (nohup) or taken by somebody else stays so
    return tuple(number for number in ENDING if signal.getsignal(number) is signal.SIG_DFL)


@contextmanager
def as_end_of_input() -> Iterator[None]:
    """SIGTERM or SIGHUP, where it would end the process at once, is first what Ctrl-D is: EOFError, raised once, for
    whoever asks somebody and has something in hand. Then it ends the process as before. Only the main thread hears
    them."""
    taken = _would_end()
    came: list[int] = []

    def end(number: int, frame: Any) -> None:
        if not came:
            came.append(number)
            raise EOFError
        # a second one does not wait
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
    """Where SIGTERM or SIGHUP ends the process meanwhile, `tidy` is called before. Only the main thread hears them."""
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
