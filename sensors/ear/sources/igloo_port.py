"""Live igloos: the `Burst` packets of igloo nodes and of a counting seat, from a serial port.

A seat's burst does not end. A port is read once in the process, however many igloos speak on it (a dongle brings
twelve): `IglooPort` is shared. The stream of one of them is `igloo_capture.IglooCapture`. While anybody holds the port,
a pulled cable is searched for as `firmware_bridge.link` does, also under another name.
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
from sensors.ear.errors import CaptureLost, NobodyShook, NoSuchInput, NotHeard
from sensors.ear.sources.capture import BLOCK_S
from sensors.ear.sources.igloo_words import DAMAGED_MEND, DONGLE, IglooWords

FIRST_S = 4.0  # an igloo node says hello every two seconds
OTHER_RATE = 0.03  # share; a chip's rate drifts with temperature by less
SET_RATE = 0.12  # share; chips of one nominal rate differ by less, so another rate was set
UNMEASURED_US = 2_100_000  # since a node started: until then it reports the nominal rate (firmware/lsm6ds.py)
Felt = Literal["igloo", "seat"]  # kinds of nodes that send bursts
WAKE: dict[Felt, str] = {
    "igloo": "lift the igloo to wake it, charge it",
    "seat": "look whether its board has a seat's firmware (main_seat.py)",
}
UNREADABLE = "what comes there is nothing of polar: wrong device or speed"
DAMAGED = "most of what comes there is damaged"
OURS_AT_115200 = "look whether its board has our firmware and sends at 115200 baud"
OTHER_PORT = "or name another port (polartable devices)"
OF_A_SEAT = (
    "a counting seat wants its own profile (--profile), and its gesture in the wizard (--gesture seat-tap)"
)
SEAT = 33  # a seat's number: before a node says what it is, any other sender of bursts is taken for an igloo
ASLEEP = "asleep"  # logged by a node before it sleeps until it is moved (firmware/node.py): no fault
KEPT = 1000  # frames kept for each node: twenty seconds of a burst


def is_port(source: str) -> bool:
    """Whether a source names a serial port: a device file, a pySerial URL, or either with `#` and a node's number."""
    port, _ = port_and_node(source)
    return is_url(port) or port.startswith("/dev/") or Path(port).is_char_device()


def port_and_node(source: str) -> tuple[str, int | None]:
    """`/dev/ttyACM0#17` is the igloo of node 17 at that port."""
    port, mark, node = source.rpartition("#")
    return (port, int(node)) if mark and node.isdecimal() else (source, None)


