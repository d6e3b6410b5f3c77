"""Is a port ours? Found out by what the system says of it, and by listening for a moment; nothing is written to it."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.clock import Clock
from firmware_bridge.detecting import SPEEDS, Detector
from firmware_bridge.errors import PortError
from firmware_bridge.finding import PortFacts
from firmware_bridge.opening import open_port
from firmware_bridge.packets import ChipAngles, ChipMotion, Hello, Packet

LISTEN_S = 2.5  # a node of ours says hello every two seconds


@dataclass(frozen=True, slots=True)
class Probe:
    """What a port is: `ours` None where it could not be told; `why` in one sentence; `nodes` in their words."""

    ours: bool | None
    protocol: str | None
    why: str
    nodes: tuple[str, ...] = ()


def probe(facts: PortFacts, clock: Clock, seconds: float = LISTEN_S) -> Probe:
    """Listen to a port for up to `seconds` (real time: it reads), at the usual speeds."""
    try:
        wire = open_port(facts.device, SPEEDS[0])
    except PortError as error:
        return Probe(None, None, f"it cannot be opened: {error.cause}")
    ear, heard, packets = Detector(), 0, list[Packet]()
    speeds = list(SPEEDS)
    end = clock.now() + seconds
    try:
        while clock.now() < end:
            data = wire.read(wire.in_waiting or 1)
            heard += len(data)
            packets += ear.feed(data) if data else []
            if ear.wrong_speed(clock.now()):
                ear.start_over()
                speeds.append(speeds.pop(0))
                wire.baudrate = speeds[0]
    except (OSError, TypeError, ValueError):
        return Probe(None, None, "it went away while we listened")
    finally:
        wire.close()
    return _judge(facts, ear, heard, packets)


def _judge(facts: PortFacts, ear: Detector, heard: int, packets: list[Packet]) -> Probe:
    if ear.chosen is not None:
        nodes = {p.stamp.node: f"{p.kind} {p.stamp.node} ({p.uid})" for p in packets if isinstance(p, Hello)}
        numbers = {p.stamp.node for p in packets if not isinstance(p, ChipAngles | ChipMotion)}
        named = tuple(nodes.get(n, f"node {n}") for n in sorted(numbers))
        return Probe(True, ear.name, f"it speaks {ear.name}", named)
    if heard:
        return Probe(False, None, f"{heard} bytes came, in none of our protocols at any usual speed")
    if facts.chip is not None:
        return Probe(
            None, None, f"nothing came; it is {facts.chip}, so a sleeping or silent node is possible"
        )
    return Probe(False, None, "nothing came, and the chip is none that our nodes are sold with")
