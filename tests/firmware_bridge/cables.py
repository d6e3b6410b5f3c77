"""Both ends of a cable: what a cube sends, and a link that tells what it has heard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from firmware_bridge import packets as p
from firmware_bridge import polar
from firmware_bridge.clock import VirtualClock
from firmware_bridge.link import Link
from firmware_bridge.opening import Wire, open_port
from firmware_bridge.samples import BridgeEvent, LinkChange

LEVEL = (0.0, 0.0, 1.0)
STEP_S = 0.01  # that passes in the link's time, whatever a step takes in ours
_READ_S = 0.002


def hello(number: int, seq: int) -> bytes:
    stamp = p.Stamp(number, seq, seq * 20_000)
    uid = f"c0be{number:012x}"
    return polar.encode(
        p.Hello(stamp, "cube", uid, (0, 1, 0), 4000, 200, 2000, 16, True, (1.0, 0.0, 0.0, 0.0), "")
    )


def motion(number: int, seq: int) -> bytes:
    rates = ((0.0, 0.0, 0.0),) * 4
    return polar.encode(p.Motion(p.Stamp(number, seq, seq * 20_000), 5000, rates, (LEVEL,) * 4))


def impatient(port: str, baudrate: int) -> Wire:
    """The real port, at which nobody waits long for bytes that are not there."""
    wire: Any = open_port(port, baudrate)
    wire.timeout = _READ_S
    opened: Wire = wire
    return opened


class Listener:
    """A link on a real port, in virtual time, and what it has said."""

    def __init__(self, port: str, protocol: str = "auto") -> None:
        self.rivals = False  # whether another link of its protocol is lost, too
        self.events: list[BridgeEvent] = []
        self.clock = VirtualClock()
        self.link = Link(
            port, protocol, self.clock, self.events.append, opener=impatient, rivals=lambda: self.rivals
        )

    @property
    def states(self) -> list[str]:
        return [e.state for e in self.events if isinstance(e, LinkChange)]

    def until(self, true: Callable[[], bool], seconds: float = 5.0) -> float:
        """Step the link until something is so; how long that took, in its time."""
        began = self.clock.now()
        while not true():
            assert self.clock.now() - began < seconds, f"not within {seconds} s; said {self.states}"
            self.link.step()
            self.clock.set(self.clock.now() + STEP_S)
        return self.clock.now() - began
