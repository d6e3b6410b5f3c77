"""Igloos that are felt live: accelerometers of igloo nodes, their `Burst` packets read from a serial port.

A port is read once in the process, however many igloos speak on it (a dongle brings twelve): `IglooPort` is shared, and
`IglooCapture` is one igloo's stream with the shape of `capture.Capture`. While anybody holds the port, a pulled cable
is looked for where `firmware_bridge.link` looks, also under another name.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import ClassVar

from firmware_bridge import packets as p
from firmware_bridge.bridge import Bridge
from firmware_bridge.clock import SystemClock
from firmware_bridge.errors import PortError, PortMissing
from firmware_bridge.opening import is_url
from firmware_bridge.samples import LinkChange, NodeSaid
from sensors.ear.bursts import BurstStream
from sensors.ear.capture import BLOCK_S, InputDevice
from sensors.ear.errors import CaptureLost, NobodyShook, NoSuchInput
from sensors.ear.frontend import Array

FIRST_S = 4.0  # an igloo node says hello every two seconds
SILENT_S = 7.0  # three hellos missed: its battery is empty, or it is out of reach
SHAKEN_S = 60.0
ASLEEP = "asleep"  # what a node logs before it sleeps until it is moved (firmware/node.py): no fault
OTHER_RATE = 0.03  # share; a chip's rate creeps with its warmth by less
SET_RATE = 0.12  # share; chips of one nominal rate differ by less, so it was set to another one
UNMEASURED_US = 2_100_000  # since a node began: until then it says the nominal rate (firmware/lsm6ds.py)
STILL_S = 1.5  # without a frame, when the answer to a shake has been given
STALE_S = 4.0  # older than this is past; opening an ear takes a busy machine some of it
KEPT = 1000  # frames of a node that wait: twenty seconds of a burst


def is_port(source: str) -> bool:
    """Whether a source names a serial port: a device file, a pySerial URL, or either with `#` and a node's number."""
    port, _ = port_and_node(source)
    return is_url(port) or port.startswith("/dev/") or Path(port).is_char_device()


def port_and_node(source: str) -> tuple[str, int | None]:
    """`/dev/ttyACM0#17` is the igloo of node 17 at that port."""
    port, mark, node = source.rpartition("#")
    return (port, int(node)) if mark and node.isdecimal() else (source, None)


