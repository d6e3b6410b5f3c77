"""Is a port ours? By the system's facts about it, and by listening for a moment.

Nothing is written to it, unless it is ours and somebody wants to see which one it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from firmware_bridge.clock import Clock
from firmware_bridge.detecting import GIVE_UP_S, NO_READINGS, SPEEDS, Detector
from firmware_bridge.errors import PortError
from firmware_bridge.finding import PortFacts
from firmware_bridge.opening import OF_TERMINALS, Wire, open_port
from firmware_bridge.packets import ChipAngles, ChipMotion, Hello, HelloRequest, Identify, Packet, Stamp
from firmware_bridge.polar import BROADCAST, VERSION, encode

LISTEN_S = 2.5  # s; our nodes say hello every two seconds
SHINE_S = 5
CALLS, CALL_S = 3, 0.25  # how often a node is asked for a hello, and how long it may take


@dataclass(frozen=True, slots=True)
class Probe:
    """The result for a port: `ours`, None where unknown; `why` in one sentence; `nodes` in their words.

    `heard`: we could listen to it. `shines`: the requested node is there and was told to light up.
    """

    ours: bool | None
    protocol: str | None
    why: str
    nodes: tuple[str, ...] = ()
    heard: bool = True
    shines: bool = False


def probe(facts: PortFacts, clock: Clock, seconds: float | None = None, *, shine: int | None = None) -> Probe:
    """Listen to a port (in real time), at the usual speeds; for `seconds`, or as long as it takes.

    The default is 2.5 s where nothing comes, and all speeds where the bytes make no sense. `shine`: the node (255: all)
    to light up, if the port is ours and that node speaks, if necessary when asked.
    """
    try:
        wire = open_port(facts.device, SPEEDS[0])
    except PortError as error:
        return cannot_open(error)
    try:
        heard = _listen(wire, clock, seconds)
        told = shine is not None and heard.ear.name == "polar" and _is_there(wire, clock, heard, shine)
        if told:
            wire.write(encode(Identify(Stamp(shine or 0, CALLS + 1, 0), SHINE_S)))
    except (OSError, TypeError, ValueError, *OF_TERMINALS):
        return Probe(None, None, "it went away while we listened", heard=False)
    finally:
        wire.close()
    found = _judge(facts, heard)
    if told:
        return replace(found, why=f"{found.why}; {_whom(shine or 0)} told to shine", shines=True)
    return found


def cannot_open(error: PortError) -> Probe:
    """The result for a port that is missing or may not be opened."""
    return Probe(None, None, f"it cannot be opened: {error.cause}", heard=False)


@dataclass(slots=True)
class _Heard:
    """What came at a port: bytes at all tried speeds, and the packets at the right one."""

    ear: Detector = field(default_factory=Detector)
    tried: list[int] = field(default_factory=lambda: [SPEEDS[0]])
    packets: list[Packet] = field(default_factory=list)
    count: int = 0

    def take(self, data: bytes) -> None:
        self.count += len(data)
        self.packets += self.ear.feed(data) if data else []

    def numbers(self) -> set[int]:
        """The numbers of all nodes that sent anything."""
        return {p.stamp.node for p in self.packets if not isinstance(p, ChipAngles | ChipMotion)}


def _listen(wire: Wire, clock: Clock, seconds: float | None) -> _Heard:
    out = _Heard()
    since = now = clock.now()
    end = now + (LISTEN_S if seconds is None else seconds)
    while now < end or (seconds is None and out.count and out.ear.chosen is None):
        out.take(wire.read(wire.in_waiting or 1))
        now = clock.now()
        tired = out.count > 0 and out.ear.chosen is None and now - since > GIVE_UP_S
        if not (out.ear.wrong_speed(now) or tired):
            continue
        if len(out.tried) == len(SPEEDS):
            break
        out.ear.start_over()
        out.tried.append(SPEEDS[len(out.tried)])
        wire.baudrate, since = out.tried[-1], now
    return out


def _is_there(wire: Wire, clock: Clock, heard: _Heard, node: int) -> bool:
    """Whether a node is there, at a port that is ours. A node at rest says hello every two seconds, and radio loses
    some of that: so one that was not heard is asked before we report it missing."""
    if node == BROADCAST:
        return True
    for call in range(CALLS):
        if node in heard.numbers():
            return True
        wire.write(encode(HelloRequest(Stamp(node, call + 1, 0))))
        end = clock.now() + CALL_S
        while node not in heard.numbers() and clock.now() < end:
            heard.take(wire.read(wire.in_waiting or 1))
    return node in heard.numbers()


def _judge(facts: PortFacts, heard: _Heard) -> Probe:
    ear = heard.ear
    if ear.chosen is not None:
        named = {(p.stamp.node, p.uid): _name(p) for p in heard.packets if isinstance(p, Hello)}
        numbers = heard.numbers()
        nameless = {(n, ""): f"node {n}" for n in numbers.difference(n for n, _ in named)}
        twice = sorted(n for n in numbers if sum(n == other for other, _ in named) > 1)
        why = f"it speaks {ear.name}" + ("" if heard.packets else f", but {NO_READINGS}")
        if twice:
            which = " and ".join(f"node {n}" for n in twice)
            why += f", but two boards call themselves {which}: give each its own NUMBER"
        return Probe(True, ear.name, why, tuple(text for _, text in sorted({**named, **nameless}.items())))
    if heard.count and len(heard.tried) < len(SPEEDS):
        tried = " and ".join(map(str, heard.tried))
        why = f"{heard.count} bytes came, in none of our protocols at {tried} baud"
        return Probe(None, None, f"{why}; longer --seconds tries the other speeds")
    if heard.count:
        return Probe(False, None, f"{heard.count} bytes came, in none of our protocols at any usual speed")
    if facts.chip is not None:
        return Probe(
            None, None, f"nothing came; it is {facts.chip}, so a sleeping or silent node is possible"
        )
    return Probe(False, None, "nothing came, and the chip is none that our nodes are sold with")


def _whom(node: int) -> str:
    return "all were" if node == BROADCAST else f"node {node} was"


def _name(hello: Hello) -> str:
    other = f", version {hello.version} of the wire, which we do not read" if hello.version != VERSION else ""
    return f"{hello.kind} {hello.stamp.node} ({hello.uid}{other})"
