"""Several links, one thread each, and one bounded queue: the only threads of this room."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace

from firmware_bridge.clock import Clock
from firmware_bridge.errors import PortError, PortTaken, PortUnusable
from firmware_bridge.finding import Lister, PortFacts, list_ports, real_path
from firmware_bridge.link import Emit, Link, Opener
from firmware_bridge.opening import open_port
from firmware_bridge.samples import BridgeEvent, LinkCount

QUEUE = 20_000  # events, some twenty seconds of four cubes; more means that nobody reads any more
_IDLE_S = 0.05
_LOG = logging.getLogger("polartable")


class Bridge:
    """Reads several ports at once. A context manager, or `open` and `close` (safe to call twice)."""

    def __init__(
        self,
        ports: Sequence[str],
        protocol: str,
        clock: Clock,
        *,
        baudrate: int | None = None,
        opener: Opener = open_port,
        lister: Lister = list_ports,
    ) -> None:
        self._clock = clock
        self._events: deque[BridgeEvent] = deque()
        self._overrun = 0
        self._ready = threading.Condition()
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self._wakers: list[Callable[[], None]] = []
        self._baudrate, self._opener, self._lister = baudrate, opener, lister
        self.links = [self._link(port, protocol) for port in ports]

    def __enter__(self) -> Bridge:
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self) -> None:
        """Open all ports and start reading. Raises the PortError of the first one where not even one can be opened.

        Ports that fail while others work are treated like lost ones: they are searched for and come back when they can.
        """
        opened = 0
        first: OSError | None = None
        for link in self.links:
            try:
                link.open()
                opened += 1
            except Exception as error:  # anything that the system raises for a port that comes and goes
                why = self._twice(link, error) or (
                    error if isinstance(error, PortError | PermissionError) else _unforeseen(link.port, error)
                )
                first = first or why
                _lose(link, str(why))
        if first is not None and not opened:
            raise first
        for link in self.links:
            thread = threading.Thread(target=self._run, args=(link,), name=f"link {link.port}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def close(self) -> None:
        """Stop reading and close all ports; safe to call twice, and before `open`."""
        self._stop.set()
        for thread in self._threads:
            thread.join(timeout=2.0)
        self._threads.clear()
        for link in self.links:
            link.close()

    def on_event(self, waker: Callable[[], None]) -> None:
        """`waker` will be called from a reading thread whenever new events wait."""
        self._wakers.append(waker)

    def take(self, timeout: float = 0.0) -> list[BridgeEvent]:
        """All waiting events, the oldest first; waits up to `timeout` real seconds for the first one."""
        with self._ready:
            if not self._events and timeout > 0:
                self._ready.wait(timeout)
            out = list(self._events)
            self._events.clear()
            return out

    def counts(self) -> list[LinkCount]:
        """The counts of each link, in the order of the ports."""
        return [replace(link.count(), overrun=self._overrun) for link in self.links]

    def _link(self, port: str, protocol: str) -> Link:
        link = Link(
            port,
            protocol,
            self._clock,
            self._emitter(),
            baudrate=self._baudrate,
            opener=self._opener,
            lister=self._lister,
            taken=lambda device: self._is_taken(device, link),
            meant=lambda device, ports: self._is_meant(device, ports, link),
            rivals=lambda: self._has_rivals(link),
        )
        return link

    def _emitter(self) -> Emit:
        def emit(event: BridgeEvent) -> None:
            with self._ready:
                if len(self._events) >= QUEUE:
                    self._events.popleft()
                    self._overrun += 1
                self._events.append(event)
                self._ready.notify()
            for waker in self._wakers:
                waker()

        return emit

    def _run(self, link: Link) -> None:
        said = ""
        while not self._stop.is_set():
            try:
                busy = link.step()
            except Exception as error:  # else nobody would notice that this thread has ended
                busy, what = False, f"{type(error).__name__}: {error}"
                # an error in each search for the port comes five times a second: report it once
                if what != said:
                    said = what
                    _LOG.error("reading %s broke", link.port, exc_info=error)
                _lose(link, f"reading it broke ({what})")
            if not busy and not link.reading:
                self._stop.wait(_IDLE_S)

    def _is_taken(self, device: str, own: Link) -> bool:
        return self._reader_of(device, own) is not None

    def _reader_of(self, device: str, own: Link) -> Link | None:
        """The other link that reads that device, under whatever name."""
        real = real_path(device)
        others = (o for o in self.links if o is not own and o.reading and real == real_path(o.now))
        return next(others, None)

    def _twice(self, link: Link, error: Exception) -> PortTaken | None:
        """What a port in use is, where it is we who use it."""
        other = self._reader_of(link.port, link) if isinstance(error, PortTaken) else None
        if other is None:
            return None
        return PortTaken(
            f"{link.port} and {other.port} are one port", "name that of another cube, or leave it out"
        )

    def _is_meant(self, device: str, ports: Sequence[PortFacts], own: Link) -> bool:
        return any(o is not own and not o.reading and o.means(device, ports) for o in self.links)

    def _has_rivals(self, own: Link) -> bool:
        return any(o is not own and o.lost_for > 0 and o.spoke in (None, own.spoke) for o in self.links)


def _lose(link: Link, why: str) -> None:
    """The port is searched for from now on, even where the error that broke it also breaks the first search."""
    with contextlib.suppress(Exception):
        link.lose(why)


def _unforeseen(port: str, error: Exception) -> PortUnusable:
    _LOG.error("opening %s broke", port, exc_info=error)
    return PortUnusable(
        f"{port} cannot be opened now ({type(error).__name__}: {error})",
        "pull its cable, and plug it in anew",
    )