class IglooPort:
    """An open port; a context manager. The same object for all who open the same port of this process."""

    _open: ClassVar[dict[str, IglooPort]] = {}
    _opening: ClassVar[threading.Lock] = threading.Lock()

    @classmethod
    def at(cls, port: str) -> IglooPort:
        """The port, held once more; `close` lets go of it. Raises NoSuchInput or CaptureLost."""
        with cls._opening:
            shared = cls._open.get(port)
            if shared is None:
                shared = cls._open[port] = cls(port)
            shared._holders += 1
            return shared

    @classmethod
    def away(cls, port: str) -> str | None:
        """Why a port that is held is away; None where it is there, or nobody holds it."""
        return None if (shared := cls._open.get(port)) is None else shared.lost

    def __init__(self, port: str) -> None:
        """Not to be called but by `at`."""
        self.name = port
        self.clock = SystemClock()
        self.rates: dict[int, float] = {}  # Hz, of each igloo that was heard
        self.lost: str | None = None  # why it is away
        self.times_lost = 0
        self._said: dict[int, deque[NodeSaid]] = {}
        self._others: set[str] = set()
        self._holders = 0
        self._lock = threading.Lock()  # of what was said
        self._listening = threading.Lock()  # one at a time: or frames would change places
        self._bridge = Bridge([port], "polar", self.clock)
        try:
            self._bridge.open()
        except PortMissing as error:
            raise NoSuchInput(error.cause, error.mend) from error
        except PortError as error:
            raise CaptureLost(error.cause, error.mend) from error

    def close(self) -> None:
        """Let go of it, once for each `at`; the last one closes the port.

        All holders have the same object, which cannot tell whose call it is: a holder who lets go twice takes the port
        from another one.
        """
        with self._opening:
            self._holders -= 1
            if self._holders == 0:
                del self._open[self.name]
                self._bridge.close()

    def __enter__(self) -> IglooPort:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    def shaken(self, node: int | None = None) -> int | None:
        """A node whose burst waits to be taken; `node`: that one or none."""
        with self._lock:
            for name, said in self._said.items():
                if node in (None, name) and any(isinstance(one.packet, p.Burst) for one in said):
                    return name
        return None

    def forget(self) -> None:
        """Throw away what waits."""
        self.listen(0.0)
        with self._lock:
            self._said.clear()

    def forget_old(self, node: int, before: float) -> None:
        """Throw away what a node felt before that time, and said up to then: a shake that nobody took is none of now.
        What it said since (that it sleeps, say) holds."""
        with self._lock:
            said = self._said.get(node, deque())
            old = [k for k, one in enumerate(said) if isinstance(one.packet, p.Burst) and one.t < before]
            self._said[node] = deque(list(said)[old[-1] + 1 if old else 0 :], KEPT)

    def waits(self, node: int) -> bool:
        return bool(self._said.get(node))

    def listen(self, seconds: float) -> None:
        """Sort what has come; waits for something up to that long (seconds)."""
        if not self._listening.acquire(timeout=max(seconds, 0.001)):
            return  # another igloo's ear does, for all of them
        try:
            events = self._bridge.take(seconds)
            with self._lock:
                for event in events:
                    if isinstance(event, LinkChange):
                        self._changed(event)
                    elif isinstance(event, NodeSaid):
                        self._sort(event)
                    else:
                        self._others.add("cubes")
        finally:
            self._listening.release()

    def take(self, node: int) -> list[NodeSaid]:
        """What a node has said since the last call, oldest first."""
        with self._lock:
            return list(self._said.pop(node, ()))

    def until(self, there: Callable[[], bool], seconds: float) -> bool:
        """Listen until something is so, the port is lost, or the time (seconds) is over."""
        end = self.clock.now() + seconds
        while not there() and self.lost is None and self.clock.now() < end:
            self.listen(BLOCK_S)
        return there()

    def nothing(self, who: str, shaken: bool = False) -> CaptureLost:
        """Why `who` is not heard here. `shaken`: a shake was waited for; NobodyShook where only that was missing."""
        if self.lost is not None:
            return CaptureLost(f"{self.name} is away ({self.lost})", "plug it in again")
        frames, others = sum(c.frames for c in self._bridge.counts()), ", ".join(sorted(self._others))
        known = ", ".join(map(str, sorted(self.rates)))
        came = (
            f"igloos {known} speak there"
            if known
            else f"what speaks there are {others}"
            if others
            else f"{frames} whole frames came, none of an igloo"
        )
        # igloos that sleep are silent from the start; where something else speaks the port is the wrong one
        pause = shaken and bool(known or not others)
        return (NobodyShook if pause else CaptureLost)(
            f"nothing was heard of {who} at {self.name} ({came})",
            "wake the igloo by a knock, charge it, or name another port (polartable devices)",
        )

    def _changed(self, change: LinkChange) -> None:
        self.lost = change.why if change.state == "lost" else None
        self.times_lost += change.state == "lost"
        if change.state == "back":  # what waits is from before it was lost
            self._said.clear()

    def _sort(self, said: NodeSaid) -> None:
        packet, node = said.packet, said.node
        if isinstance(packet, p.Hello) and packet.kind != "igloo":
            self._others.add(f"{packet.kind}s")
        elif isinstance(packet, p.Burst) and packet.rate_hz > 0:
            if not _nominal(packet, self.rates.get(node, math.inf)):
                self.rates[node] = packet.rate_hz  # as the node measured it
        elif isinstance(packet, p.Hello) and packet.rate_hz > 0:
            self.rates.setdefault(node, float(packet.rate_hz))
        elif node not in self.rates:
            return  # who it is will be said
        if node in self.rates:
            self._said.setdefault(node, deque(maxlen=KEPT)).append(said)


