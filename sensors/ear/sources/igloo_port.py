"""Igloos that are felt live: accelerometers of igloo nodes, their `Burst` packets read from a serial port; and a
counting seat's, whose burst does not end.

A port is read once in the process, however many igloos speak on it (a dongle brings twelve): `IglooPort` is shared.
What one of them feels is `igloo_capture.IglooCapture`. While anybody holds the port, a pulled cable is looked for where
`firmware_bridge.link` looks, also under another name.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Literal

from firmware_bridge import packets as p
from firmware_bridge.bridge import Bridge
from firmware_bridge.clock import SystemClock
from firmware_bridge.errors import PortError, PortMissing
from firmware_bridge.node_words import RELOAD, NodeTold
from firmware_bridge.opening import is_url
from firmware_bridge.polar import VERSION
from firmware_bridge.samples import LinkChange, NodeSaid
from sensors.ear.errors import CaptureLost, NobodyShook, NoSuchInput
from sensors.ear.sources.capture import BLOCK_S
from sensors.ear.sources.igloo_words import IglooWords

FIRST_S = 4.0  # an igloo node says hello every two seconds
OTHER_RATE = 0.03  # share; a chip's rate creeps with its warmth by less
SET_RATE = 0.12  # share; chips of one nominal rate differ by less, so it was set to another one
UNMEASURED_US = 2_100_000  # since a node began: until then it says the nominal rate (firmware/lsm6ds.py)
DONGLE = 0  # its number
Felt = Literal["igloo", "seat"]  # which nodes send bursts
WAKE: dict[Felt, str] = {
    "igloo": "lift the igloo to wake it, charge it",
    "seat": "look whether its board has a seat's firmware (main_seat.py)",
}
OF_A_SEAT = (
    "a counting seat wants its own profile (--profile), and its gesture in the wizard (--gesture seat-tap)"
)
SEAT = 33  # a seat's number: of who sends bursts before it says what it is, another one is an igloo
ASLEEP = "asleep"  # what a node logs before it sleeps until it is moved (firmware/node.py): no fault
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
    _words: ClassVar[IglooWords] = IglooWords()

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
        self.seat_rates: dict[int, float] = {}  # … and of each counting seat
        self.lost: str | None = None  # why it is away
        self.times_lost = 0
        self._said: dict[int, deque[NodeSaid]] = {}
        self._others: set[str] = set()  # what said hello: igloos, cubes, …
        self._kinds: dict[int, Felt] = {}
        self._foreign: dict[int, int] = {}  # igloo → its version of the wire, where it is not ours
        self._told: deque[NodeTold] = deque(maxlen=KEPT)
        self._asleep: set[int] = set()  # also while the port is away: who sleeps does not say so again
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

    def rates_of(self, kind: Felt) -> dict[int, float]:
        """Hz, of each node of that kind that was heard."""
        return self.rates if kind == "igloo" else self.seat_rates

    def shaken(self, node: int | None = None) -> int | None:
        """An igloo's node whose burst waits to be taken; `node`: that one or none."""
        with self._lock:
            for name, said in self._said.items():
                asked_for = name in self.rates and node in (None, name)
                if asked_for and any(isinstance(one.packet, p.Burst) for one in said):
                    return name
        return None

    def shaken_beside(self, node: int) -> bool:
        """Whether a burst of another igloo than that node's waits to be taken."""
        with self._lock:
            return any(
                name != node and name in self.rates and any(isinstance(one.packet, p.Burst) for one in said)
                for name, said in self._said.items()
            )

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

    def asleep(self, node: int) -> bool:
        """Whether an igloo that was heard said that it sleeps, and nothing since."""
        return node in self._asleep and node in self.rates

    def told(self, node: int | None = None) -> list[NodeTold]:
        """What nodes want a person to know, each sentence once, for whoever asks first; `node`: of that one and of the
        dongle."""
        with self._lock:
            mine = [one for one in self._told if node is None or one.node in (node, DONGLE)]
            self._told = deque((one for one in self._told if one not in mine), KEPT)
        return mine

    def two_boards(self, node: int) -> bool:
        """Whether two boards call themselves by that number now."""
        return self._words.two_boards(self.name, node)

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

    def nothing(self, node: int | None, shaken: bool = False, kind: Felt = "igloo") -> CaptureLost:
        """Why that igloo or seat (None: any) is not heard here. `shaken`: a shake was waited for; NobodyShook where
        only that was missing."""
        if self.lost is not None:
            return CaptureLost(f"{self.name} is away ({self.lost})", "plug it in again")
        who = f"any {kind}" if node is None else f"{kind} {node}"
        for one, version in sorted(self._foreign.items()):
            if node == one or (node is None and not self.rates_of(kind)):
                other = f"{kind} {one} speaks version {version} of the wire, and we read version {VERSION}"
                return CaptureLost(f"nothing was heard of {who} at {self.name} ({other})", RELOAD)
        who += " being shaken" if shaken else ""
        frames = sum(c.frames for c in self._bridge.counts())
        others = ", ".join(sorted(self._others - {f"{kind}s"}))
        known = ", ".join(map(str, sorted(self.rates_of(kind))))
        came = (
            f"{kind}s {known} speak there"
            if known
            else f"what speaks there are {others}"
            if others
            else f"{frames} whole frames came, none of {'an' if kind == 'igloo' else 'a'} {kind}"
        )
        # igloos that sleep are silent from the start; where something else speaks the port is the wrong one
        pause = shaken and bool(known or not others)
        return (NobodyShook if pause else CaptureLost)(
            f"nothing was heard of {who} at {self.name} ({came})",
            OF_A_SEAT if "seats" in others else f"{WAKE[kind]}, or name another port (polartable devices)",
        )

    def _changed(self, change: LinkChange) -> None:
        self.lost = change.why if change.state == "lost" else None
        self.times_lost += change.state == "lost"
        if change.state == "back":  # what waits is from before it was lost
            self._said.clear()

    def _sort(self, said: NodeSaid) -> None:
        packet, node = said.packet, said.node
        self._told.extend(self._words.heard(said))
        if is_goodnight(packet):
            self._asleep.add(node)
        else:
            self._asleep.discard(node)
        if isinstance(packet, p.Hello):
            self._others.add(f"{packet.kind}s")
            if packet.kind == "igloo" or packet.kind == "seat":
                self._kinds[node] = packet.kind
        rates = self.rates_of(self._kinds.get(node, "seat" if node == SEAT else "igloo"))
        if isinstance(packet, p.Hello) and packet.kind not in ("igloo", "seat"):
            pass  # it has nothing to be heard
        elif isinstance(packet, p.Hello) and packet.version != VERSION:
            self._foreign[node] = packet.version
            return  # nothing else of it is read, so nobody could hear it
        elif isinstance(packet, p.Burst) and packet.rate_hz > 0:
            if not unmeasured(packet, rates.get(node, math.inf)):
                rates[node] = packet.rate_hz  # as the node measured it
        elif isinstance(packet, p.Hello) and packet.rate_hz > 0:
            self._foreign.pop(node, None)
            rates.setdefault(node, float(packet.rate_hz))
        elif node not in rates:
            return  # who it is will be said
        if node in rates:
            self._said.setdefault(node, deque(maxlen=KEPT)).append(said)


def is_goodnight(packet: p.Packet) -> bool:
    """Whether a node says that it is silent from now on, until it is moved."""
    return isinstance(packet, p.Log) and packet.text.startswith(ASLEEP)


def unmeasured(burst: p.Burst, known_hz: float) -> bool:
    """Is that rate no measured one, where another of the same nominal rate is known?"""
    return burst.stamp.us < UNMEASURED_US and abs(burst.rate_hz / known_hz - 1) < SET_RATE
