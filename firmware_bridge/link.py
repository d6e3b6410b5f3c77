"""One link: open, read, lose, come back. A state machine without threads and sleeps: `step` advances it.

    closed ── open() ──> reading ── read fails ──> lost ── found again and understood ──> reading

`searching.py` says where to look for a lost port. A newcomer has to prove its identity by the protocol; where the
protocol has none, by speaking it and by being the only candidate. A port that plainly is the old one is trusted unless
it identifies itself as another.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

from firmware_bridge import finding
from firmware_bridge import packets as p
from firmware_bridge.asking import Asking
from firmware_bridge.clock import Clock
from firmware_bridge.finding import PortFacts
from firmware_bridge.hearing import Hearing
from firmware_bridge.identity import Identity
from firmware_bridge.nodes import NodeBook
from firmware_bridge.opening import OF_TERMINALS, Wire, is_url, open_port
from firmware_bridge.polar import BROADCAST, encode
from firmware_bridge.reading import GONE, read_some, why_gone
from firmware_bridge.returning import Returning
from firmware_bridge.samples import BridgeEvent, LinkChange, LinkCount
from firmware_bridge.searching import Meant, Search, Taken

RETRY_S = 0.2  # between two searches for a lost port
PATIENCE_S = 3.0  # s, before we report that nothing, or nothing that we understand, comes
PROOF_FRAMES = 10  # whole frames required of a protocol without identities

Emit = Callable[[BridgeEvent], None]
Opener = Callable[[str, int], Wire]
Rivals = Callable[[], bool]


class Link:
    """A port and everything that happens to it. `emit` is called with each event, in order.

    `taken`: whether another link reads a device. `meant`: whether a device plainly is another lost link's. `rivals`:
    whether another link of the same protocol is lost, too.
    """

    def __init__(
        self,
        port: str,
        protocol: str,
        clock: Clock,
        emit: Emit,
        *,
        baudrate: int | None = None,
        opener: Opener = open_port,
        lister: finding.Lister = finding.list_ports,
        taken: Taken = lambda device: False,
        meant: Meant = lambda device, ports: False,
        rivals: Rivals = lambda: False,
    ) -> None:
        self.port = port
        self.now = port  # its present name
        self.book = NodeBook(port)
        self._rivals = rivals
        self._hearing = Hearing(protocol, baudrate)
        self._clock = clock
        self._emit = emit
        self._opener = opener
        self._search = Search(port, lister, taken, meant)
        self._wire: Wire | None = None
        self._said_open = False
        self._lost = False
        self._lost_at = 0.0
        self._said_lost = ""
        self._identity = Identity()
        self._returning: Returning | None = None  # for every connection after the first
        self._asking = Asking()
        self._seq = 0
        self._deadline = 0.0
        self._next_try = 0.0

    @property
    def reading(self) -> bool:
        """Whether the port is open now."""
        return self._wire is not None

    def means(self, device: str, ports: Sequence[PortFacts]) -> bool:
        """Whether a device plainly is this link's, by its name or by the system's facts."""
        return self._search.means(device, ports)

    @property
    def lost_for(self) -> float:
        """Seconds since the port was lost; 0 while it is there."""
        return self._clock.now() - self._lost_at if self._lost else 0.0

    @property
    def spoke(self) -> str | None:
        """The protocol that it speaks, or spoke before it was lost."""
        return self.protocol or self._hearing.before

    @property
    def protocol(self) -> str | None:
        """The protocol, once it is known."""
        return self._hearing.protocol

    def open(self) -> None:
        """Open for the first time; raises PortError."""
        self._wire = self._opener(self.port, self._hearing.speed)
        self._deadline = self._clock.now() + PATIENCE_S
        if not is_url(self.port):
            self._search.learn(self.port)
        if self._hearing.asked != "auto":
            self._say_open("as asked for")

    def lose(self, why: str) -> None:
        """The port is gone, was never there, or is of no use as it is: release it, report why, once, and search for
        it."""
        self.close()
        self._begin_anew()
        now = self._clock.now()
        if not self._lost:
            self._lost, self._lost_at = True, now
            self._say_lost(why)
            self._search.begin()
        self._next_try = now + RETRY_S

    def step(self) -> bool:
        """Read once (waits at most for the port's own timeout), or search once; False: nothing to do yet."""
        if self._wire is None:
            return self._come_back()
        try:
            data = read_some(self._wire, self.now)
        except GONE as error:
            self.lose(why_gone(error))
            return True
        now = self._clock.now()
        if data:
            for packet in self._hearing.feed(data):
                self._packet(packet, now)
        self._mind(now)
        return bool(data)

    def send(self, make: Callable[[p.Stamp], p.PolarPacket], node: int = BROADCAST) -> bool:
        """Send a packet to one of our nodes; False where the link is not open or the other side was never heard."""
        if self._wire is None or self.protocol != "polar" or not self._hearing.good_frames:
            return False
        self._seq += 1
        stamp = p.Stamp(node, self._seq & 0xFFFF, int(self._clock.now() * 1e6) & 0xFFFFFFFF)
        try:
            self._wire.write(encode(make(stamp)))
        except OSError as error:
            if "timeout" not in str(error).lower():  # a device that does not accept bytes is still there
                self.lose(why_gone(error))
            return False
        return True

    def count(self) -> LinkCount:
        """Counts since the creation of the link, over all connections."""
        heard, book = self._hearing, self.book
        return LinkCount(
            self.port,
            heard.frames,
            heard.bad,
            book.lost,
            book.repeated,
            book.reordered,
            packets=heard.packets,
        )

    def close(self) -> None:
        """Close the port; safe to call twice."""
        wire, self._wire = self._wire, None
        if wire is not None:
            with contextlib.suppress(OSError, TypeError, ValueError):
                wire.close()

    def _packet(self, packet: p.Packet, now: float) -> None:
        back = self._returning
        if back is not None:
            plain = back.plain(packet, self._speaks_alone)
            if plain is False:
                assert isinstance(packet, p.Hello)
                self._reject(f"{packet.uid} sits there now")
            elif plain:
                self._let_through(back)
        if self._wire is None:
            return
        self._asking.heard(packet)
        if back is not None and back.holds:
            back.hold(packet, now)
            return
        if isinstance(packet, p.Hello):
            self._identity.learn(packet)
        if not self._said_open:
            self._say_open("recognised by listening")
        if self._lost:
            self._lost = False
            self._search.learn(self.now)
            self._emit(LinkChange(self.port, "back", self.protocol, self._where(), now, self.now))
        for event in self.book.receive(packet, now):
            self._emit(event)

    def _let_through(self, back: Returning) -> None:
        for packet, then in back.let_go():
            self._packet(packet, then)

    def _speaks_alone(self) -> bool:
        """Whether a newcomer without an identity can only be the lost port: it speaks the same protocol, and nothing
        else could be meant."""
        same = self.protocol not in (None, "polar") and self.protocol == self._hearing.before
        proven = self._hearing.good_frames >= PROOF_FRAMES
        return same and proven and self._search.alone and not self._rivals()

    def _mind(self, now: float) -> None:
        """React to silence, to garbage and to strangers."""
        if self._wire is None:
            return
        if self._asking.due(now) and self.send(p.HelloRequest):
            self._asking.asked(now)
        speed = self._hearing.other_speed(now)
        if speed is not None:
            with contextlib.suppress(OSError, ValueError, *OF_TERMINALS):
                self._wire.baudrate = speed
        back = self._returning
        if back is not None and back.overdue(now):
            if back.newcomer:
                self._reject("it did not say who it is")
            else:
                self._let_through(back)  # perhaps it cannot be asked; its next hello identifies it
        elif now > self._deadline:
            self._deadline = float("inf")
            if not self._hearing.understood:
                self._complain()

    def _complain(self) -> None:
        """Report that nothing we understand has come since the port was opened."""
        why = self._hearing.why_nothing()
        if self._lost:
            self._say_lost(why)
        else:
            self._say_open(why, deaf=self._hearing.heard > 0)
            self._said_open = False  # the real opening is still to be reported

    def _say_open(self, why: str, deaf: bool = False) -> None:
        self._said_open = True
        now = self._clock.now()
        self._emit(LinkChange(self.port, "open", self.protocol, why, now, self.now, deaf))

    def _say_lost(self, why: str) -> None:
        self._said_lost = why
        self._emit(LinkChange(self.port, "lost", self._hearing.before, why, self._clock.now()))

    def _begin_anew(self) -> None:
        self._hearing.begin_anew()
        self._asking = Asking()
        self._returning = None

    def _come_back(self) -> bool:
        now = self._clock.now()
        if now < self._next_try:
            return False
        self._next_try = now + RETRY_S
        plain, new = self._search.places()
        for device in plain + new:
            try:
                self._wire = self._opener(device, self._hearing.speed)
            except GONE:
                continue
            self.now = device
            self._returning = Returning(self._identity, now, newcomer=device in new)
            self._deadline = now + PATIENCE_S
            return True
        return False

    def _reject(self, why: str) -> None:
        """Another device sits there. Rejected newcomers are not reported; a stranger under the link's own name is,
        once."""
        device, newcomer = self.now, self._returning is not None and self._returning.newcomer
        if not self._lost:
            self.lose(why)
        else:
            self.close()
            self._begin_anew()
            if not newcomer and why != self._said_lost:
                self._say_lost(why)
        self._search.reject(device)
        self.now = self.port

    def _where(self) -> str:
        return "under its old name" if self.now == self.port else f"now at {self.now}"
