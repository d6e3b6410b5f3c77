"""The source of the wizard's takes: a microphone, a port with nodes of igloos or a seat, or mock."""

from __future__ import annotations

import itertools
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from firmware_bridge.clock import SystemClock
from firmware_bridge.errors import UsageError
from sensors.ear.errors import CaptureLost
from sensors.ear.sources.capture import STALLED_S
from table.commands.record_no_numbers import NoNumbers

TURNS = 10_000  # number of simulated takes among which a run of the wizard starts
# Blocks come fifty times a second, and a device without any for `STALLED_S` counts as gone. If it takes longer than
# that, the program was not running to receive them.
INTERRUPTED_S = STALLED_S + 0.5


def host_s() -> float:
    """Seconds on the machine's clock, including suspend if the system has such a clock."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class Source(Protocol):
    """A capture stream, real or mock."""

    rate: float
    channels: int
    overflows: int

    def blocks(self) -> Iterator[Any]: ...


class Noted:
    """Wraps a source and notes where sound was lost or invalid, or the program was not running.

    It matters only within a take. `broken_off`: the source ended after such an interruption.
    """

    def __init__(self, source: Source) -> None:
        self.rate, self.channels, self.overflows = source.rate, source.channels, 0
        self._source = source
        self._gone = 0  # samples read so far
        self.one_value = True  # all of them have the same value
        self._first: Any = None
        self._lost: list[tuple[int, int]] = []  # (samples read, `overflows`) at each increase
        self._interrupted = 0  # samples read at the last long interruption
        self._came_s = 0.0  # time of the last block
        self.broken_off = False
        self.no_numbers = NoNumbers(source.rate)

    def blocks(self) -> Iterator[Any]:
        self._came_s = host_s()
        for block in self._unless_lost():
            self._gone += len(block)
            if self._waited_long():
                self._interrupted = self._gone
            self._came_s = host_s()
            self.no_numbers.push(block)
            if self.one_value and len(block):
                self._first = block[0] if self._first is None else self._first
                self.one_value = bool((block == self._first).all())
            if self._source.overflows > self.overflows:
                self.overflows = self._source.overflows
                self._lost.append((self._gone, self.overflows))
            yield block

    def _unless_lost(self) -> Iterator[Any]:
        try:
            yield from self._source.blocks()
        except CaptureLost:
            self.broken_off = self._waited_long()
            raise

    def _waited_long(self) -> bool:
        return host_s() - self._came_s > INTERRUPTED_S

    @property
    def another_shaken(self) -> bool:
        """Whether another igloo of the port than this one is being shaken."""
        return bool(getattr(self._source, "another_shaken", False))

    def lost_since(self, sample: int) -> int:
        """How many blocks (packets) were lost from that sample on, or in its block."""
        return self.overflows - max((lost for gone, lost in self._lost if gone <= sample), default=0)

    def interrupted_since(self, sample: int) -> bool:
        """Whether the program was suspended for long after that sample; then that is why sound was lost."""
        return self._interrupted > sample


OpenSource = Callable[[int], AbstractContextManager[Source]]  # for the igloo with that many beads


def opener(
    source: str, seconds: float, gesture: str | None = None, check: Callable[[], None] = lambda: None
) -> OpenSource:
    """A function that opens the source anew for each take. Raises NoSuchInput or CaptureLost.

    `check` is called while a node is waited for: it may raise, if nobody wants to wait any more.
    """
    if not source.strip():
        raise UsageError(
            "--source has no name",
            "name an input device (polartable devices), a port with nodes, or mock",
        )
    from calibration.seat.taps import GESTURE

    if source == "mock":
        from table.listening.mock_ear import MOVES, one_move
        from table.listening.mock_seat import one_gesture

        if gesture not in (None, GESTURE, *MOVES):
            raise UsageError(
                f"nobody simulated the gesture {gesture!r}", f"say {GESTURE} or {', '.join(MOVES)}"
            )
        clock, never = SystemClock(), threading.Event()
        # each run gets other shakes: the same takes again would be copies
        turn = itertools.count(random.SystemRandom().randrange(TURNS))

        def wait(for_s: float) -> None:
            never.wait(for_s)

        if gesture == GESTURE:
            return lambda beads: one_gesture(beads, next(turn), clock, wait)
        return lambda beads: one_move(gesture, beads, next(turn), seconds, clock, wait)
    from sensors.ear.sources.capture import find_input, open_input
    from sensors.ear.sources.igloo_capture import IglooCapture
    from sensors.ear.sources.igloo_port import IglooPort, is_port, port_and_node

    if is_port(source):
        port, node = port_and_node(source)
        IglooPort.at(port)  # kept open to the end: a board may reset each time its port is opened
        if gesture == GESTURE:
            return lambda beads: IglooCapture(port, node, kind="seat", check=check)
        # of several igloos on the port, it is the one that is shaken
        return lambda beads: IglooCapture(port, node, shaken=True, check=check)
    if Path(source).exists():
        raise UsageError(
            f"{source} is recorded already, and the wizard records what is shaken before a sensor",
            "name an input device (polartable devices), a port with nodes, or mock",
        )
    device = find_input(source)
    return lambda beads: open_input(lambda: device)