class IglooPort:
    """An open port; a context manager. One shared object for all users of the same port in this process."""

    _open: ClassVar[dict[str, IglooPort]] = {}
    _opening: ClassVar[threading.Lock] = threading.Lock()
    _words: ClassVar[IglooWords] = IglooWords()

    @classmethod
    def at(cls, port: str) -> IglooPort:
        """The port, with one more holder; `close` releases it. Raises NoSuchInput or CaptureLost."""
        with cls._opening:
            shared = cls._open.get(port)
            if shared is None:
                shared = cls._open[port] = cls(port)
            shared._holders += 1
            return shared

    @classmethod
    def away(cls, port: str) -> str | None:
        """Why a held port is away; None where it is there, or nobody holds it."""
        return None if (shared := cls._open.get(port)) is None else shared.lost

    def __init__(self, port: str) -> None:
        """Only to be called by `at`."""
        self.name = port
        self.clock = SystemClock()
        self.rates: dict[int, float] = {}  # Hz, of each igloo heard
        self.seat_rates: dict[int, float] = {}  # Hz, of each counting seat heard
        self.lost: str | None = None  # why it is away
        self.times_lost = 0
        self._said: dict[int, deque[NodeSaid]] = {}
        self._others: set[str] = set()  # kinds of nodes that said hello since it was opened: igloos, …
        self._spoke: set[int] = set()  # nodes heard since then
        self._kinds: dict[int, Felt] = {}
        self._foreign: dict[int, int] = {}  # igloo → its protocol version, where it is not ours
        self._told: deque[NodeTold] = deque(maxlen=KEPT)
        # kept while the port is away: a sleeping node does not repeat that it sleeps
        self._asleep: set[int] = set()
        self._holders = 0
        self._lock = threading.Lock()  # guards the received packets
        self._listening = threading.Lock()  # one thread at a time, or frames would change their order
        self._bridge = Bridge([port], "polar", self.clock)
        try:
            self._bridge.open()
        except PortMissing as error:
            raise NoSuchInput(error.cause, error.mend) from error
        except PortError as error:
            raise CaptureLost(error.cause, error.mend) from error

    def close(self) -> None:
        """Release the port, once for each `at`; the last holder closes it.

        All holders share one object, which cannot tell them apart: a holder who releases twice takes the port from
        another one.
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
        """Hz, of each node of that kind heard."""
        return self.rates if kind == "igloo" else self.seat_rates

    def shaken(self, node: int | None = None) -> int | None:
        """The node of an igloo whose burst waits to be taken; `node`: only this one."""
        with self._lock:
            for name, said in self._said.items():
                asked_for = name in self.rates and node in (None, name)
                if asked_for and any(isinstance(one.packet, p.Burst) for one in said):
                    return name
        return None

    def shaken_beside(self, node: int) -> bool:
        """Whether a burst of any other igloo waits to be taken."""
        with self._lock:
            return any(
                name != node and name in self.rates and any(isinstance(one.packet, p.Burst) for one in said)
                for name, said in self._said.items()
            )

    def forget(self) -> None:
        """Discard everything that waits."""
        self.listen(0.0)
        with self._lock:
            self._said.clear()

    def forget_old(self, node: int, before: float) -> None:
        """Discard what a node felt before that time, and everything it sent until then: a shake that nobody took is
        past. Later packets (that it sleeps, say) remain."""
        with self._lock:
            said = self._said.get(node, deque())
            old = [k for k, one in enumerate(said) if isinstance(one.packet, p.Burst) and one.t < before]
            self._said[node] = deque(list(said)[old[-1] + 1 if old else 0 :], KEPT)

    def waits(self, node: int) -> bool:
        return bool(self._said.get(node))

    def asleep(self, node: int) -> bool:
        """Whether an igloo said that it sleeps, and nothing since."""
        return node in self._asleep and node in self.rates

    def told(self, node: int | None = None) -> list[NodeTold]:
        """What nodes report to people, each sentence once, to the first caller; `node`: only reports of that node and
        of the dongle."""
        with self._lock:
            mine = [one for one in self._told if node is None or one.node in (node, DONGLE)]
            self._told = deque((one for one in self._told if one not in mine), KEPT)
        return mine

    def two_boards(self, node: int) -> bool:
        """Whether two boards use that number now."""
        return self._words.two_boards(self.name, node)

    def listen(self, seconds: float) -> None:
        """Sort the packets that have come; waits for the first one up to `seconds`."""
        if not self._listening.acquire(timeout=max(seconds, 0.001)):
            return  # another igloo's ear listens, for all of them
        try:
            events = self._bridge.take(seconds)
            damaged = self._words.counted(self._bridge.counts())
            with self._lock:
                self._told.extend(damaged)
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
        """What a node has sent since the last call, the oldest first."""
        with self._lock:
            return list(self._said.pop(node, ()))

    def until(
        self, there: Callable[[], bool], seconds: float, check: Callable[[], None] = lambda: None
    ) -> bool:
        """Listen until `there` is true, the port is lost, or `seconds` have passed. `check` is called meanwhile: it may
        raise."""
        end = self.clock.now() + seconds
        while not there() and self.lost is None and self.clock.now() < end:
            check()
            self.listen(BLOCK_S)
        return there()

    def nothing(self, node: int | None, shaken: bool = False, kind: Felt = "igloo") -> CaptureLost:
        """Why that igloo or seat (None: any) is not heard here. `shaken`: a shake was waited for; NobodyShook where
        nothing else was missing."""
        if self.lost is not None:
            return CaptureLost(f"{self.name} is away ({self.lost})", "plug it in again")
        who = f"any {kind}" if node is None else f"{kind} {node}"
        for one, version in sorted(self._foreign.items()):
            if node == one or (node is None and not self.rates_of(kind)):
                other = f"{kind} {one} speaks version {version} of the wire, and we read version {VERSION}"
                return CaptureLost(f"nothing was heard of {who} at {self.name} ({other})", RELOAD)
        who += " being shaken" if shaken else ""
        frames, bad = (sum(n) for n in zip(*((c.frames, c.bad) for c in self._bridge.counts()), strict=True))
        known = ", ".join(map(str, sorted((self._spoke | self._asleep) & set(self.rates_of(kind)))))
        if bad > frames and not known:  # igloos that sleep send nothing at all
            what, mend = (
                (DAMAGED, DAMAGED_MEND) if frames else (UNREADABLE, f"{OURS_AT_115200}, {OTHER_PORT}")
            )
            return CaptureLost(f"nothing was heard of {who} at {self.name} ({what})", mend)
        # a dongle only passes on what the nodes behind it say
        others = ", ".join(sorted(self._others - {f"{kind}s", "dongles"}))
        came = (
            f"{kind}s {known} speak there"
            if known
            else f"what speaks there are {others}"
            if others
            else f"{frames} whole frames came, none of {'an' if kind == 'igloo' else 'a'} {kind}"
        )
        # sleeping igloos are silent from the start; where only other nodes speak, it is the wrong port
        pause = shaken and bool(known or not others)
        return (NobodyShook if pause else NotHeard)(
            f"nothing was heard of {who} at {self.name} ({came})",
            OF_A_SEAT if "seats" in others else f"{WAKE[kind]}, {OTHER_PORT}",
        )

    def _changed(self, change: LinkChange) -> None:
        self.lost = change.why if change.state == "lost" else None
        self.times_lost += change.state == "lost"
        if change.state == "back":  # what waits is from before the loss, and others may speak there now
            for before in self._said, self._others, self._spoke:
                before.clear()

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
            pass  # a node of another kind feels nothing
        elif isinstance(packet, p.Hello) and packet.version != VERSION:
            self._foreign[node] = packet.version
            return  # its other packets are not decoded, so it cannot be heard
        elif isinstance(packet, p.Burst) and packet.rate_hz > 0:
            if not unmeasured(packet, rates.get(node, math.inf)):
                rates[node] = packet.rate_hz  # the measured rate
        elif isinstance(packet, p.Hello) and packet.rate_hz > 0:
            self._foreign.pop(node, None)
            rates.setdefault(node, float(packet.rate_hz))
        elif node not in rates:
            return  # its kind is still unknown
        if node in rates:
            self._spoke.add(node)
            self._said.setdefault(node, deque(maxlen=KEPT)).append(said)


def is_goodnight(packet: p.Packet) -> bool:
    """Whether a node announces that it will be silent until it is moved."""
    return isinstance(packet, p.Log) and packet.text.startswith(ASLEEP)


def unmeasured(burst: p.Burst, known_hz: float) -> bool:
    """Is this the nominal rate and not a measured one, while a rate close to it is known?"""
    return burst.stamp.us < UNMEASURED_US and abs(burst.rate_hz / known_hz - 1) < SET_RATE