class IglooCapture:
    """One igloo's accelerometer; a context manager. `blocks()` yields float32[samples, 3] in g as they come.

    `rate` is what the node measured its chip to run at, as the packets say. `overflows` counts lost packets, by their
    sequence numbers (a lost hello too), and bursts that broke off; how holes are filled is told in `bursts`, where they
    are by `holes`.
    """

    def __init__(self, port: str, node: int | None = None, *, shaken: bool = False) -> None:
        """Waits until the igloo of that node speaks (None: any); `shaken`: until one is shaken.

        Raises NoSuchInput where there is no such port, CaptureLost where it cannot be opened or no igloo is heard, and
        NobodyShook (one of those) where none was shaken for `SHAKEN_S`.
        """
        self._port: IglooPort | None = None
        shared = IglooPort.at(port)
        try:
            shared.listen(0.0)
            if shaken:
                shared.forget()
            found = self._find(shared, node, shaken)
            times_lost, rate = shared.times_lost, shared.rates.get(found if found is not None else -1)
            if found is None or rate is None or shared.lost is not None:
                who = "any igloo" if node is None else f"igloo {node}"
                raise shared.nothing(f"{who} being shaken" if shaken else who, shaken)
        except BaseException:
            shared.close()
            raise
        self._port, self._node, self._times_lost = shared, found, times_lost
        self.rate: float = rate
        self.channels = 3
        self.overflows = 0
        self.device = InputDevice(found, f"igloo at {port}", self.channels, rate)
        self._began = self._heard = shared.clock.now()
        shared.forget_old(found, self._began - STALE_S)
        self._asleep = False
        self._other_hz: float | None = None  # what the last frame said, where that is another rate
        self._felt = self._began
        self._stream = BurstStream(rate, self._began, seed=found)

    @staticmethod
    def _find(shared: IglooPort, node: int | None, shaken: bool) -> int | None:
        if shaken:
            shared.until(lambda: shared.shaken(node) is not None, SHAKEN_S)
            found = shared.shaken(node)
        elif node is None:
            shared.until(lambda: any(map(shared.waits, shared.rates)), FIRST_S)
            found = next(filter(shared.waits, sorted(shared.rates)), None)
        else:
            shared.until(lambda: shared.waits(node), FIRST_S)
            found = node if shared.waits(node) else None
        return found if node in (None, found) else None

    def blocks(self) -> Iterator[Array]:
        """Some fifty a second, without rows while nothing is due. Raises CaptureLost when the port or the node goes."""
        while (port := self._port) is not None:
            port.listen(BLOCK_S)
            now = port.clock.now()
            for said in port.take(self._node):
                self._heard = now
                self._hear(said, now)
            if port.times_lost != self._times_lost:
                raise CaptureLost(
                    f"{self.device.name} is away ({port.lost or 'for a moment'})", "plug it in again"
                )
            if now - self._heard > SILENT_S and not self._asleep:
                raise CaptureLost(
                    f"{self.device.name} fell silent", "look at its battery, and bring it nearer"
                )
            if self._other_hz is not None and now - self._felt > STILL_S:
                raise self._begun_anew(self._other_hz)  # between two shakes: none is torn in two
            self._stream.still(now)
            self.overflows = self._stream.overflows
            yield self._stream.take()

    def holes(self) -> list[tuple[int, int]]:
        """Where packets were lost in what was given since the last call: samples of all of it, from and up to."""
        return self._stream.holes()

    def _hear(self, said: NodeSaid, now: float) -> None:
        packet = said.packet
        self._asleep = isinstance(packet, p.Log) and packet.text.startswith(ASLEEP)
        if isinstance(packet, p.Burst):
            self._felt, self._other_hz = now, None
            off = abs(packet.rate_hz / self.rate - 1)
            if off > SET_RATE:
                raise self._begun_anew(packet.rate_hz)
            if off > OTHER_RATE and not _nominal(packet, self.rate):
                self._other_hz = packet.rate_hz
            self._stream.add(packet, said.t, now)
        elif not isinstance(packet, p.ChipAngles | p.ChipMotion):
            self._stream.note(packet.stamp)

    def _begun_anew(self, hz: float) -> CaptureLost:
        return CaptureLost(
            f"{self.device.name} measures at {hz:g} Hz now, and did at {self.rate:g} Hz",
            "nothing need be done: it is listened to anew",
        )

    def close(self) -> None:
        """Safe twice."""
        port, self._port = self._port, None
        if port is not None:
            port.close()

    def __enter__(self) -> IglooCapture:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()


def _nominal(burst: p.Burst, known_hz: float) -> bool:
    """Is that rate no measured one, where another of the same nominal rate is known?"""
    return burst.stamp.us < UNMEASURED_US and abs(burst.rate_hz / known_hz - 1) < SET_RATE
