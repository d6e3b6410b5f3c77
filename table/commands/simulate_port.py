"""A pseudo-terminal on which simulated nodes send, until somebody ends it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_bridge.clock import Clock, SystemClock
from firmware_bridge.errors import UsageError
from table import leaving

if TYPE_CHECKING:
    from hw_mock.ports import PtyPort


@dataclass(frozen=True, slots=True)
class SimulatedPort:
    """The port, and the clock and end for whoever sends on it."""

    port: PtyPort
    clock: Clock
    wait: Callable[[float], None]
    stopped: Callable[[], bool]


@contextmanager
def simulated_port(link: Path | None, seconds: float | None) -> Iterator[SimulatedPort]:
    """A port, with `link` as a second name; `stopped` after that many seconds, or when somebody asks for it.

    Raises UsageError if the link cannot be created.
    """
    from hw_mock.ports import PtyPort

    if link is not None and link.exists():  # a dangling link is a leftover
        raise UsageError(f"{link} is there already", "name a link that is not, or end the run that made it")
    clock, never = SystemClock(), threading.Event()
    try:
        port = PtyPort(link)
    except OSError as error:
        raise UsageError(
            f"{link} cannot be made ({error.strerror})", "name a link in a folder of yours"
        ) from error
    end = None if seconds is None else clock.now() + seconds

    def wait(for_s: float) -> None:
        never.wait(for_s)

    try:
        with leaving.asked(leaving.ends()) as asked:

            def stopped() -> bool:
                return asked() or (end is not None and clock.now() >= end)

            yield SimulatedPort(port, clock, wait, stopped)
    finally:
        port.unplug()
